import { FREE_VALUES, type Limits } from './limits.ts';

/** Bytes that a value which a record has stands for, as in JSON with its key. */
const VALUE_BYTES = 8;

/**
 * Limits the cells without a value in tables, by the allowance of a `Budget`. A table has a cell for each key in each row, so that
 * records with few keys each, but many in total, make far more cells than they have values.
 */
export class EmptyCells {
  /** See `Limits.expansion`. */
  readonly expansion: number;
  #left = FREE_VALUES;

  constructor({ expansion }: Limits) {
    this.expansion = expansion;
  }

  /** Counts values that the records have, null included. */
  found(values: number): void {
    this.#left += values * VALUE_BYTES * this.expansion;
  }

  /** Charges cells before they are made. Returns false if they are more than the values allow. */
  take(cells: number): boolean {
    this.#left -= cells;
    return this.#left >= 0;
  }
}
