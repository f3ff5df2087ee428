import type { DecodeJob, WorkerStats } from '../../worker/protocol.ts';
import { DecodeError } from '../../worker/errors.ts';
import type { DecodeReport } from '../decoder/observe.ts';
import type { Pool } from '../pool/pool.ts';
import type { ChunkInput, WorkerTask } from '../pool/call.ts';
import type { Assembler } from './assembler.ts';
import type { BatchFeed } from './feed.ts';

const NO_BYTES = new Uint8Array(0);

/** A payload that a worker decodes into batches. */
export class PoolBatches implements WorkerTask {
  readonly bytes = NO_BYTES;
  readonly own = true;
  readonly job: DecodeJob;
  readonly input: ChunkInput;
  readonly schema: WorkerTask['schema'];
  readonly #pool: Pool;
  readonly #feed: BatchFeed;
  readonly #assembler: Assembler;
  readonly #report: DecodeReport;
  readonly #created = performance.now();

  constructor(
    job: DecodeJob,
    input: ChunkInput,
    schema: WorkerTask['schema'],
    { pool, feed, assembler, report }: { pool: Pool; feed: BatchFeed; assembler: Assembler; report: DecodeReport },
  ) {
    this.job = job;
    this.input = input;
    this.schema = schema;
    this.#pool = pool;
    this.#feed = feed;
    this.#assembler = assembler;
    this.#report = report;
    feed.taken = (items) => pool.grant(this, { items });
  }

  submit(): void {
    this.#pool.submit(this);
  }

  /** Nothing is wanted any more. */
  stop(reason: unknown): void {
    this.#pool.cancel(this);
    this.input.cancel(reason);
    this.#feed.abandon(reason);
  }

  started(): void {
    this.#report.queueMs += performance.now() - this.#created;
  }

  part(part: ArrayBuffer): void {
    this.#feed.push(part);
  }

  end({ decodeMs }: WorkerStats): void {
    this.#report.decodeMs = decodeMs;
    if (this.#assembler.found) this.#feed.end();
    else this.fail(noList(this.job));
  }

  fail(error: unknown): void {
    this.input.cancel(error);
    this.#feed.fail(error);
  }
}

/** The error for a payload without the list that was asked for. */
export function noList({ format, batches }: Pick<DecodeJob, 'format' | 'batches'>): DecodeError {
  const path = [...batches!.path];
  const where = path.length > 0 ? 'at that path' : 'at the root: name its keys with the option path';
  return new DecodeError('no-list', `there is no list ${where}`, { format, path });
}
