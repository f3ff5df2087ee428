import * as is from './tree.ts';
import type { SpanTree } from './tree.ts';

/** A list of records as rows and columns. */
export interface RecordTable {
  /** Entry of the list. */
  list: number;
  rows: Uint32Array;
  /** Name ids, in the order of first appearance. */
  columns: number[];
}

/** Rows that are searched for columns, and the most columns. */
const SAMPLED = 1_000;
const MAX_COLUMNS = 200;

/** Lists of records in a tree, longest first. */
export function listsOfRecords(tree: SpanTree, limit = 20): number[] {
  const { kinds, numbers, nexts, count } = tree.data;
  const lists: number[] = [];
  // Lists inside a list of records are skipped: there could be thousands.
  for (let node = 1; node < count;) {
    const first = node + 1;
    const isList = kinds[node] === is.ARRAY && numbers[node]! >= 2;
    if (isList && (kinds[first] === is.OBJECT || kinds[first] === is.RECORD)) {
      lists.push(node);
      node = nexts[node]!;
    } else {
      node = isList && kinds[first]! < is.ARRAY ? nexts[node]! : node + 1;
    }
  }
  return lists.sort((a, b) => numbers[b]! - numbers[a]!).slice(0, limit);
}

/** Rows and columns of a list of records. */
export function recordTable(tree: SpanTree, list: number): RecordTable {
  const { nexts, keys, numbers } = tree.data;
  const end = nexts[list]!;
  const rows = new Uint32Array(numbers[list]!);
  const columns = new Set<number>();
  let count = 0;
  for (let at = list + 1; at < end; at = nexts[at]!) {
    rows[count] = at;
    count += 1;
    if (count > SAMPLED || columns.size >= MAX_COLUMNS || !tree.isContainer(at)) continue;
    for (let field = at + 1; field < nexts[at]!; field = nexts[field]!) if (tree.hasName(field)) columns.add(keys[field]!);
  }
  return { list, rows: rows.subarray(0, count), columns: [...columns] };
}

/** Fields of a row by column; −1 for a missing one. */
export function fieldsOf(tree: SpanTree, row: number, columns: readonly number[]): number[] {
  const { nexts, keys } = tree.data;
  const found = columns.map(() => -1);
  if (!tree.isContainer(row)) return found;
  for (let field = row + 1; field < nexts[row]!; field = nexts[field]!) {
    const column = columns.indexOf(keys[field]!);
    if (column >= 0) found[column] = field;
  }
  return found;
}
