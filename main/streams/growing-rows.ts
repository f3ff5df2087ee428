import type { Batches } from './batches.ts';
import { Rows } from '../rows/rows.ts';

/** Called when rows were added: with all of them, and how many are new. */
export type RowsListener<T = unknown> = (rows: GrowingRows<T>, added: number) => void;

/**
 * `Rows` that grow while the payload arrives: whenever they are read, they have the records that have come so far.
 */
export class GrowingRows<T = unknown> extends Rows<T> {
  /**
   * Resolves to these rows when all have come. Rejects with what `decode` would reject with; the rows that have come stay.
   */
  readonly done: Promise<this>;
  /** No more rows come. */
  #complete = false;

  /** @internal Made by `decoder.rows`. */
  constructor(batches: Batches<Rows<T>>, first: Rows<T> | undefined, onRows: RowsListener<T> | undefined) {
    super([]);
    if (first) this.append(first);
    this.done = this.#grow(batches, onRows);
    // A caller that does not wait for the end need not hear of an error.
    this.done.catch(() => {});
  }

  /** Whether all rows have come. */
  get complete(): boolean {
    return this.#complete;
  }

  async #grow(batches: Batches<Rows<T>>, onRows: RowsListener<T> | undefined): Promise<this> {
    // In a later task, so that who has asked for the rows has them.
    await Promise.resolve();
    if (this.length > 0) onRows?.(this, this.length);
    for await (const batch of batches) {
      this.append(batch);
      onRows?.(this, batch.length);
    }
    this.#complete = true;
    return this;
  }
}
