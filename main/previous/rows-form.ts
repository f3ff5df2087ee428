import type { NewRow, RowsForm } from '../../core/previous/rows-form.ts';
import { RECORDS, ROW_LIST } from '../../core/values/record-list.ts';
import { resultShape, rowsOf } from '../rows/form.ts';
import { isRows, Rows } from '../rows/rows.ts';
import { isRecord } from '../../core/values/property.ts';
import { RunList } from '../../core/rows/row-list.ts';
import { type Run, tableOfObjects } from '../../core/rows/run.ts';
import { MAX_RUNS, ROWS_PER_RUN } from './tuning.ts';

/** Makes `Rows` of earlier rows, whose columns they share, and of new objects. */
export const rowsForm: RowsForm = {
  isRows,
  convert: (value) => resultShape(value, 'rows'),
  records: (rows) => (rows as Rows)[RECORDS](0, rows.length),
  rowsOf,
  join(before, items) {
    const isRow = (item: number | NewRow): boolean => isRecord(typeof item === 'number' ? before.at(item) : item.item);
    const runs = isRows(before) && before[ROW_LIST].runs;
    if (!runs || (items.length > 0 && !items.some(isRow))) return undefined;
    const joined = joinRuns(runs, items);
    if (joined.length > Math.max(MAX_RUNS, items.length / ROWS_PER_RUN)) return undefined;
    const rows = new Rows(new RunList(joined));
    keepKnownKeys(before, rows);
    return rows;
  },
};

/** Lets the `Rows` of a later value know the keys that those in the same place of an earlier one knew, though perhaps no record has them now. */
export function keepKnownKeys(before: unknown, value: unknown): void {
  if (isRows(before) && isRows(value)) {
    const known = new Set(before[ROW_LIST].source.runs.flatMap(({ table }) => [...(table.known ?? [])]));
    if (known.size > 0) for (const { table } of value[ROW_LIST].source.runs) table.known = known;
  } else if (isRecord(before) && isRecord(value)) {
    for (const [key, inner] of Object.entries(value)) if (isRows(inner)) keepKnownKeys((before as Record<string, unknown>)[key], inner);
  }
}

/** Runs of the items of a list: rows of earlier runs, given by their index, and new objects. */
function joinRuns(before: readonly Run[], items: readonly (number | NewRow)[]): Run[] {
  const starts: number[] = [];
  let length = 0;
  for (const { count } of before) {
    starts.push(length);
    length += count;
  }
  const runs: Run[] = [];
  // One table for all of them, so that columns are made of them at once.
  const objects: object[] = [];
  const table = tableOfObjects(objects);
  let first = 0;
  const endObjects = (): void => {
    if (objects.length > first) runs.push({ table, first, count: objects.length - first, builder: undefined });
    first = objects.length;
  };
  for (let at = 0; at < items.length;) {
    const item = items[at]!;
    if (typeof item !== 'number') {
      objects.push(item.item as object);
      at += 1;
      continue;
    }
    const index = lastAtMost(starts, item);
    const { table: earlier, first: start, count, builder } = before[index]!;
    const from = item - starts[index]!;
    let to = from + 1;
    for (at += 1; to < count && items[at] === starts[index]! + to; at += 1) to += 1;
    if (!builder) {
      for (let row = start + from; row < start + to; row += 1) objects.push(earlier.objects[row]!);
      continue;
    }
    endObjects();
    const last = runs.at(-1);
    if (last?.table === earlier && last.first + last.count === start + from) last.count += to - from;
    else runs.push({ table: earlier, first: start + from, count: to - from, builder });
  }
  endObjects();
  table.rows = objects.length;
  return runs;
}

/** Index of the last of some ascending numbers that is at most `value`, which the first one is. */
function lastAtMost(ascending: readonly number[], value: number): number {
  let low = 0;
  for (let high = ascending.length - 1; low < high;) {
    const middle = (low + high + 1) >> 1;
    if (ascending[middle]! <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
