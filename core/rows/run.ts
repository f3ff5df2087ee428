import type { KeyedList } from '../values/record-list.ts';
import type { Block, ColumnData, Group, TableData } from './read-block.ts';

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
