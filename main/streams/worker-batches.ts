import type { DecodeJob, WorkerStats } from '../../worker/protocol.ts';
import type { Operation } from '../call/operation.ts';
import type { Pool } from '../pool/pool.ts';
import type { CompiledSchema, WorkerInput, WorkerTask } from '../pool/task.ts';
import type { Assembler } from './assembler.ts';
import { type BatchFeed, type BatchSupply, noList } from './feed.ts';

/** Batches of a payload decoded by a worker. */
export class WorkerBatches implements WorkerTask, BatchSupply {
  readonly job: DecodeJob;
  readonly input: WorkerInput;
  readonly schema: CompiledSchema | undefined;
  readonly #pool: Pool;
  readonly #operation: Operation;
  readonly #assembler: Assembler;
  #feed!: BatchFeed;
  readonly #times = { queueMs: 0, decodeMs: 0, kernel: false };
  #created = 0;

  constructor(
    operation: Operation,
    pool: Pool,
    input: WorkerInput,
    { job, schema }: { job: DecodeJob; schema: CompiledSchema | undefined },
    assembler: Assembler,
  ) {
    this.#operation = operation;
    this.#pool = pool;
    this.input = input;
    this.job = job;
    this.schema = schema;
    this.#assembler = assembler;
  }

  /** Starts the decode in a worker. */
  begin(feed: BatchFeed): void {
    this.#feed = feed;
    this.#created = performance.now();
    this.#operation.measure(() => ({ ...this.#times, workerStartMs: this.#pool.startMs ?? 0 }));
    const { signal } = this.#operation;
    signal.addEventListener('abort', () => {
      this.#pool.cancel(this);
      this.#assembler.cancel(signal.reason);
    });
    this.#pool.submit(this);
  }

  taken(items: number): void {
    this.#pool.credit(this, { items });
  }

  rest(): Promise<unknown> {
    return this.#assembler.rest();
  }

  started(): void {
    this.#times.queueMs = performance.now() - this.#created;
  }

  part(part: ArrayBuffer): void {
    if (this.#feed.over) return;
    const batch = this.#assembler.push(part);
    if (batch) this.#feed.push(batch);
  }

  end({ decodeMs, kernelRows }: WorkerStats): void {
    this.#times.decodeMs = decodeMs;
    this.#times.kernel = kernelRows > 0;
    if (this.#assembler.found) this.#feed.end();
    else this.fail(noList(this.job.format, this.job.batches!.path));
  }

  fail(error: unknown): void {
    this.input.cancel(error);
    this.#feed.fail(error);
  }
}
