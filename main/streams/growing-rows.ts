import type { Batches } from './batches.ts';
import { RunList } from '../rows/row-list.ts';
import { Rows } from '../rows/rows.ts';

/** Called after rows were added, with all rows and the number of new ones. */
export type RowsListener<T = unknown> = (rows: GrowingRows<T>, added: number) => void;

/** State of growing rows, for views. It never changes: rows that grow, end or fail get another one. */
export interface RowsSnapshot<T = unknown> {
  /** The rows themselves, which may have grown since. */
  readonly rows: GrowingRows<T>;
  /** Number of rows. */
  readonly length: number;
  /** True once all rows have arrived. */
  readonly complete: boolean;
  /** The error that ended the payload; undefined if no error has occurred. */
  readonly error: unknown;
}

/** `Rows` that grow while the payload arrives. Reading them returns the records received so far. */
export class GrowingRows<T = unknown> extends Rows<T> {
  /**
   * Resolves to these rows once they are complete. Rejects with the errors that `decode` rejects with; rows received
   * before the error are kept.
   */
  readonly done: Promise<this>;
  /**
   * Calls `listener` whenever the snapshot has changed, until the returned function is called. With `getSnapshot`, it fits
   * React's `useSyncExternalStore`; both need no receiver.
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
  #snapshot: RowsSnapshot<T>;

  /** @internal Created by `decoder.growingRows`. */
  constructor(batches: Batches<Rows<T>>, first: Rows<T> | undefined, onRows: RowsListener<T> | undefined) {
    super(new RunList([]));
    if (first) this.append(first);
    this.#snapshot = this.#state(false);
    this.done = this.#grow(batches, onRows);
    // Callers that ignore `done` need no unhandled rejection.
    this.done.catch((error: unknown) => this.#change(false, error));
  }

  /** True once all rows have arrived. */
  get complete(): boolean {
    return this.#snapshot.complete;
  }

  async #grow(batches: Batches<Rows<T>>, onRows: RowsListener<T> | undefined): Promise<this> {
    // Runs later, so that the caller has the rows by then.
    await Promise.resolve();
    if (this.length > 0) onRows?.(this, this.length);
    for await (const batch of batches) {
      this.append(batch);
      this.#change(false);
      onRows?.(this, batch.length);
    }
    this.#change(true);
    return this;
  }

  #state(complete: boolean, error?: unknown): RowsSnapshot<T> {
    return Object.freeze({ rows: this, length: this.length, complete, error });
  }

  /** Makes another snapshot, and tells the listeners. */
  #change(complete: boolean, error?: unknown): void {
    this.#snapshot = this.#state(complete, error);
    for (const listener of this.#listeners) listener();
  }
}
