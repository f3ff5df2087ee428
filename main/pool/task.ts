import type { DecodeJob, WorkerStats } from '../../worker/protocol.ts';

/** The bytes of a task, as they are sent to a worker. */
export interface WorkerInput {
  /** Size in bytes, as far as it is known: the pool chooses workers by it. */
  readonly size: number;
  /**
   * The whole payload in a buffer that may be transferred with the call. Undefined if the bytes come by `next`.
   */
  whole?(): Uint8Array<ArrayBuffer> | undefined;
  /**
   * True if `whole` returns the caller's own buffer: it is sent only to a worker that has started, so that it is not lost with
   * one that fails to load.
   */
  readonly notRetryable?: boolean | undefined;
  /** The next chunk, whose buffer is transferred; undefined after the last. */
  next(): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Stops reading: no more bytes are wanted. */
  cancel(reason: unknown): void;
}

/** A compiled schema, which is sent to each worker once. */
export interface CompiledSchema {
  readonly id: number;
  readonly compiled: unknown;
}

/** The call of a worker's service that starts a task. */
export interface DecodeService {
  /** `WorkerService.decode`, whose answer is awaited. */
  decode(job: DecodeJob, port: InstanceType<typeof MessagePort>, bytes?: Uint8Array<ArrayBuffer>): Promise<void>;
}

/** A decode for a worker. After `end` or `fail`, no method is called. */
export interface WorkerTask {
  readonly job: DecodeJob;
  readonly input: WorkerInput;
  /** The compiled schema that `job.schema` names. */
  readonly schema: CompiledSchema | undefined;
  /** Called when the task is sent to a worker. */
  started(): void;
  /** Called with each part of the result. */
  part(part: ArrayBuffer): void;
  /** Called after the last part. */
  end(stats: WorkerStats): void;
  /** Called if the task fails. */
  fail(error: unknown): void;
}
