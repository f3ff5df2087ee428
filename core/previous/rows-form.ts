/** A list of records that are built when they are read: `Rows`, by the methods that a comparison needs. */
export interface RowsList<T = unknown> {
  readonly length: number;
  at(index: number): T | undefined;
  /** The same rows as another list. */
  slice(): RowsList<T>;
}

/** A new item of `Rows`, which earlier ones have indices for. */
export class NewRow {
  readonly item: unknown;

  constructor(item: unknown) {
    this.item = item;
  }
}

/** Makes the form of values whose outermost lists of records are `Rows`. */
export interface RowsForm {
  isRows(value: unknown): value is RowsList;
  /** Gives a new value the form. Modifies it. */
  convert(value: unknown): unknown;
  /** The records of rows as a new array. */
  records(rows: RowsList): unknown[];
  /** Rows of new records. */
  rowsOf(records: unknown[]): RowsList;
  /**
   * Rows of earlier records, given by their index in `before`, and of `NewRow`s. Undefined if the list has another form by the
   * values of its items, or if it would have too many parts.
   */
  join(before: RowsList, items: readonly (number | NewRow)[]): RowsList | undefined;
}
