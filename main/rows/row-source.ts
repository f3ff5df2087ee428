// Between a tape and the tables whose rows it refers to.
import type { Block, ColumnData, Group, TableData } from './block.ts';

/** Builds rows of tables as objects. */
export interface BuildsRows {
  /** The block that has the tables. */
  readonly block: Block;
  /** How many rows of a group from `from` on to build in one go. */
  chunk(group: Group, from: number): number;
  /** Objects for `from..to` of a group. */
  build(group: Group, from: number, to: number): object[];
  /** The values of a column in `from..to` of its group; undefined where absent. */
  values(group: Group, column: ColumnData, from: number, to: number): ArrayLike<unknown>;
}

/** Some consecutive rows of one table, as a part of a list. */
export interface Run {
  table: TableData;
  first: number;
  count: number;
  /** Builds its records; undefined where they are objects already. */
  builder: BuildsRows | undefined;
}

/** Where a tape's ROWS come from, and what a list of records becomes. */
export interface RowSource {
  /** Appends objects of a table to a list. */
  append: (list: unknown[], table: number, first: number, count: number) => void;
  /**
   * A list whose only entry is one run of rows, in one go; undefined to have it built item by item.
   */
  whole?(table: number, first: number, count: number): unknown;
  /**
   * What takes the place of a list of records whose entries begin at `position`, and where they end. Undefined to have
   * it built and then given to `listed`.
   */
  list?(words: Int32Array, position: number, count: number): { value: unknown; end: number } | undefined;
  /** What takes the place of a list of records that was built. */
  listed?(records: object[]): unknown;
  /** Gives the lists in a record their form: in one that `append` has built for a list whose items are not all records. */
  form?(record: unknown): void;
}
