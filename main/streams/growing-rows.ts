import type { Batches } from './batches.ts';
import { RunList } from '../rows/row-list.ts';
import { Rows } from '../rows/rows.ts';

/** Called after rows were added, with all rows and the number of new ones. */
export type RowsListener<T = unknown> = (rows: GrowingRows<T>, added: number) => void;

/** `Rows` that grow while the payload arrives. Reading them returns the records received so far. */
export class GrowingRows<T = unknown> extends Rows<T> {
  /**
   * Resolves to these rows once they are complete. Rejects with the errors that `decode` rejects with; rows received
   * before the error are kept.
   */
  readonly done: Promise<this>;
  #complete = false;

  /** @internal Created by `decoder.growingRows`. */
  constructor(batches: Batches<Rows<T>>, first: Rows<T> | undefined, onRows: RowsListener<T> | undefined) {
    super(new RunList([]));
    if (first) this.append(first);
    this.done = this.#grow(batches, onRows);
    // Callers that ignore `done` need no unhandled rejection.
    this.done.catch(() => {});
  }

  /** True once all rows have arrived. */
  get complete(): boolean {
    return this.#complete;
  }

  async #grow(batches: Batches<Rows<T>>, onRows: RowsListener<T> | undefined): Promise<this> {
    // Runs later, so that the caller has the rows by then.
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
