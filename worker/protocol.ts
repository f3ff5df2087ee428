/**
 * What crosses between the page and a worker. Comlink carries the calls of `WorkerService`; with each call of `decode` goes
 * a port, over which the messages of that decode flow in both directions while it runs. Messages carry a `kind`. This file
 * imports only types.
 *
 *     page                                worker
 *      │ start(lock, kernel) ─────────────▶│  takes the lock for its life
 *      │ registerCode(name, url) ─────────▶│  once for all code that a decode needs and that is not built in
 *      │ registerSchema(id, compiled) ────▶│  once for each schema that a decode needs
 *      │ decode(job, port, bytes?) ───────▶│  sent at once, also while the worker's script still loads
 *      │ ToWorker: chunk… end │ failed ───▶│  chunks only where `bytes` was left out
 *      │           cancel, grant… ────────▶│  grants only where batches are asked for
 *      │◀─── ToPage: part…, taken…, outcome│  the outcome is the last message; then the page closes the port
 */

import type { CodeName } from './code.ts';
import type { ErrorRecord } from '../core/error-record.ts';
import type { FormatId } from '../core/formats/registry.ts';
import type { Limits } from '../core/limits.ts';
import type { JsonTextOptions } from '../core/sinks/json/values.ts';

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
  /** Nested records of lists may come as their bytes: see `ColumnSinkOptions.raw`. */
  raw?: boolean | undefined;
  /** The result is JSON text, in pieces, and no block. */
  text?: JsonTextOptions | undefined;
}

/** How the items of a list leave in batches. */
export interface BatchSetting {
  /** The keys from the root to the list. */
  path: readonly string[];
  /** Items of each batch but the last; undefined where the worker is to choose, as `BatchCredit` says. */
  items: number | undefined;
}

/** Lets the worker decode one more batch. Before the first, it may decode `BATCHES_AHEAD`. */
export interface BatchCredit {
  /** How many items are a good size. */
  items: number;
}

/** What a worker can do. */
export interface WorkerService {
  /**
   * The first call: takes the named Web Lock and never gives it back, so that the page, which asks for the same lock,
   * learns of the worker's end. Resolves to whether it has it; false where there are no locks or no name was given.
   * `kernel` tells whether row kernels are compiled: always, never or, when left out, where the policy allows it.
   */
  start(lock: string | undefined, kernel?: boolean): Promise<boolean>;
  /** Whether the worker has row kernels. Resolves when that is known. */
  hasKernels(): Promise<boolean>;
  /** Answers, to show that the worker lives. */
  ping(): void;
  /** Keeps the compiled form of a schema for the worker's life. */
  registerSchema(id: number, compiled: unknown): void;
  /** Begins to load code from its file. The first job that needs it comes after this; what is built in has no file. */
  registerCode(name: CodeName, url: string): void;
  /** Loads the code of formats ahead of the payloads that will need it. Rejects where some cannot be loaded. */
  prepare(formats: readonly FormatId[]): Promise<void>;
  /** Starts a decode, whose messages go over `port`. Without `bytes`, they come as chunks. */
  decode(job: DecodeJob, port: MessagePort, bytes?: Uint8Array<ArrayBuffer>): void;
}

/** What the page says of one decode. */
export type ToWorker =
  /** The next bytes of the input, transferred. */
  | { kind: 'chunk'; bytes: Uint8Array<ArrayBuffer> }
  /** No more chunks come. */
  | { kind: 'end' }
  /** No more chunks come, though the input has not ended: what is whole is still wanted. */
  | { kind: 'failed' }
  /** The result is no longer wanted. The outcome still comes, so that the page knows that the worker is free. */
  | { kind: 'cancel' }
  | ({ kind: 'credit' } & BatchCredit);

/** What the worker says of one decode. */
export type ToPage =
  /** A part of the result, or a piece of its text, transferred. */
  | { kind: 'part'; part: ArrayBuffer }
  /** So many more chunks were taken. */
  | { kind: 'taken'; chunks: number }
  | ({ kind: 'outcome' } & Outcome);

/** How many chunks the page may send ahead of those the worker has taken. */
export const CHUNKS_AHEAD = 4;

/** How many batches the worker may decode ahead of those that the page has granted. */
export const BATCHES_AHEAD = 3;

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
  /** Whether there were row kernels for it, and how many records they have read. */
  kernel: boolean;
  kernelRows: number;
}
