/** Source of a tape's ROWS, and of the result for a list of records. */
export interface RowSource {
  /** Appends objects of a table to a list. */
  append: (list: unknown[], table: number, first: number, count: number) => void;
  /** Returns a list that consists of one run of rows, in one go; undefined to build it item by item. */
  fromRun?(table: number, first: number, count: number): unknown;
  /**
   * Returns the result for a list of records whose entries begin at `position`, and the position after them. Undefined
   * to build it and pass it to `fromRecords`.
   */
  fromTape?(words: Int32Array, position: number, count: number): { value: unknown; end: number } | undefined;
  /** Returns the result for a list of records that was built. */
  fromRecords?(records: object[]): unknown;
  /** Converts the lists inside a record that `append` built, for a list that does not become rows. */
  convert?(record: unknown): void;
}
