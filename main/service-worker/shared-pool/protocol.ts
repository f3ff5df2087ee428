import type { ErrorRecord } from '../../../core/error-record.ts';
import type { BatchCredit, DecodeJob } from '../../../worker/protocol.ts';

/**
 * What crosses between a service worker and a page whose pool decodes for it. Each decode has a port of its own:
 *
 *     service worker                          page
 *      │ BridgeRequest (with the port) ───────▶│
 *      │◀──────────────────────── READY, WANT… │  one WANT for each chunk
 *      │ chunk… END │ CANCEL, PING…, grant… ──▶│
 *      │◀───────────────────── piece…, outcome │  pieces: parts of a block, or of a text
 */
export interface BridgeRequest {
  unspool: 'decode';
  /** Of the layout of blocks: a page that has another does not answer. */
  version: number;
  port: MessagePort;
  job: Omit<DecodeJob, 'schema'>;
  /** The compiled schema, and a name for it that no other has. */
  schema: { key: string; compiled: unknown } | undefined;
  /** Bytes that are announced. */
  size: number;
}

/** A page says that it decodes for the service worker. */
export interface ShareMessage {
  unspool: 'share';
}

/** The page decodes; then, that a chunk is wanted. */
export const READY = 1;
export const WANT = 2;

/** No more chunks come; nothing is wanted any more; the service worker is still there. */
export const END = 0;
export const CANCEL = 1;
export const PING = 2;

export type FromPage = typeof READY | typeof WANT | ArrayBuffer | { error?: ErrorRecord | undefined };
export type ToPool = Uint8Array<ArrayBuffer> | typeof END | typeof CANCEL | typeof PING | BatchCredit;
