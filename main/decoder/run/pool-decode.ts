import type { DecodeJob, WorkerStats } from '../../../worker/protocol.ts';
import type { Materialiser } from '../../rows/materialise.ts';
import type { Pool } from '../../pool/pool.ts';
import type { CompiledSchema, WorkerInput, WorkerTask } from '../../pool/task.ts';
import type { DecodeReport } from '../observe.ts';
import type { Operation } from '../operation.ts';

/** One decode by the pool: what goes to a worker, and what becomes of the parts that come back. */
export class PoolDecode implements WorkerTask {
  readonly input: WorkerInput;
  readonly job: DecodeJob;
  readonly schema: CompiledSchema | undefined;
  readonly #operation: Operation;
  readonly #materialiser: Materialiser;
  readonly #created = performance.now();
  /** Milliseconds of steps that were taken. */
  readonly #times: Pick<DecodeReport, 'queueMs' | 'transferMs' | 'decodeMs' | 'kernel'> = { queueMs: 0, transferMs: 0, decodeMs: 0, kernel: false };
  #posted = 0;
  #resolve!: (value: unknown) => void;
  #reject!: (error: unknown) => void;

  constructor(
    input: WorkerInput,
    { job, schema }: { job: DecodeJob; schema: CompiledSchema | undefined },
    operation: Operation,
    materialiser: Materialiser,
  ) {
    this.input = input;
    this.job = job;
    this.schema = schema;
    this.#operation = operation;
    this.#materialiser = materialiser;
  }

  /** Has the pool do it. Resolves to the result. */
  run(pool: Pool): Promise<unknown> {
    const { signal } = this.#operation;
    this.#operation.measure(() => ({
      ...this.#times,
      ...this.#materialiser.stats,
      mainMs: this.#materialiser.stats.materialiseMs,
      workerStartMs: pool.startMs ?? 0,
    }));
    signal.addEventListener('abort', () => {
      pool.cancel(this);
      this.input.cancel(signal.reason);
      this.#reject(signal.reason);
    });
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      pool.submit(this);
    });
  }

  started(): void {
    this.#posted = performance.now();
    this.#times.queueMs = this.#posted - this.#created;
    this.#operation.enter('decoding');
  }

  part(part: ArrayBuffer): void {
    if (this.#operation.settled) return;
    try {
      this.#materialiser.push(part);
    } catch (error) {
      this.fail(error);
    }
  }

  end({ arrived, sent, decodeMs, kernelRows }: WorkerStats): void {
    if (this.#operation.settled) return;
    const origin = performance.timeOrigin;
    const there = arrived - origin - this.#posted;
    const back = performance.now() + origin - sent;
    this.#times.transferMs = Math.max(0, there) + Math.max(0, back);
    this.#times.decodeMs = decodeMs;
    this.#times.kernel = kernelRows > 0;
    this.#operation.enter('building');
    this.#materialiser.done().then(this.#resolve, this.#reject);
  }

  fail(error: unknown): void {
    this.#reject(error);
  }
}
