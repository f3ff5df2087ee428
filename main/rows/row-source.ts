// Interfaces between a tape and the tables that it refers to.
import type { Block, ColumnData, Group, TableData } from './block.ts';

/** Builds rows of tables as objects. */
export interface BuildsRows {
  /** Block that contains the tables. */
  readonly block: Block;
  /** Number of rows of a group from `from` on to build in one go. */
  chunk(group: Group, from: number): number;
  /** Builds the objects for `from..to` of a group. */
  build(group: Group, from: number, to: number): object[];
  /** Values of a column in `from..to` of its group; undefined if absent. */
  values(group: Group, column: ColumnData, from: number, to: number): ArrayLike<unknown>;
}

/** Consecutive rows of one table, as a part of a list. */
export interface Run {
  table: TableData;
  first: number;
  count: number;
  /** Builds the records; undefined if they are objects already. */
  builder: BuildsRows | undefined;
}

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
