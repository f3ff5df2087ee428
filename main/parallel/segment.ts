import { WorkerCrashError } from '../../worker/errors.ts';
import type { DecodeJob, Splice, WorkerStats } from '../../worker/thread/protocol.ts';
import { copies, type MemoryBytes } from '../input/memory-input.ts';
import type { Materialiser } from '../materialise/index.ts';
import type { WorkerInput, WorkerTask } from '../pool/task.ts';

/** Where a segment lies in a payload. */
export interface Piece {
  id: number;
  start: number;
  end: number;
  /** How many of the payload's first bytes stand before it. */
  head: number;
}

/**
 * A piece of a payload that a worker decodes as items of a list, whether or not it is. What it gives is used only where
 * the worker that leads finds that it is right; an error in it is nobody's, since that worker then meets it itself.
 */
export class Segment implements WorkerTask {
  readonly job: DecodeJob;
  readonly schema: WorkerTask['schema'];
  readonly input: WorkerInput;
  readonly piece: Piece;
  /** What is to be said of it to the worker that leads; undefined where it cannot be used. */
  readonly found: Promise<Splice | undefined>;
  decodeMs = 0;
  #find!: (splice: Splice | undefined) => void;
  #over = false;
  readonly #materialiser: Materialiser;
  readonly #crashed: (error: WorkerCrashError) => void;

  /** `crashed` is called when the worker dies: the whole decode fails then. */
  constructor(
    source: MemoryBytes,
    piece: Piece,
    { job, schema }: { job: DecodeJob; schema: WorkerTask['schema'] },
    materialiser: Materialiser,
    crashed: (error: WorkerCrashError) => void,
  ) {
    this.job = job;
    this.schema = schema;
    this.piece = piece;
    this.#materialiser = materialiser;
    this.#crashed = crashed;
    this.found = new Promise((resolve) => (this.#find = resolve));
    const { start, end, head } = piece;
    const all = [copies(source, 0, head), copies(source, start, end)];
    this.input = {
      size: end - start,
      next: async () => all[0]!.next().value ?? all[1]!.next().value ?? undefined,
      cancel: () => {},
    };
  }

  started(): void {}

  part(part: ArrayBuffer): void {
    if (!this.#over) this.#materialiser.push(part);
  }

  end({ decodeMs, listEnd, tally }: WorkerStats): void {
    if (this.#over) return;
    this.decodeMs = decodeMs;
    const { list, references } = this.#materialiser;
    const { id, start, end } = this.piece;
    // Who refers to what is known in one block only.
    if (!tally || references || list.items === 0) return this.#settle(undefined);
    const skipped = { bytes: listEnd ?? end - start, ended: listEnd !== undefined, ...tally };
    this.#settle({ segment: id, count: list.items, records: list.records, ...skipped });
  }

  fail(error: unknown): void {
    if (error instanceof WorkerCrashError && !this.#over) this.#crashed(error);
    this.#settle(undefined);
  }

  /** It is not wanted. Returns whether the worker is at it still. */
  drop(): boolean {
    const running = !this.#over;
    this.#settle(undefined);
    return running;
  }

  #settle(splice: Splice | undefined): void {
    this.#over = true;
    this.#find(splice);
  }
}
