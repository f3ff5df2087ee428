import { DecodeError } from '../../core/errors.ts';
import type { FormatId } from '../../core/format/format-id.ts';
import type { Operation } from '../call/operation.ts';
import { rowsOf } from '../rows/form.ts';
import { nextTask } from '../../core/platform/platform.ts';

/** Factor by which the next batch may grow or shrink. */
const MAX_STEP = 4;
const MIN_MS = 0.05;
/** Target time of building a batch, in milliseconds: with the loop's own work, about 5. */
const BUILD_MS = 4;

/** Batches that may wait to be taken before the decode pauses. */
export const MAX_WAITING = 2;

/** Items of a list that are emitted together. */
export interface RawBatch {
  readonly items: number;
  /** Builds the batch: `Rows`, columns, or an array if some items have no place in these. */
  build(): Promise<unknown>;
  /** Milliseconds spent on building so far. */
  spent(): number;
}

/** Source of a feed's batches. */
export interface BatchSupply {
  /** Called after a batch was taken; `items` is the suggested size of a later one. */
  taken(items: number): void;
  /** Resolves to the document around the list, with the list left empty. Called after the last batch. */
  rest(): Promise<unknown>;
}

/** Batches as a loop takes them. */
export type Feed = Pick<BatchFeed, 'next' | 'rest'>;

/** Queue of batches between the decode and the loop. */
export class BatchFeed {
  readonly #operation: Operation;
  readonly #supply: BatchSupply;
  /** Target time of building a batch, in milliseconds. */
  readonly #buildMs: number;
  readonly #queue: RawBatch[] = [];
  #end: { error?: unknown; failed: boolean } | undefined;
  #wake: (() => void) | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  /** True once a batch was emitted. */
  #begun = false;

  constructor(operation: Operation, supply: BatchSupply, buildMs = BUILD_MS) {
    this.#operation = operation;
    this.#supply = supply;
    this.#buildMs = buildMs;
    const { signal } = operation;
    signal.addEventListener('abort', () => {
      // The operation already ended with this error, after the last valid batch.
      if (this.#end?.failed && this.#end.error === signal.reason) return;
      this.#queue.length = 0;
      this.#end = { error: signal.reason, failed: true };
      this.#wake?.();
    });
  }

  /** Number of batches waiting to be taken. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** True if no more batches are accepted. */
  get over(): boolean {
    return this.#end !== undefined;
  }

  /** Adds a batch. */
  push(batch: RawBatch): void {
    if (this.over) return;
    this.#queue.push(batch);
    this.#wake?.();
  }

  /** Ends the feed. */
  end(): void {
    this.#end ??= { failed: false };
    this.#wake?.();
  }

  /** Ends the feed with an error, which is thrown after the remaining batches. */
  fail(error: unknown): void {
    this.#end ??= { error, failed: true };
    this.#wake?.();
  }

  /** Resolves to the next batch, built; undefined after the last. Concurrent calls are answered in order. */
  next(): Promise<{ value: unknown } | undefined> {
    const next = this.#turn.then(() => this.#next());
    // Holding the promise of a batch would keep the batch in memory until the next one.
    const over = (): void => {};
    this.#turn = next.then(over, over);
    return next;
  }

  /** Resolves to the document around the list, with the list left empty. */
  async rest(): Promise<unknown> {
    await this.#turn;
    if (this.#queue.length > 0 || !this.#end) throw new TypeError('the rest of the payload is only known after the last batch');
    if (this.#end.failed) throw this.#end.error;
    return this.#supply.rest();
  }

  async #next(): Promise<{ value: unknown } | undefined> {
    // Each iteration of the loop runs in a task of its own, even if several batches are ready.
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
      const fit = this.#buildMs / Math.max(batch.spent(), MIN_MS);
      this.#supply.taken(Math.max(1, Math.round(batch.items * Math.min(Math.max(fit, 1 / MAX_STEP), MAX_STEP))));
      return { value };
    } catch (error) {
      this.#operation.reject(error);
      throw error;
    }
  }
}

/** Error for a payload without the requested list. */
export function noList(format: FormatId, path: readonly string[]): DecodeError {
  const where = path.length > 0 ? 'at the path' : 'at the root: set the option path to its keys';
  return new DecodeError('no-list', `there is no list ${where}`, { format, path: [...path] });
}
