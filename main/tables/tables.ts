import type { RowList } from '../rows/row-list.ts';
import { type RowPredicate, RowTester } from './row-reader.ts';
import { Slicer } from '../slicing/slicer.ts';
import { compileCondition, rowTest } from './condition.ts';
import { groupsOf, type ValueGroup } from './groups.ts';
import { IndexList } from './index-list.ts';
import { SegmentWalk } from './segment-walk.ts';
import { sortedIndex, type SortOptions, type SortOrder } from './sort.ts';

/** Cancels a table's operation. */
interface Options {
  signal?: AbortSignal | undefined;
}

/** Rows tested between two looks at the clock: by conditions, and by predicates of the application. */
const CONDITION_ROWS = 1024;
const PREDICATE_ROWS = 32;

/** Decides on the row at a position of the source, which is at an index of the list. */
type Accepts = (position: number, index: number) => boolean;

/**
 * Resolves to the rows that fit a condition or predicate, in their order. `test` is a predicate, an object of conditions
 * by key, or a Map of them. `rows` is passed to the predicate.
 */
export async function filterRows<T, List>(list: RowList, test: object | RowPredicate<T, List>, rows: List, { signal }: Options): Promise<RowList> {
  signal?.throwIfAborted();
  const slicer = new Slicer(signal);
  if (typeof test === 'function') {
    const tester = new RowTester(list.source, test as RowPredicate<T, List>, rows);
    return new IndexList(list.source, await acceptedOf(list, (position, index) => tester.accepts(position, index), PREDICATE_ROWS, slicer));
  }
  if (typeof test !== 'object' || test === null || Array.isArray(test)) {
    throw new TypeError('filter takes a function, or an object of conditions by key, as in { status: "open", total: { gte: 100 } }');
  }
  const entries: readonly (readonly [unknown, unknown])[] = test instanceof Map ? [...test] : Object.entries(test);
  const conditions = entries.map(([key, condition]) => [String(key), compileCondition(condition)] as const);
  // Without conditions, all rows fit.
  if (conditions.length === 0) return list;
  let found = list;
  for (const [key, condition] of conditions) {
    const walk = new SegmentWalk(list.source, (cells) => rowTest(cells, key, condition));
    const index = await acceptedOf(found, (position) => walk.at(position)(position - walk.shift), CONDITION_ROWS, slicer);
    found = new IndexList(list.source, index);
  }
  return found;
}

/** Positions of the rows that are accepted, in their order. Looks at the clock after each `stride` rows. */
async function acceptedOf({ index, length }: RowList, accepts: Accepts, stride: number, slicer: Slicer): Promise<Uint32Array> {
  const found = new Uint32Array(length);
  let count = 0;
  slicer.begin();
  try {
    for (let from = 0; from < length; from += stride) {
      count = addAccepted(index, from, Math.min(from + stride, length), accepts, found, count);
      if (slicer.due()) await slicer.pause();
    }
  } finally {
    slicer.end();
  }
  // Does not keep the memory of the others.
  return found.slice(0, count);
}

function addAccepted(index: Uint32Array | undefined, from: number, to: number, accepts: Accepts, found: Uint32Array, count: number): number {
  for (let at = from; at < to; at++) {
    const position = index === undefined ? at : index[at]!;
    if (accepts(position, at)) found[count++] = position;
  }
  return count;
}

/** Resolves to the rows in another order. */
export async function sortRows<T>(list: RowList, orders: SortOrder<T> | readonly SortOrder<T>[], options: SortOptions): Promise<RowList> {
  return new IndexList(list.source, await sortedIndex(list, orders, options));
}

/** Resolves to the unique values of a key, in order of first occurrence. */
export async function distinctValues(list: RowList, key: string, { signal }: Options): Promise<unknown[]> {
  const { values } = await groupsOf(list, key, signal);
  return values;
}

/** Resolves to the rows by the values of a key. The lists share one index. */
export async function groupRows(list: RowList, key: string, { signal }: Options): Promise<ValueGroup[]> {
  const { values, numbers, counts } = await groupsOf(list, key, signal);
  const { index, length, source } = list;
  let end = 0;
  const places = counts.map((count) => (end += count) - count);
  const grouped = new Uint32Array(length);
  const slicer = new Slicer(signal);
  slicer.begin();
  for (let at = 0; at < length; at++) {
    grouped[places[numbers[at]!]!++] = index ? index[at]! : at;
    if (at % CONDITION_ROWS === 0 && slicer.due()) await slicer.pause();
  }
  slicer.end();
  return values.map((value, number) => {
    const last = places[number]!;
    return { value, list: new IndexList(source, grouped.subarray(last - counts[number]!, last)) };
  });
}
