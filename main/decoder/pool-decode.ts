import type { DecodeJob, WorkerStats } from '../../worker/protocol.ts';
import type { Materialiser } from '../materialise/index.ts';
import type { DecodeReport } from './observe.ts';
import type { Operation } from './operation.ts';
import type { Pool } from '../pool/pool.ts';
import type { Payload } from '../input/sources.ts';
import type { WorkerInput, WorkerTask } from '../pool/call.ts';

/** One decode by the pool: what goes to a worker, and what becomes of the parts that come back. */
export class PoolDecode implements WorkerTask {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly own: boolean;
  readonly input: WorkerInput | undefined;
  readonly job: DecodeJob;
  readonly schema: WorkerTask['schema'];
  readonly #operation: Operation;
  readonly #materialiser: Materialiser;
  readonly #report: DecodeReport;
  readonly #created = performance.now();
  #posted = 0;

  constructor(
    { bytes, own, input }: Omit<Payload, 'input'> & { input?: WorkerInput | undefined },
    job: DecodeJob,
    schema: WorkerTask['schema'],
    operation: Operation,
    materialiser: Materialiser,
    report: DecodeReport,
  ) {
    this.bytes = bytes;
    this.own = own;
    this.input = input;
    this.job = job;
    this.schema = schema;
    this.#operation = operation;
    this.#materialiser = materialiser;
    this.#report = report;
  }

  /** Queues it; from now on the operation can stop it. */
  submit(pool: Pool): void {
    if (this.input) this.input.rows = () => this.#materialiser.stats.rows;
    this.#operation.stop = (reason) => {
      pool.cancel(this);
      this.input?.cancel(reason);
      this.#materialiser.cancel(reason);
    };
    pool.submit(this);
  }

  started(): void {
    this.#posted = performance.now();
    this.#report.queueMs += this.#posted - this.#created;
  }

  part(part: ArrayBuffer): void {
    if (this.#operation.settled) return;
    try {
      this.#materialiser.push(part);
    } catch (error) {
      this.#operation.abandon(error);
    }
  }

  end({ arrived, sent, decodeMs, bytes }: WorkerStats): void {
    if (this.#operation.settled) return;
    const origin = performance.timeOrigin;
    const there = arrived - origin - this.#posted;
    const back = performance.now() + origin - sent;
    this.#report.transferMs = Math.max(0, there) + Math.max(0, back);
    this.#report.decodeMs = decodeMs;
    if (this.input) {
      this.#report.bytes = bytes;
      this.#report.readMs = (this.input.endedAt ?? performance.now()) - this.#report.startTime;
    }
    this.#operation.stop = (reason) => this.#materialiser.cancel(reason);
    this.#materialiser.done().then(
      (value) => {
        Object.assign(this.#report, this.#materialiser.stats);
        this.#operation.resolve(value);
      },
      (error: unknown) => this.#operation.reject(error),
    );
  }

  fail(error: unknown): void {
    this.input?.cancel(error);
    this.#operation.reject(error);
    this.#materialiser.cancel(error);
  }
}
