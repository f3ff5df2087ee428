import type { Operation } from '../decoder/operation.ts';
import { rowsOf } from '../rows/form.ts';
import { nextTask } from '../slicing/slicer.ts';

/** A slow machine's batch may be a quarter, or four times, of what the next one should be. */
const MOST_STEP = 4;
const LEAST_MS = 0.05;
/** Milliseconds that building a batch should take: with what else a step of the loop does, 5. */
const BUILD_MS = 4;

/** Batches that may wait to be taken, where the decode can be held back at any time. */
export const MOST_WAITING = 2;

/** The items of a list that go out together. */
export interface RawBatch {
  readonly items: number;
  /** Builds them: `Rows`, columns, or an array, which those become whose items are not all records. */
  build(): Promise<unknown>;
  /** Milliseconds that building has taken so far. */
  spent(): number;
}

/** Where the batches of a feed come from. */
export interface BatchSupply {
  /** A batch was taken, and so many items are right for a later one. */
  taken(items: number): void;
  /** What lies around the list, with an empty list in its place. All batches have come. */
  rest(): Promise<unknown>;
}

/** Batches between the decode that makes them and the loop that takes them. */
export class BatchFeed {
  readonly #operation: Operation;
  readonly #supply: BatchSupply;
  /** Milliseconds that building one should take. */
  readonly #buildMs: number;
  readonly #queue: RawBatch[] = [];
  #end: { error?: unknown; failed: boolean } | undefined;
  #wake: (() => void) | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  /** A batch was given out. */
  #begun = false;

  constructor(operation: Operation, supply: BatchSupply, buildMs = BUILD_MS) {
    this.#operation = operation;
    this.#supply = supply;
    this.#buildMs = buildMs;
    const { signal } = operation;
    signal.addEventListener('abort', () => {
      // What is thrown after the last good batch has ended the operation by itself.
      if (this.#end?.failed && this.#end.error === signal.reason) return;
      this.#queue.length = 0;
      this.#end = { error: signal.reason, failed: true };
      this.#wake?.();
    });
  }

  /** How many batches wait to be taken. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** No more batches are taken in. */
  get over(): boolean {
    return this.#end !== undefined;
  }

  /** Takes a batch in. */
  push(batch: RawBatch): void {
    if (this.over) return;
    this.#queue.push(batch);
    this.#wake?.();
  }

  /** No more batches come. */
  end(): void {
    this.#end ??= { failed: false };
    this.#wake?.();
  }

  /** No more batches come: what is thrown after those that are there. */
  fail(error: unknown): void {
    this.#end ??= { error, failed: true };
    this.#wake?.();
  }

  /** The next batch, built; undefined after the last. Calls are answered in their order. */
  next(): Promise<{ value: unknown } | undefined> {
    const next = this.#turn.then(() => this.#next());
    // Not the batch itself, which would be kept until the next one.
    const over = (): void => {};
    this.#turn = next.then(over, over);
    return next;
  }

  /** What lies around the list. */
  async rest(): Promise<unknown> {
    await this.#turn;
    if (this.#queue.length > 0 || !this.#end) throw new TypeError('the rest of the payload is only known after the last batch');
    if (this.#end.failed) throw this.#end.error;
    return this.#supply.rest();
  }

  async #next(): Promise<{ value: unknown } | undefined> {
    // What the loop does with a batch is a task of its own, however many are there.
    if (this.#begun) await nextTask();
    this.#begun = true;
    while (this.#queue.length === 0 && !this.#end) await new Promise<void>((resolve) => (this.#wake = resolve));
    const batch = this.#queue.shift();
    if (!batch) {
      if (this.#end!.failed) {
        this.#operation.reject(this.#end!.error);
        throw this.#end!.error;
      }
      this.#operation.resolve(undefined);
      return undefined;
    }
    try {
      const built = await batch.build();
      const value = this.#operation.report.as === 'rows' && Array.isArray(built) ? rowsOf(built) : built;
      const fit = this.#buildMs / Math.max(batch.spent(), LEAST_MS);
      this.#supply.taken(Math.max(1, Math.round(batch.items * Math.min(Math.max(fit, 1 / MOST_STEP), MOST_STEP))));
      return { value };
    } catch (error) {
      this.#operation.reject(error);
      throw error;
    }
  }
}
