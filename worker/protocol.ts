/**
 * Messages between the page and a worker. Comlink carries the calls of `WorkerService`. Each call of `decode` includes
 * a port, over which its messages travel in both directions while it runs. Messages have a `kind`. This
 * file imports only types.
 *
 *     page                                worker
 *      │ start(lock, kernel) ─────────────▶│  takes the lock for its lifetime
 *      │ registerCode(name, url) ─────────▶│  once for all code that a decode needs and that is not built in
 *      │ registerSchema(id, compiled) ────▶│  once for each schema that a decode needs
 *      │ decode(job, port, bytes?) ───────▶│  sent immediately, even while the worker's script is loading
 *      │ ToWorker: chunk… end │ failed ───▶│  chunks only if `bytes` was left out
 *      │           cancel, credit… ───────▶│  credits only if batches were requested
 *      │◀─── ToPage: part…, taken…, outcome│  the outcome is the last message; then the page closes the port
 */

import type { CodeName } from './code.ts';
import type { ErrorRecord } from '../core/error-record.ts';
import type { FormatId } from '../core/format/format-id.ts';
import type { Limits } from '../core/limits.ts';
import type { Shaping } from '../core/shaping.ts';
import type { JsonTextOptions } from '../core/sinks/json/values.ts';

/** One decode, as requested by the page. Plain data. */
export interface DecodeJob {
  format: FormatId;
  /** The format's own options. */
  options: object;
  /** True for a message of a connection that keeps no records: the key `KEPT` of its options is not sent. */
  isMessage?: boolean | undefined;
  /** Id of a schema registered with this worker. */
  schema: number | undefined;
  limits: Limits;
  /** Compression of the input. */
  compression?: 'zstd' | undefined;
  /** Set if the items of a list are to be sent in batches. */
  batches?: BatchSetting | undefined;
  /** Nested records of lists may be sent as raw bytes: see `ColumnSinkOptions.raw`. */
  raw?: boolean | undefined;
  /** Options that change which values are made. */
  shaping?: Shaping | undefined;
  /** Set if the result is JSON text, in pieces, instead of a block. */
  text?: JsonTextOptions | undefined;
}

/** How the items of a list are split into batches. */
export interface BatchSetting {
  /** Keys from the root to the list. */
  path: readonly string[];
  /** Items of each batch except the last; undefined to let the worker choose, guided by `BatchCredit`. */
  items: number | undefined;
}

/** Lets the worker decode one more batch. It may decode `BATCHES_AHEAD` before the first credit. */
export interface BatchCredit {
  /** Recommended number of items. */
  items: number;
}

/** Calls that a worker answers. */
export interface WorkerService {
  /**
   * The first call. Takes the named Web Lock for the worker's lifetime: the page requests the same lock and so learns
   * of the worker's end. Resolves to whether it holds the lock; false if there are no locks or no name was given.
   * `kernel` controls whether row kernels are compiled: always, never or, if left out, when the policy allows it.
   */
  start(lock: string | undefined, kernel?: boolean): Promise<boolean>;
  /** True if the worker has row kernels. Resolves once that is known. */
  hasKernels(): Promise<boolean>;
  /** Answers, which shows that the worker is alive. */
  ping(): void;
  /** Keeps a compiled schema for the worker's lifetime. */
  registerSchema(id: number, compiled: unknown): void;
  /** Starts loading code from its file. Called before the first job that needs it; built-in code has no file. */
  registerCode(name: CodeName, url: string): void;
  /** Loads the code of formats ahead of their payloads. Rejects if some of it fails to load. */
  prepare(formats: readonly FormatId[]): Promise<void>;
  /** Starts a decode, whose messages use `port`. Without `bytes`, the input arrives as chunks. */
  decode(job: DecodeJob, port: InstanceType<typeof MessagePort>, bytes?: Uint8Array<ArrayBuffer>): void;
}

/** Messages from the page about one decode. */
export type ToWorker =
  /** The next bytes of the input, transferred. */
  | { kind: 'chunk'; bytes: Uint8Array<ArrayBuffer> }
  /** No more chunks follow. */
  | { kind: 'end' }
  /** No more chunks follow, although the input has not ended: complete items are still wanted. */
  | { kind: 'failed' }
  /** The result is no longer wanted. The outcome is still sent, so the page knows when the worker is free. */
  | { kind: 'cancel' }
  | ({ kind: 'credit' } & BatchCredit);

/** Messages from the worker about one decode. */
export type ToPage =
  /** A part of the result, or a piece of its text, transferred. */
  | { kind: 'part'; part: ArrayBuffer }
  /** Number of chunks taken since the last message. */
  | { kind: 'taken'; chunks: number }
  | ({ kind: 'outcome' } & Outcome);

/** Chunks that the page may send ahead of those the worker has taken. */
export const CHUNKS_AHEAD = 4;

/** Batches that the worker may decode ahead of the page's credits. */
export const BATCHES_AHEAD = 3;

/** How a decode ended. */
export type Outcome = { stats: WorkerStats; error?: undefined } | { error: ErrorRecord; stats?: undefined };

/** Figures of one decode in the worker. */
export interface WorkerStats {
  /** Milliseconds of decoding, without pauses. */
  decodeMs: number;
  /**
   * Times at which the job arrived and the outcome was sent: milliseconds since the epoch, like
   * `performance.timeOrigin`.
   */
  arrived: number;
  sent: number;
  /** Bytes read, and bytes of all parts. */
  bytes: number;
  blockBytes: number;
  parts: number;
  /** Whether row kernels were available, and the number of records they read. */
  kernel: boolean;
  kernelRows: number;
}
