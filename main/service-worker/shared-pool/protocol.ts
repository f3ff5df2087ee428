import type { ErrorRecord } from '../../../core/error-record.ts';
import type { BatchCredit, DecodeJob } from '../../../worker/protocol.ts';

/**
 * Messages between a service worker and a page whose worker pool decodes on its behalf. Each decode has a port of its
 * own:
 *
 *     service worker                           page
 *      │ BridgeRequest (with the port) ────────▶│
 *      │◀───────────────────────── READY, WANT… │  one WANT for each chunk
 *      │ chunk… END │ CANCEL, PING…, credit… ──▶│
 *      │◀────────────────────── piece…, outcome │  pieces: parts of a block, or of a text
 */
export interface BridgeRequest {
  unspool: 'decode';
  /** Version of the block layout. A page with another version does not answer. */
  version: number;
  port: MessagePort;
  job: Omit<DecodeJob, 'schema'>;
  /** Compiled schema, and its unique name. */
  schema: { key: string; compiled: unknown } | undefined;
  /** Bytes according to `Content-Length`. */
  size: number;
}

/** Sent by a page that shares its pool. */
export interface ShareMessage {
  unspool: 'share';
}

/** Accepts the decode, then requests a chunk. */
export const READY = 1;
export const WANT = 2;

/** End of the chunks; cancellation; sign of life of the service worker. */
export const END = 0;
export const CANCEL = 1;
export const PING = 2;

export type FromPage = typeof READY | typeof WANT | ArrayBuffer | { error?: ErrorRecord | undefined };
export type ToPool = Uint8Array<ArrayBuffer> | typeof END | typeof CANCEL | typeof PING | BatchCredit;
