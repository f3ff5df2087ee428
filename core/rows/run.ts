import type { KeyedList } from '../values/record-list.ts';
import type { Block, ColumnData, Group, TableData } from './read-block.ts';

/** Reads the rows of groups: builds them as objects, and reads their columns. Comes with the code that opens blocks. */
export interface GroupReader {
  /** Block that contains the tables. */
  readonly block: Block;
  /** Number of rows of a group from `from` on to build in one go. */
  chunk(group: Group, from: number): number;
  /** Builds the objects for `from..to` of a group. */
  build(group: Group, from: number, to: number): object[];
  /** Values of a column in `from..to` of its group; undefined if absent. */
  values(group: Group, column: ColumnData, from: number, to: number): ArrayLike<unknown>;
  /** The record of a row: the same object as before, while that is alive. */
  record(group: Group, row: number): object;
  /** Records of a range: the same objects as before where these are alive. */
  records(group: Group, from: number, to: number): object[];
  /**
   * Index of the column of a key, −1 without one. Undefined if the records have to be built to read it: lazy rows, a key that
   * occurs twice, so that either column may have the value, and a path into the values of a column.
   */
  columnIndex(group: Group, path: string): number | undefined;
  /** Values of one key in a range, read from its column; undefined if the records have to be built. */
  part(group: Group, from: number, to: number, key: string, times: boolean | undefined): ColumnPart | undefined;
  /** Keys of a range's records, in order of occurrence. The table may have more, or in another order, for other lists. */
  keys(group: Group, from: number, to: number): Iterable<string>;
  /** Number of values in the columns of a range; undefined if the records have to be built. */
  countValues(group: Group, from: number, to: number): number | undefined;
  /** Reads single values of a segment's rows. */
  cells(segment: Segment): SegmentCells;
  /** Passes a segment's rows to predicates, by the row objects of `shared`, or new ones, which it adds. */
  rowsFor(segment: Segment, shared: Map<string, TableRow>): ReadsRow;
}

/** Consecutive rows of one table, as a part of a list. */
export interface Run {
  table: TableData;
  first: number;
  count: number;
  /** Builds the records; undefined if they are objects already. */
  builder: GroupReader | undefined;
}

/** Consecutive rows of a list that lie in one row group, or are objects already. */
export interface Segment {
  /** Positions of its rows in the list. */
  readonly first: number;
  readonly end: number;
  /** Row of the group, or index among the table's objects, at `first`. */
  readonly offset: number;
  readonly table: TableData;
  readonly group: Group | undefined;
  readonly builder: GroupReader | undefined;
}

/** Values of one key in a piece of a list. */
export interface ColumnPart {
  /** True if any record has the key. */
  readonly found: boolean;
  /** Kind of a column for these values if they are numbers; otherwise −1. */
  readonly kind: number;
  values(): ArrayLike<unknown>;
}

/** Reads the value of one column in a row of its segment; undefined if absent. */
export type ReadCell = (row: number) => unknown;

/** Reads single values of a segment's rows, where possible without building records. Rows count from the group's first. */
export interface SegmentCells {
  readonly segment: Segment;
  /** The column of a key or path; undefined if the rows have to be built to read it. */
  columnOf(key: string): ColumnData | 'none' | undefined;
  /** A function that reads the values of a key. With `times`, dates of a column are milliseconds since the epoch. `column` replaces the key's own. */
  reader(key: string, times?: boolean, column?: ColumnData | 'none'): ReadCell;
  /** The record of a row, for reading. Rows that are read in order are built together. */
  record(row: number): object;
}

/** The object that predicates get for the rows of tables with the same keys: its properties read `cells`, in the row `at`. */
export interface TableRow {
  readonly row: object;
  cells: readonly ReadCell[];
  at: number;
}

/** Reads the rows of a segment for predicates. */
export interface ReadsRow {
  /** The row as a predicate sees it, until the next call. */
  row(at: number): object;
}

/** Creates a table of records that are objects already, so that they read like rows. */
export function tableOfObjects(objects: KeyedList): TableData {
  return { keys: objects.recordKeys ?? [], groups: [], rows: objects.length, objects };
}

/** Creates a run of records that are objects already. */
export function runOfObjects(objects: object[]): Run {
  return { table: tableOfObjects(objects), first: 0, count: objects.length, builder: undefined };
}

/** Index of the group that contains a row of a table. */
export function groupAt({ groups }: TableData, row: number): number {
  let low = 0;
  for (let high = groups.length - 1; low < high;) {
    const middle = (low + high + 1) >> 1;
    if (groups[middle]!.first <= row) low = middle;
    else high = middle - 1;
  }
  return low;
}
