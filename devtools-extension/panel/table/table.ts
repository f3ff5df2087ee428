import * as is from '../../../core/sinks/spans/tree.ts';
import type { SpanTree } from '../../../core/sinks/spans/tree.ts';
import { type ValueText, valueText } from '../../values/value-text.ts';

/** A list of records as rows and columns. */
export interface RecordTable {
  /** Entry of the list. */
  list: number;
  rows: Uint32Array;
  /** Name ids, in the order of first appearance. */
  columns: number[];
}

const SAMPLED = 1_000;
const MAX_COLUMNS = 200;
const MEASURED = 50;
const MIN_CHARACTERS = 5;
const MAX_CHARACTERS = 32;

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

/** Column widths in characters, from the name and the first values, within limits. */
export function columnWidths(tree: SpanTree, { rows, columns }: RecordTable): number[] {
  const widths = columns.map((column) => Math.max(MIN_CHARACTERS, tree.data.names[column]!.length));
  for (const row of rows.subarray(0, MEASURED)) {
    for (const [index, field] of fieldsOf(tree, row, columns).entries()) {
      if (field >= 0) widths[index] = Math.max(widths[index]!, cellText(tree, field).text.length);
    }
  }
  return widths.map((width) => Math.min(width, MAX_CHARACTERS));
}

/** Text of a cell: strings without quotation marks. */
export function cellText(tree: SpanTree, field: number): ValueText {
  const { text, kind } = valueText(tree, field);
  return { text: kind === 'string' ? text.slice(1, -1) : text, kind };
}
