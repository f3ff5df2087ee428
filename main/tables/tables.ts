import { isMap } from '../../core/values/class-of.ts';
import type { RowList } from '../../core/rows/row-list.ts';
import { type RowPredicate, RowTester } from './row-reader.ts';
import { Slicer } from '../../core/slicing/slicer.ts';
import { compileCondition, type Condition, isAccepted, rowTest } from './condition.ts';
import { groupsOf, type ValueGroup } from './groups.ts';
import { IndexList } from './index-list.ts';
import { checkKey, type TableOptions } from './known-keys.ts';
import { inPieces } from './pieces.ts';
import { openColumns } from './record-columns.ts';
import { SegmentWalk } from './segment-walk.ts';
import { sortedIndex, type SortOptions, type SortOrders } from './sort.ts';

/** A column as codes and values: the value of a row is `values[codes[row]]`. */
export interface ColumnCodes<V> {
  /** For each row, the index of its value. */
  readonly codes: Uint32Array;
  /** The unique values, in order of first occurrence. */
  readonly values: V[];
}

/** Rows tested between two looks at the clock: by conditions, and by predicates of the application. */
const CONDITION_ROWS = 1024;
const PREDICATE_ROWS = 64;

/** Resolves to the rows whose value of a key fits a condition, from the arguments of `Rows.where`. */
export async function whereRows(list: RowList, given: readonly [key?: unknown, condition?: unknown, options?: TableOptions]): Promise<RowList> {
  const [key, condition, options = {}] = given;
  // An undefined condition finds rows without the key.
  if (given.length < 2 || typeof key !== 'string') throw new TypeError('where takes a key and a condition, as in where("status", "open")');
  return filterRows(list, new Map([[key, condition]]), undefined, options);
}

/**
 * Resolves to the rows that fit a condition or predicate, in their order. `test` is a predicate, an object of conditions
 * by key, or a Map of them. `rows` is passed to the predicate.
 */
export async function filterRows<T, List>(
  list: RowList,
  test: object | RowPredicate<T, List>,
  rows: List,
  { signal, optional }: TableOptions,
): Promise<RowList> {
  signal?.throwIfAborted();
  const slicer = new Slicer(signal);
  if (typeof test === 'function') {
    const tester = new RowTester(list.source, test as RowPredicate<T, List>, rows);
    return new IndexList(list.source, await acceptedOf(list.length, addByPredicate(list, tester), PREDICATE_ROWS, slicer));
  }
  if (typeof test !== 'object' || test === null || Array.isArray(test)) {
    throw new TypeError('filter takes a function, or an object of conditions by key, as in { status: "open", total: { gte: 100 } }');
  }
  const entries: readonly (readonly [string, unknown])[] = isMap(test) ? [...(test as ReadonlyMap<string, unknown>)] : Object.entries(test);
  const conditions = entries.map(([key, condition]) => [key, compileCondition(condition)] as const);
  // Without conditions, all rows fit.
  if (conditions.length === 0) return list;
  let found = list;
  slicer.begin();
  try {
    const paths = conditions.map(([key]) => key);
    await openColumns(list, paths, slicer);
    for (const [key, { isAbsence }] of conditions) if (!isAbsence) await checkKey(list, key, slicer, optional);
  } finally {
    slicer.end();
  }
  for (const [key, condition] of conditions) {
    found = new IndexList(list.source, await acceptedOf(found.length, addByCondition(found, key, condition), CONDITION_ROWS, slicer));
  }
  return found;
}

/** Appends the rows of a range that are accepted to `found`, which holds `count` of them. Returns their new number. */
type AddAccepted = (from: number, to: number, found: Uint32Array, count: number) => number;

/** Positions of the rows that are accepted, in their order. Looks at the clock after each `stride` rows. */
async function acceptedOf(length: number, add: AddAccepted, stride: number, slicer: Slicer): Promise<Uint32Array> {
  const found = new Uint32Array(length);
  let count = 0;
  slicer.begin();
  try {
    await inPieces(length, stride, (from, to) => (count = add(from, to, found, count)), slicer);
  } finally {
    slicer.end();
  }
  // Does not keep the memory of the others.
  return found.slice(0, count);
}

/** Tests rows with a predicate. */
function addByPredicate<T, List>({ index }: RowList, tester: RowTester<T, List>): AddAccepted {
  return (from, to, found, count) => {
    let next = count;
    for (let at = from; at < to; at++) {
      const position = index ? index[at]! : at;
      if (isAccepted(tester.result(position, at))) found[next++] = position;
    }
    return next;
  };
}

/** Tests rows with a condition. Consecutive rows of one segment share its test. */
function addByCondition({ index, source }: RowList, key: string, condition: Condition): AddAccepted {
  const walk = new SegmentWalk(source, (cells) => rowTest(cells, key, condition));
  return (from, to, found, count) => {
    let next = count;
    for (let at = from; at < to;) {
      const accepts = walk.at(index ? index[at]! : at);
      const { first, end, shift } = walk;
      if (index) {
        for (let position = index[at]!; position >= first && position < end; position = index[at]!) {
          if (accepts(position - shift)) found[next++] = position;
          at += 1;
          if (at === to) break;
        }
      } else {
        for (const last = Math.min(to, end); at < last; at++) if (accepts(at - shift)) found[next++] = at;
      }
    }
    return next;
  };
}

/** Resolves to the rows in another order. */
export async function sortRows<T>(list: RowList, orders: SortOrders<T>, options: SortOptions): Promise<RowList> {
  return new IndexList(list.source, await sortedIndex(list, orders, options));
}

/** Resolves to the unique values of a key, and the index of each row's value among them. */
export async function columnCodes(list: RowList, key: string, options: TableOptions): Promise<ColumnCodes<unknown>> {
  const { values, numbers } = await groupsOf(list, key, options);
  return { codes: numbers, values };
}

/** Resolves to the rows by the values of a key. The lists share one index. */
export async function groupRows(list: RowList, key: string, options: TableOptions): Promise<ValueGroup[]> {
  const { values, numbers } = await groupsOf(list, key, options);
  const slicer = new Slicer(options.signal);
  slicer.begin();
  try {
    const groups = await indicesByNumber(list.index, numbers, slicer);
    return groups.map(({ number, index }) => ({ value: values[number], list: new IndexList(list.source, index) }));
  } finally {
    slicer.end();
  }
}

/** Divides an index, or all positions, by the numbers of their groups, in order of first occurrence. The parts share one buffer. */
export async function indicesByNumber(
  index: Uint32Array | undefined,
  numbers: Uint32Array,
  slicer: Slicer,
): Promise<{ number: number; index: Uint32Array }[]> {
  const { length } = numbers;
  const found: number[] = [];
  const counts: number[] = [];
  const count = (from: number, to: number): void => {
    for (let at = from; at < to; at++) {
      const number = numbers[at]!;
      if (counts[number] === undefined) found.push(number);
      counts[number] = (counts[number] ?? 0) + 1;
    }
  };
  await inPieces(length, CONDITION_ROWS, count, slicer);
  let end = 0;
  const places: number[] = [];
  const groups = found.map((number) => {
    places[number] = end;
    return { number, first: end, end: (end += counts[number]!) };
  });
  const grouped = new Uint32Array(length);
  const place = (from: number, to: number): void => {
    for (let at = from; at < to; at++) grouped[places[numbers[at]!]!++] = index ? index[at]! : at;
  };
  await inPieces(length, CONDITION_ROWS, place, slicer);
  return groups.map(({ number, first, end: last }) => ({ number, index: grouped.subarray(first, last) }));
}
