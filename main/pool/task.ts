import type { DecodeJob, WorkerStats } from '../../worker/protocol.ts';

/** The bytes of a task as a worker gets them. */
export interface WorkerInput {
  /** How many bytes come in all, as far as that is known: workers are chosen by it. */
  readonly size: number;
  /**
   * The whole payload in a buffer that may be transferred away, to go with the call. Undefined where the bytes come by
   * `next`.
   */
  whole?(): Uint8Array<ArrayBuffer> | undefined;
  /**
   * The bytes of `whole` are the caller's own buffer, given away: it goes to a worker only when that has started, so that
   * it is not lost with one that cannot be loaded.
   */
  readonly notRetryable?: boolean | undefined;
  /** The next chunk, whose buffer is transferred; undefined after the last. */
  next(): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** No more is wanted. */
  cancel(reason: unknown): void;
}

/** A schema as workers keep it: each gets it once. */
export interface CompiledSchema {
  readonly id: number;
  readonly compiled: unknown;
}

/** A decode that a worker is to do. After `end` or `fail`, nothing more comes. */
export interface WorkerTask {
  readonly job: DecodeJob;
  readonly input: WorkerInput;
  /** The compiled schema that `job.schema` names. */
  readonly schema: CompiledSchema | undefined;
  /** The task was given to a worker. */
  started(): void;
  /** A part of the result. */
  part(part: ArrayBuffer): void;
  /** All parts have come. */
  end(stats: WorkerStats): void;
  /** The task failed. */
  fail(error: unknown): void;
}
