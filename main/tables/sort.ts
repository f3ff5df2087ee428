import { isDate } from '../../core/values/class-of.ts';
import { KIND_BOOLEAN, KIND_DATE, KIND_DICTIONARY, KIND_EMPTY, KIND_FLOAT64, KIND_INT32, KIND_TEXT, STATE_VALUE } from '../../core/block/block.ts';
import type { SegmentCells } from '../../core/rows/run.ts';
import type { RowList } from '../../core/rows/row-list.ts';
import { Slicer } from '../../core/slicing/slicer.ts';
import type { RowPath } from '../../core/rows/paths.ts';
import { checkKey } from './known-keys.ts';
import { mergeSort } from './merge-sort.ts';
import { inPieces, PIECE, stepsInSlices } from './pieces.ts';
import { NumberKeys, sortByNumbers } from './radix-sort.ts';
import { SegmentWalk } from './segment-walk.ts';
import { onePerHolder, openColumns, RecordCells } from './record-columns.ts';
import { sortByText, TextKeys } from './text-sort.ts';

/** A key or path to sort by. */
export interface SortKey<T> {
  readonly key: RowPath<T>;
  /** Default false. */
  readonly descending?: boolean | undefined;
  /** Compares two values of the key, instead of their order: negative, zero or positive. It gets no null, undefined or NaN. */
  compare?(one: unknown, other: unknown): number;
}

/** A key or path to sort by, ascending unless `descending` is set. */
export type SortOrder<T> = RowPath<T> | SortKey<T>;

/** Orders to sort by, the first of them first; or a function that compares two records, as in `Array.prototype.sort`. */
export type SortOrders<T> = SortOrder<T> | readonly SortOrder<T>[] | ((one: T, other: T) => number);

/** Options of `Rows.sortBy`. */
export interface SortOptions {
  /**
   * Compares strings as people of this language expect: a BCP 47 tag, several, or a collator for other options such as
   * `numeric`. Default: by code units, like `Array.prototype.sort`.
   */
  locale?: string | readonly string[] | Intl.Collator | undefined;
  /** Aborts the work; the promise rejects with its reason. */
  signal?: AbortSignal | undefined;
  /** Keys and paths that may be absent from all records, so that they are no error then. */
  optional?: readonly string[] | undefined;
}

/** Compares strings: negative, zero or positive. */
type CompareText = (one: string, other: string) => number;

type Compare = (one: unknown, other: unknown) => number;

/** Rows read between two looks at the clock. */
const ROWS = 1024;

/** Positions of a list's rows in sorted order. Throws a TypeError for invalid orders, a RangeError for an unknown locale. */
export async function sortedIndex<T>(list: RowList, orders: SortOrders<T>, { locale, signal, optional }: SortOptions): Promise<Uint32Array> {
  signal?.throwIfAborted();
  const keys = typeof orders === 'function' ? [] : ordersOf(orders);
  const compare = textComparison(locale);
  const slicer = new Slicer(signal);
  slicer.begin();
  try {
    // Rows by their indices in the list; a stable sort by the last key first leaves ties of the first keys in its order.
    let sorted: Uint32Array = new Uint32Array(list.length);
    const { length } = sorted;
    const number = (from: number, to: number): void => {
      for (let at = from; at < to; at++) sorted[at] = at;
    };
    await inPieces(length, PIECE, number, slicer);
    if (typeof orders === 'function') sorted = await sortRecords(list, sorted, orders as Compare, slicer);
    const paths = keys.map(({ key }) => key);
    await openColumns(list, paths, slicer);
    for (const path of paths) await checkKey(list, path, slicer, optional);
    for (const order of keys.toReversed()) sorted = await sortByKey(list, sorted, { ...order, compareText: compare }, slicer);
    const { index } = list;
    const position = (from: number, to: number): void => {
      for (let at = from; at < to; at++) sorted[at] = index![sorted[at]!]!;
    };
    if (index) await inPieces(length, PIECE, position, slicer);
    return sorted;
  } finally {
    slicer.end();
  }
}

/** The comparison of strings by a locale; undefined for their code units. Throws a RangeError for an unknown locale. */
function textComparison(locale: SortOptions['locale']): CompareText | undefined {
  if (locale === undefined) return undefined;
  const collator = 'compare' in Object(locale) ? (locale as Intl.Collator) : new Intl.Collator(locale as string | string[]);
  return collator.compare.bind(collator);
}

/** A key with the direction and the comparison of its values. */
interface GivenOrder {
  readonly key: string;
  readonly descending: boolean;
  readonly compare: Compare | undefined;
}

interface KeyOrder extends GivenOrder {
  readonly compareText: CompareText | undefined;
}

function ordersOf(orders: unknown): GivenOrder[] {
  const all: readonly unknown[] = Array.isArray(orders) ? orders : [orders];
  return all.map((order) => {
    if (typeof order === 'string') return { key: order, descending: false, compare: undefined };
    const { key, descending = false, compare, ...others } = (order ?? {}) as { key?: unknown; descending?: boolean; compare?: Compare };
    if (typeof key !== 'string') throw new TypeError('sortBy takes keys, objects such as { key: "placed", descending: true }, or a function');
    const [unknown] = Object.keys(others);
    if (unknown !== undefined) throw new TypeError(`unknown property "${unknown}" of a sort key: use key, descending, compare`);
    if (compare !== undefined && typeof compare !== 'function') throw new TypeError('compare of a sort key takes a function of two values');
    return { key, descending, compare };
  });
}

/** Sorts rows by a function of two records. */
async function sortRecords(list: RowList, sorted: Uint32Array, compare: Compare, slicer: Slicer): Promise<Uint32Array> {
  const records = await stepsInSlices(list.build(), slicer);
  return mergeSort(sorted, (one, other) => compare(records[one], records[other]), slicer);
}

/** Sorts rows by one key. `sorted` holds indices in the list. */
async function sortByKey(list: RowList, sorted: Uint32Array, order: KeyOrder, slicer: Slicer): Promise<Uint32Array> {
  if (order.compare) return sortValues(list, sorted, order, slicer);
  switch (await kindOf(list, order.key, slicer)) {
    case 'number':
      return sortNumbers(list, sorted, order, slicer);
    case 'dictionary':
      return sortDictionary(list, sorted, order, slicer);
    case 'text':
      return (order.compareText ? undefined : await sortTexts(list, sorted, order, slicer)) ?? sortValues(list, sorted, order, slicer);
    default:
      return sortValues(list, sorted, order, slicer);
  }
}

/** Kind of a key's values across the segments, apart from null, undefined and absent ones. */
async function kindOf({ source }: RowList, key: string, slicer: Slicer): Promise<'number' | 'dictionary' | 'text' | 'other'> {
  let found: 'number' | 'dictionary' | 'text' | 'other' | undefined;
  let numbers = -1;
  for (const segment of onePerHolder(source)) {
    const column = new RecordCells(segment).columnOf(key);
    if (!column) return 'other';
    const kind = column === 'none' ? KIND_EMPTY : column.kind;
    // Columns may be opened to find their kind.
    if (slicer.due()) await slicer.pause();
    if (kind === KIND_EMPTY) continue;
    const one = CLASSES[kind] ?? 'other';
    // Booleans, numbers and dates are ordered by type before they are by value.
    const type = kind === KIND_INT32 ? KIND_FLOAT64 : kind;
    if (one === 'number' && numbers !== -1 && numbers !== type) return 'other';
    if (one === 'number') numbers = type;
    if (found === undefined || found === one) found = one;
    else if (found === 'number' || one === 'number' || one === 'other') return 'other';
    else found = 'text';
  }
  return found ?? 'number';
}

const CLASSES: Readonly<Record<number, 'number' | 'dictionary' | 'text' | undefined>> = {
  [KIND_BOOLEAN]: 'number',
  [KIND_INT32]: 'number',
  [KIND_FLOAT64]: 'number',
  [KIND_DATE]: 'number',
  [KIND_DICTIONARY]: 'dictionary',
  [KIND_TEXT]: 'text',
};

/** Calls a function for each row of a list with its index, cells and row in these, in slices. */
async function eachRow<Cells>(
  list: RowList,
  open: (cells: SegmentCells) => Cells,
  read: (at: number, cells: Cells, row: number) => void,
  slicer: Slicer,
): Promise<void> {
  const { index, length, source } = list;
  const walk = new SegmentWalk(source, open);
  const readAll = (from: number, to: number): void => {
    for (let at = from; at < to; at++) {
      const position = index ? index[at]! : at;
      const cells = walk.at(position);
      read(at, cells, position - walk.shift);
    }
  };
  await inPieces(length, ROWS, readAll, slicer);
}

/** Rows without a value to sort by, which come last in either direction. */
class LastRows {
  readonly #flags: Uint8Array;
  #any = false;

  constructor(length: number) {
    this.#flags = new Uint8Array(length);
  }

  add(row: number): void {
    this.#flags[row] = 1;
    this.#any = true;
  }

  /** Sorts the other rows with a function, and appends these in their order. */
  async appendTo(sorted: Uint32Array, slicer: Slicer, sort: (rows: Uint32Array) => Promise<Uint32Array>): Promise<Uint32Array> {
    if (!this.#any) return sort(sorted);
    const rows = new Uint32Array(sorted.length);
    const last = new Uint32Array(sorted.length);
    let count = 0;
    for (let at = 0; at < sorted.length; at++) {
      const row = sorted[at]!;
      if (this.#flags[row] === 1) last[at - count] = row;
      else rows[count++] = row;
      if (at % PIECE === 0 && slicer.due()) await slicer.pause();
    }
    sorted.set(await sort(rows.subarray(0, count)));
    sorted.set(last.subarray(0, sorted.length - count), count);
    return sorted;
  }
}

async function sortNumbers(list: RowList, sorted: Uint32Array, { key, descending }: KeyOrder, slicer: Slicer): Promise<Uint32Array> {
  const keys = new NumberKeys(list.length);
  const last = new LastRows(list.length);
  await eachRow(
    list,
    (cells) => {
      const column = cells.columnOf(key);
      return typeof column === 'object' && column.kind !== KIND_EMPTY ? column : undefined;
    },
    (at, column, row) => {
      const value = column && (column.states === undefined || column.states[row] === STATE_VALUE) ? (column.data[row] as number) : NaN;
      if (value === value) keys.set(at, value);
      else last.add(at);
    },
    slicer,
  );
  return last.appendTo(sorted, slicer, (rows) => sortByNumbers(rows, keys, descending, slicer));
}

/** Sorts by the ranks of a dictionary's strings. */
async function sortDictionary(
  list: RowList,
  sorted: Uint32Array,
  { key, descending, compareText = byCodeUnits }: KeyOrder,
  slicer: Slicer,
): Promise<Uint32Array> {
  const numbers = new Map<string, number>();
  const texts: string[] = [];
  const keys = new NumberKeys(list.length);
  const codes = new Uint32Array(list.length);
  const last = new LastRows(list.length);
  await eachRow(
    list,
    (cells) => {
      const column = cells.columnOf(key);
      if (typeof column !== 'object' || column.kind === KIND_EMPTY) return undefined;
      return { ...column, strings: column.list!.values(), known: new Uint32Array(column.list!.length) };
    },
    (at, column, row) => {
      if (!column || (column.states && column.states[row] !== STATE_VALUE)) {
        last.add(at);
        return;
      }
      const { known, strings } = column;
      const code = column.data[row] as number;
      let number = known[code]!;
      if (number === 0) {
        const text = strings[code]!;
        number = numbers.get(text) ?? texts.push(text);
        numbers.set(text, number);
        known[code] = number;
      }
      codes[at] = number - 1;
    },
    slicer,
  );
  const ranks = await ranksOf(texts, compareText, slicer);
  const setRanks = (from: number, to: number): void => {
    for (let at = from; at < to; at++) keys.low[at] = ranks[codes[at]!] ?? 0;
  };
  await inPieces(codes.length, PIECE, setRanks, slicer);
  return last.appendTo(sorted, slicer, (rows) => sortByNumbers(rows, keys, descending, slicer));
}

/** Ranks of unique texts; equal for those that compare as equal. */
async function ranksOf(texts: readonly string[], compare: CompareText, slicer: Slicer): Promise<Uint32Array> {
  const order = await mergeSort(Uint32Array.from(texts.keys()), (one, other) => compare(texts[one]!, texts[other]!), slicer);
  const ranks = new Uint32Array(texts.length);
  let rank = 0;
  const rankAll = (from: number, to: number): void => {
    for (let at = Math.max(from, 1); at < to; at++) {
      if (compare(texts[order[at - 1]!]!, texts[order[at]!]!) !== 0) rank += 1;
      ranks[order[at]!] = rank;
    }
  };
  await inPieces(order.length, ROWS, rankAll, slicer);
  return ranks;
}

/** Sorts texts by their bytes; undefined if these are not in the order of code units, or too many. */
async function sortTexts(list: RowList, sorted: Uint32Array, { key, descending }: KeyOrder, slicer: Slicer): Promise<Uint32Array | undefined> {
  const keys = new TextKeys(list.length);
  const last = new LastRows(list.length);
  await eachRow(
    list,
    (cells) => {
      const column = cells.columnOf(key);
      if (typeof column !== 'object' || column.kind === KIND_EMPTY) return undefined;
      return { ...column, source: keys.source(column) };
    },
    (at, column, row) => {
      if (column && (column.states === undefined || column.states[row] === STATE_VALUE)) keys.set(at, column.source, row);
      else last.add(at);
    },
    slicer,
  );
  if (!keys.sortable) return undefined;
  return last.appendTo(sorted, slicer, (rows) => sortByText(rows, keys, descending, slicer));
}

/** Sorts values of any type by comparison. */
async function sortValues(
  list: RowList,
  sorted: Uint32Array,
  { key, descending, compare, compareText = byCodeUnits }: KeyOrder,
  slicer: Slicer,
): Promise<Uint32Array> {
  const values = new Array<unknown>(list.length);
  const last = new LastRows(list.length);
  await eachRow(
    list,
    (cells) => cells.reader(key),
    (at, read, row) => {
      const value = read(row);
      values[at] = value;
      if (typeRank(value) === LAST) last.add(at);
    },
    slicer,
  );
  const compared = orderOf({ descending, compare, compareText });
  return last.appendTo(sorted, slicer, (rows) => mergeSort(rows, (one, other) => compared(values[one], values[other]), slicer));
}

/** Compares values that do not come last. */
function orderOf({ descending, compare, compareText = byCodeUnits }: Omit<KeyOrder, 'key'>): Compare {
  const sign = descending ? -1 : 1;
  return compare ? (one, other) => sign * compare(one, other) : (one, other) => sign * compareValues(one, other, compareText);
}

/** An order as a comparison of two rows' values: those of a key, or the records. */
export interface ValueOrder {
  /** Undefined for an order of records. */
  readonly key: string | undefined;
  readonly compare: Compare;
}

/** The orders that `sortedIndex` sorts by, as comparisons. */
export function valueOrders<T>(orders: SortOrders<T>, locale: SortOptions['locale']): ValueOrder[] {
  if (typeof orders === 'function') return [{ key: undefined, compare: orders as Compare }];
  const compareText = textComparison(locale);
  return ordersOf(orders).map(({ key, descending, compare }) => {
    const compared = orderOf({ descending, compare, compareText });
    return {
      key,
      compare: (one, other) => {
        if (!areAlike(one, other)) {
          const isLast = typeRank(one) === LAST;
          if (isLast || typeRank(other) === LAST) return isLast ? (typeRank(other) === LAST ? 0 : 1) : -1;
        }
        return compared(one, other);
      },
    };
  });
}

/** True for two strings or two numbers, as most values are, of which none comes last. */
function areAlike(one: unknown, other: unknown): boolean {
  const type = typeof one;
  return type === typeof other && (type === 'string' || (type === 'number' && !Number.isNaN(one) && !Number.isNaN(other)));
}

/** Rank of values that come last in either direction. */
const LAST = 5;

function typeRank(value: unknown): number {
  switch (typeof value) {
    case 'boolean':
      return 0;
    case 'number':
      return Number.isNaN(value) ? LAST : 1;
    case 'bigint':
      return 1;
    case 'string':
      return 3;
    case 'undefined':
      return LAST;
    default:
      if (isDate(value)) return Number.isNaN(value.getTime()) ? LAST : 2;
      return value === null ? LAST : 4;
  }
}

/** Compares values by type, then by value; objects other than dates are equal. */
function compareValues(one: unknown, other: unknown, compare: CompareText): number {
  if (typeof one === 'string' && typeof other === 'string') return compare(one, other);
  if (typeof one !== 'number' || typeof other !== 'number') {
    const rank = typeRank(one);
    const difference = rank - typeRank(other);
    if (difference !== 0 || rank === 4) return difference;
  }
  return (one as number) < (other as number) ? -1 : (one as number) > (other as number) ? 1 : 0;
}

function byCodeUnits(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
