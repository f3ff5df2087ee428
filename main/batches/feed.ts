import { nextTask } from '../slicing/slicer.ts';
import type { Operation } from '../decoder/operation.ts';
import type { Assembler, RawBatch } from './assembler.ts';

/** A slow machine's batch may be a quarter, or four times, of what the next one should be. */
const MOST_STEP = 4;
const LEAST_MS = 0.05;
/** Milliseconds that building a batch should take: with what else a step of the loop does, 5. */
const BUILD_MS = 4;

/** Batches that may wait to be taken, where they are made on this thread. */
export const MOST_WAITING = 2;

/** Batches between the decode that makes them and the loop that takes them. */
export class BatchFeed {
  /** Called when a batch is taken, with the number of items that is right for one. */
  taken: (items: number) => void = () => {};
  /** Called when nothing is wanted any more. */
  left: () => void = () => {};
  readonly #operation: Operation;
  readonly #assembler: Assembler;
  /** Milliseconds that building one should take. */
  readonly #buildMs: number;
  readonly #queue: RawBatch[] = [];
  #end: { error?: unknown; failed: boolean } | undefined;
  #wake: (() => void) | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  /** A batch was given out. */
  #begun = false;

  constructor(operation: Operation, assembler: Assembler, buildMs = BUILD_MS) {
    this.#operation = operation;
    this.#assembler = assembler;
    this.#buildMs = buildMs;
  }

  /** How many batches wait to be taken. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** No more parts are taken. */
  get over(): boolean {
    return this.#end !== undefined;
  }

  /** Takes a part of the block. */
  push(part: ArrayBuffer): void {
    if (this.over) return;
    const batch = this.#assembler.push(part);
    if (batch) this.#queue.push(batch);
    this.#wake?.();
  }

  /** No more parts come. */
  end(): void {
    this.#end ??= { failed: false };
    this.#wake?.();
  }

  /** No more parts come: what is thrown after the batches that are there. */
  fail(error: unknown): void {
    this.#end ??= { error, failed: true };
    this.#wake?.();
  }

  /** Nothing is wanted any more: what is thrown at once. */
  abandon(error: unknown): void {
    this.#queue.length = 0;
    this.#end = { error, failed: true };
    this.#assembler.cancel(error);
    this.left();
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
    if (this.#queue.length > 0 || !this.#end) throw new TypeError('What lies around the list is known after the last batch');
    if (this.#end.failed) throw this.#end.error;
    return this.#assembler.rest();
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
      const value = await batch.build();
      const fit = this.#buildMs / Math.max(batch.spent(), LEAST_MS);
      this.taken(Math.max(1, Math.round(batch.items * Math.min(Math.max(fit, 1 / MOST_STEP), MOST_STEP))));
      return { value };
    } catch (error) {
      this.#operation.abandon(error);
      throw error;
    }
  }
}
