/**
 * What crosses between the page and a worker. Comlink carries the calls of `WorkerService`; the answer to `decode` is a
 * port, over which the messages of one decode flow in both directions while it runs. This file imports only types.
 *
 *     page                                worker
 *      │ start(lock) ─────────────────────▶│  takes the lock for its life
 *      │ registerSchema(id, compiled) ────▶│  once for each schema that a decode needs
 *      │ decode(job, bytes?) ─────────────▶│  or fetch(request), and then what is to be done with the body
 *      │◀──────────────────────── PartPort │
 *      │ ToWorker: chunk… END │ CANCEL ───▶│  chunks only where `bytes` was left out
 *      │           │ FAILED │ grant… ──────▶│  FAILED in the place of END, grants only where batches are asked for
 *      │◀─── ToPage: part…, taken…, outcome│  the outcome is the last message; then the page closes the port
 */

import type { ErrorRecord } from './error-record.ts';
import type { FormatId } from './formats/registry.ts';
import type { Limits } from './limits.ts';
import type { Skipped, Tally } from './reader.ts';
import type { JsonTextOptions } from './sinks/json-values.ts';

/** One decode, as the page asks for it. Plain data. */
export interface DecodeJob {
  format: FormatId;
  /** The format's own options. */
  options: object;
  /** Id of a schema that was registered with this worker. */
  schema: number | undefined;
  limits: Limits;
  /** What the bytes are compressed with. */
  compression?: 'zstd' | undefined;
  /** The items of a list are to leave in batches. */
  batches?: BatchSetting | undefined;
  /** The bytes are a segment of a payload: items of a list, of which the first begins at once. */
  segment?: boolean | undefined;
  /** Nested records of lists may come as their bytes: see `ColumnSinkOptions.raw`. */
  raw?: boolean | undefined;
  /** The result is JSON text, in pieces, and no block. */
  text?: JsonTextOptions | undefined;
}

/** How the items of a list leave in batches. */
export interface BatchSetting {
  /** The keys from the root to the list. */
  path: readonly string[];
  /** Items of each batch but the last; undefined where the worker is to choose, as `BatchGrant` says. */
  items: number | undefined;
}

/** Lets the worker decode one more batch. Before the first, it may decode `BATCHES_AHEAD`. */
export interface BatchGrant {
  /** How many items are a good size. */
  items: number;
}

/** Asks the worker that leads: when it has read up to here, may an item of a list begin? It answers with `Joint`. */
export interface JointQuery {
  /** Offset in the payload. */
  cut: number;
}

/** See `Reader.itemDepth`, which is −1 also where the result has no place for a segment; and what was read up to here. */
export interface Joint {
  itemDepth: number;
  tally: Tally;
}

/** Tells the worker that leads what another has read from where it stands on: items of the innermost open list. */
export interface Splice extends Skipped {
  /** The segment's number. */
  segment: number;
  /** How many items, and whether all are objects. */
  count: number;
  records: boolean;
}

/** A request that the worker is to make: what its `fetch` takes, as plain data. */
export interface FetchRequest {
  url: string;
  init: RequestInit;
}

/** Of a response that the worker has: asks for a copy of the first bytes. */
export interface BodyPeek {
  peek: number;
  stallTimeout: number | undefined;
}

/** Of a response that the worker has: decodes its body. From now on the port is that of a decode. */
export interface BodyDecode {
  decode: DecodeJob;
  stallTimeout: number | undefined;
  /** Whether the page wants to hear of bytes as they come. */
  progress: boolean;
}

/** What the page sees of a response that the worker has. */
export interface ResponseHead {
  status: number;
  statusText: string;
  headers: [string, string][];
  url: string;
  redirected: boolean;
  type: ResponseType;
  /** There is no body. */
  empty: boolean;
  /** The bytes that are announced, 0 where that is not known. */
  size: number;
}

/** How far the body has come, and the copy of its first bytes that was asked for. */
export interface BodyState {
  received: number;
  /** When the last byte came: milliseconds since the epoch. */
  endedAt: number | undefined;
  first?: Uint8Array<ArrayBuffer> | undefined;
}

/** The next chunk of the body that was asked for; undefined after the last. */
export interface BodyChunk {
  chunk: Uint8Array<ArrayBuffer> | undefined;
}

/** What a worker says of a response that it has. */
export type BodyNews = { head: ResponseHead } | BodyState | BodyChunk;

/** What a worker can do. */
export interface WorkerService {
  /**
   * The first call: takes the named Web Lock and never gives it back, so that the page, which asks for the same lock,
   * learns of the worker's end. Resolves to whether it has it; false where there are no locks or no name was given.
   */
  start(lock: string | undefined): Promise<boolean>;
  /** Answers, to show that the worker lives. */
  ping(): void;
  /** Keeps the compiled form of a schema for the worker's life. */
  registerSchema(id: number, compiled: unknown): void;
  /** Starts a decode. Without `bytes`, they come as chunks over the port. */
  decode(job: DecodeJob, bytes?: Uint8Array<ArrayBuffer>): PartPort;
  /** Makes a request. The port gives the response's head; its body waits for `PULL`, a `BodyPeek` or a `BodyDecode`. */
  fetch(request: FetchRequest): PartPort;
}

/** The page's end of one decode. A class of its own, by which Comlink's transfer handler knows it. */
export interface PartPort {
  readonly port: MessagePort;
}

/** The name of Comlink's transfer handler for `PartPort`. */
export const PART_PORT = 'unspool.part-port';

/** No more chunks come. */
export const END = 0;
/** The result is no longer wanted. The outcome still comes, so that the page knows that the worker is free. */
export const CANCEL = 1;

/** No more chunks come, though the input has not ended: what is whole is still wanted. */
export const FAILED = 2;

/** The next chunk of the body that the worker has fetched is wanted as it is. */
export const PULL = 3;

/** A chunk of the input (transferred), `END`, `CANCEL`, `FAILED`, a grant, or what is to be done with a body. */
export type ToWorker =
  | Uint8Array<ArrayBuffer>
  | typeof END
  | typeof CANCEL
  | typeof FAILED
  | typeof PULL
  | BatchGrant
  | BodyPeek
  | BodyDecode
  | JointQuery
  | Splice;

/** How many chunks the page may send ahead of those the worker has taken. */
export const CHUNKS_AHEAD = 4;

/** How many batches the worker may decode ahead of those that the page has granted. */
export const BATCHES_AHEAD = 3;

/** A part of the result, or a piece of its text (transferred), how many more chunks were taken, news of a response, or the
 * outcome.
 */
export type ToPage = ArrayBuffer | number | BodyNews | Joint | Outcome;

/** How a decode ended. */
export type Outcome = { stats: WorkerStats; error?: undefined } | { error: ErrorRecord; stats?: undefined };

/** What one decode took in the worker. */
export interface WorkerStats {
  /** Milliseconds of decoding, pauses left out. */
  decodeMs: number;
  /** When the job arrived, and when the outcome was sent: milliseconds since the epoch, as `performance.timeOrigin`. */
  arrived: number;
  sent: number;
  /** Bytes read, and bytes of all parts. */
  bytes: number;
  blockBytes: number;
  parts: number;
  /** Of a segment: the offset in it at which its list ends. Undefined where the list goes on. */
  listEnd?: number | undefined;
  /** Of a segment: what was read. Undefined where it cannot be left out, because what comes behind is read by it. */
  tally?: Tally | undefined;
}
