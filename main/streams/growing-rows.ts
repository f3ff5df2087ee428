import type { FormatId } from '../../core/format/format-id.ts';
import type { BatchSettings, FormatChoice } from '../call/options/options.ts';
import type { Batches } from './batches.ts';
import { Rows } from '../rows/rows.ts';
import { RowWindow } from './row-window.ts';

/** Called after rows were added, with all rows and the number of new ones, which are the last. */
export type RowsListener<T = unknown> = (rows: GrowingRows<T>, added: number) => void;

/** How one payload is decoded into rows that grow. */
export type GrowingRowsOptions<T = unknown, F extends FormatId = FormatId> = Omit<BatchSettings, 'as'> &
  FormatChoice<F> & {
    /**
     * Called whenever rows arrive, at least a few times a second, for example to update a table. An error that it throws is
     * reported as uncaught, and the rows go on.
     */
    onRows?: RowsListener<T> | undefined;
    /**
     * Number of rows to keep, for a payload without an end: the oldest are dropped. A row's memory goes with that of the batch it
     * arrived in. Default: all.
     */
    keep?: number | undefined;
  };

/** State of growing rows, for views. It never changes: rows that grow, end or fail get another one. */
export interface RowsSnapshot<T = unknown> {
  /** The rows themselves, which may have grown since. */
  readonly rows: GrowingRows<T>;
  /** Number of rows. */
  readonly length: number;
  /** Number of rows that were dropped, with `keep`: the row at an index was the one at `dropped + index` of the list. */
  readonly dropped: number;
  /** True once all rows have arrived. */
  readonly complete: boolean;
  /** The error that ended the payload; undefined if no error has occurred. */
  readonly error: unknown;
}

/**
 * `Rows` that grow while the payload arrives. Reading them returns the records received so far; with `keep`, the last of them. A
 * row that is dropped moves the indices of the others, which stay the same objects. Results of `slice`, `filter` and the like
 * keep their rows.
 */
export class GrowingRows<T = unknown> extends Rows<T> {
  /**
   * Resolves to these rows once they are complete. Rejects with the errors that `decode` rejects with; rows received
   * before the error are kept.
   */
  readonly done: Promise<this>;
  /**
   * Calls `listener` whenever the snapshot has changed, until the returned function is called. An error that it throws is
   * reported as uncaught, and the rows go on. With `getSnapshot`, it fits React's `useSyncExternalStore`; both need no receiver.
   *
   * @example
   * const { length, complete } = useSyncExternalStore(trips.subscribe, trips.getSnapshot);
   */
  readonly subscribe = (listener: () => void): (() => void) => {
    // A function of its own, so that a listener can be added twice.
    const call = (): void => listener();
    this.#listeners.add(call);
    return () => void this.#listeners.delete(call);
  };
  /** The state of the rows: the same object until they change. */
  readonly getSnapshot = (): RowsSnapshot<T> => this.#snapshot;
  readonly #listeners = new Set<() => void>();
  readonly #window: RowWindow;
  #snapshot: RowsSnapshot<T>;

  /** @internal Created by `decoder.growingRows`. */
  constructor(batches: Batches<Rows<T>>, first: Rows<T> | undefined, onRows: RowsListener<T> | undefined, keep = Infinity) {
    if (!(keep >= 1 && (Number.isInteger(keep) || keep === Infinity))) {
      void batches.return();
      throw new TypeError(`invalid option keep: ${String(keep)}; expected a whole number from 1`);
    }
    const window = new RowWindow(keep);
    super(window);
    this.#window = window;
    const added = first ? this.#add(first) : 0;
    this.#snapshot = this.#state(false);
    this.done = this.#grow(batches, added, onRows);
    // Callers that ignore `done` need no unhandled rejection.
    this.done.catch((error: unknown) => this.#change(false, error));
  }

  /** True once all rows have arrived. */
  get complete(): boolean {
    return this.#snapshot.complete;
  }

  /** Number of rows that were dropped, with `keep`. */
  get dropped(): number {
    return this.#window.dropped;
  }

  async #grow(batches: Batches<Rows<T>>, first: number, onRows: RowsListener<T> | undefined): Promise<this> {
    // Runs later, so that the caller has the rows by then.
    await Promise.resolve();
    if (first > 0) callListener(() => onRows?.(this, first));
    for await (const batch of batches) {
      const added = this.#add(batch);
      this.#change(false);
      callListener(() => onRows?.(this, added));
    }
    this.#change(true);
    return this;
  }

  /** Appends rows, and drops the oldest. Returns the number of new ones that are kept. */
  #add(batch: Rows<T>): number {
    this.append(batch);
    this.#window.trim();
    return Math.min(batch.length, this.length);
  }

  #state(complete: boolean, error?: unknown): RowsSnapshot<T> {
    return Object.freeze({ rows: this, length: this.length, dropped: this.dropped, complete, error });
  }

  /** Makes another snapshot, and tells the listeners. */
  #change(complete: boolean, error?: unknown): void {
    this.#snapshot = this.#state(complete, error);
    for (const listener of this.#listeners) callListener(listener);
  }
}

/** Calls a listener. An error that it throws is uncaught, and keeps neither other listeners nor the rows from going on. */
function callListener(listener: () => void): void {
  try {
    listener();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
