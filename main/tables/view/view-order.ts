import type { RowList, RunList } from '../../../core/rows/row-list.ts';
import { Slicer } from '../../../core/slicing/slicer.ts';
import type { ReadCell, Segment } from '../../../core/rows/run.ts';
import { groupsOf, UniqueValues } from '../groups.ts';
import { IndexList } from '../index-list.ts';
import { addKnown, type TableOptions } from '../known-keys.ts';
import { mergeSort } from '../merge-sort.ts';
import { inPieces, PIECE } from '../pieces.ts';
import { holderOf, openColumns, RecordCells } from '../record-columns.ts';
import type { RowPredicate } from '../row-reader.ts';
import { type SortOptions, type SortOrders, type ValueOrder, valueOrders } from '../sort.ts';
import { filterRows, sortRows } from '../tables.ts';
import { type KeptRows, keptRows } from './kept-rows.ts';

/** Options of a view as the application gave them. The functions of tables check them. */
export interface ViewQuery {
  readonly filter?: object | undefined;
  readonly sortBy?: string | object | undefined;
  readonly groupBy?: string | undefined;
  readonly locale?: SortOptions['locale'];
  readonly optional?: readonly string[] | undefined;
}

/** The rows that a view shows. */
export interface ViewOrder {
  readonly query: ViewQuery;
  /** The rows that it is a view of. */
  readonly list: RowList;
  /** Positions of the shown rows in the list's source. */
  readonly index: Uint32Array;
  /** For each shown row, the number of its group's value; undefined without groups. */
  readonly numbers: Uint32Array | undefined;
  readonly unique: UniqueValues;
  /** Readers of the values that rows are ordered by, by group or table: a refetch keeps most of these. */
  readonly readers: WeakMap<object, readonly ReadCell[]>;
  /** Keys and paths that some record had once. */
  readonly known: ReadonlySet<string>;
  /** Position of each row that the source had before, −1 if it has gone; undefined if the source is the same. */
  readonly places: Int32Array | undefined;
}

/** Share of rows that are new or have moved up to which the others keep their order: to sort more one by one takes longer than to sort all. */
const FOLLOWED = 1 / 4;

/** Rows read, and searches, between two looks at the clock. */
const STEP = 256;
const SEARCHES = 64;

/** Filters, sorts and groups rows. */
export async function orderRows(query: ViewQuery, list: RowList, signal: AbortSignal): Promise<ViewOrder> {
  const { filter, sortBy, groupBy, locale, optional } = query;
  const { source } = list;
  const options = { signal, optional };
  let shown = list;
  if (filter !== undefined) await openAll(list, Object.keys(filter ?? {}), pathsOf(query), signal);
  if (filter !== undefined) shown = await filterRows(shown, testOf(filter), undefined, options);
  if (sortBy !== undefined) shown = await sortRows(shown, sortBy as SortOrders<unknown>, { ...options, locale });
  const index = shown.index ?? new Uint32Array(source.length).map((_, at) => at);
  const unique = new UniqueValues();
  const numbers = groupBy === undefined ? undefined : (await groupsOf(shown, groupBy, options, unique)).numbers;
  return { query, list, index, numbers, unique, readers: new WeakMap(), known: new Set(pathsOf(query)), places: undefined };
}

/** Makes the columns by which rows are filtered, and those that are needed after them, so that records are read once. */
async function openAll(list: RowList, paths: readonly string[], later: readonly string[], signal: AbortSignal): Promise<void> {
  const slicer = new Slicer(signal);
  slicer.begin();
  try {
    await openColumns(list, paths, slicer, { later });
  } finally {
    slicer.end();
  }
}

/** The keys and paths by which rows are filtered, sorted and grouped. */
function pathsOf({ filter, sortBy, groupBy }: ViewQuery): string[] {
  const paths = sortBy === undefined ? [] : valueOrders(sortBy as SortOrders<unknown>, undefined).flatMap(({ key }) => key ?? []);
  if (filter !== undefined && typeof filter !== 'function') paths.push(...Object.keys(filter));
  if (groupBy !== undefined) paths.push(groupBy);
  return paths;
}

/** The same for rows that come after others. Of rows that both lists have, only the places are looked at. */
export async function followRows(before: ViewOrder, query: ViewQuery, list: RowList, signal: AbortSignal): Promise<ViewOrder> {
  const order = async (): Promise<ViewOrder> => {
    const ordered = await orderRows(query, list, signal);
    return { ...ordered, known: new Set([...before.known, ...ordered.known]) };
  };
  addKnown(list, before.known);
  if (list === before.list) return order();
  const slicer = new Slicer(signal);
  slicer.begin();
  try {
    const kept = await keptRows(before.list.source, list.source, slicer);
    // The positions of rows in another order than that of their columns may all have changed.
    const isInOrder = !list.index && !before.list.index;
    if (isInOrder && query === before.query && kept.others.length <= list.length * FOLLOWED) {
      return await new Following(before, list, kept, slicer, signal).order();
    }
    slicer.end();
    return { ...(await order()), places: kept.places };
  } finally {
    slicer.end();
  }
}

/** Gives the predicate nothing but the row: its result is kept while the row stays. */
function testOf(filter: object): object | RowPredicate<unknown, unknown> {
  return typeof filter === 'function' ? (row: unknown) => (filter as (row: unknown) => never)(row) : filter;
}

/** Appends the new positions of a range of shown rows, of those that have stayed. Returns the new number of positions. */
function placeRange(index: Uint32Array, first: number, end: number, places: Int32Array, stayed: Uint32Array, count: number): number {
  let next = count;
  for (let at = first; at < end; at++) {
    const position = places[index[at]!]!;
    if (position >= 0) stayed[next++] = position;
  }
  return next;
}

/** The same for the numbers of their groups. */
function placeNumbers(
  index: Uint32Array,
  first: number,
  end: number,
  places: Int32Array,
  numbers: Uint32Array,
  stayed: Uint32Array,
  count: number,
): void {
  let next = count;
  for (let at = first; at < end; at++) if (places[index[at]!]! >= 0) stayed[next++] = numbers[at]!;
}

/** Fills an array with sorted items and new ones, each before the item at an index. */
function merge(target: Uint32Array, items: Uint32Array, added: Uint32Array, before: Uint32Array): void {
  let next = 0;
  for (let at = 0; at < added.length; at++) {
    for (const end = before[at]!; next < end; next++) target[next + at] = items[next]!;
    target[next + at] = added[at]!;
  }
  for (; next < items.length; next++) target[next + added.length] = items[next]!;
}

/** Reads the values by which rows are ordered, of rows anywhere: a refetched list has thousands of segments. */
class OrderCells {
  readonly #segments: readonly Segment[];
  /** First positions of the segments. */
  readonly #firsts: Uint32Array;
  readonly #orders: readonly ValueOrder[];
  readonly #bySegment: (readonly ReadCell[] | undefined)[] = [];
  readonly #byHolder: WeakMap<object, readonly ReadCell[]>;

  constructor({ segments }: RunList, orders: readonly ValueOrder[], byHolder: WeakMap<object, readonly ReadCell[]>) {
    this.#segments = segments;
    this.#byHolder = byHolder;
    this.#firsts = new Uint32Array(segments.length);
    for (let at = 0; at < segments.length; at++) this.#firsts[at] = segments[at]!.first;
    this.#orders = orders;
  }

  /** Index of the segment that contains a position. */
  segmentAt(position: number): number {
    const firsts = this.#firsts;
    let low = 0;
    for (let high = firsts.length - 1; low < high;) {
      const middle = (low + high + 1) >> 1;
      if (firsts[middle]! <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Row of a position in its segment's group or table. */
  row(segment: number, position: number): number {
    return position - this.#firsts[segment]! + this.#segments[segment]!.offset;
  }

  /** Readers of the rows of a segment, for each order. */
  readers(segment: number): readonly ReadCell[] {
    return (this.#bySegment[segment] ??= this.#open(this.#segments[segment]!));
  }

  #open(segment: Segment): readonly ReadCell[] {
    const holder = holderOf(segment);
    let readers = this.#byHolder.get(holder);
    if (!readers) {
      const cells = RecordCells.ofHolder(segment);
      readers = this.#orders.map(({ key }) => (key === undefined ? (row) => cells.record(row) : cells.reader(key)));
      this.#byHolder.set(holder, readers);
    }
    return readers;
  }
}

/** Places the rows of a later list in the order of an earlier one. */
class Following {
  readonly #before: ViewOrder;
  readonly #list: RowList;
  readonly #kept: KeptRows;
  readonly #slicer: Slicer;
  readonly #options: TableOptions;
  readonly #orders: readonly ValueOrder[];
  readonly #cells: OrderCells;

  constructor(before: ViewOrder, list: RowList, kept: KeptRows, slicer: Slicer, signal: AbortSignal) {
    const { sortBy, locale } = before.query;
    this.#before = before;
    this.#list = list;
    this.#kept = kept;
    this.#slicer = slicer;
    this.#options = { signal, optional: before.query.optional };
    this.#orders = sortBy === undefined ? [] : valueOrders(sortBy as SortOrders<unknown>, locale);
    this.#cells = new OrderCells(list.source, this.#orders, before.readers);
  }

  async order(): Promise<ViewOrder> {
    const { query, unique } = this.#before;
    const { others, places } = this.#kept;
    const list = this.#list;
    await openColumns(list, pathsOf(query), this.#slicer, { inGroups: true });
    const { index: stayed, numbers: stayedNumbers } = await this.#stayed();
    const found = others.length === 0 ? others : await this.#accepted();
    const values = await this.#valuesOf(found);
    const sorted = await this.#sorted(found, values);
    const newNumbers = stayedNumbers && (await this.#numbersOf(found, unique));
    const before = await this.#placesAmong(stayed, found, sorted, values);
    const index = new Uint32Array(stayed.length + found.length);
    const numbers = stayedNumbers && new Uint32Array(index.length);
    merge(
      index,
      stayed,
      sorted.map((row) => found[row]!),
      before,
    );
    if (numbers)
      merge(
        numbers,
        stayedNumbers,
        sorted.map((row) => newNumbers![row]!),
        before,
      );
    return { ...this.#before, list, index, numbers, places };
  }

  /** The shown rows that have stayed, at their new positions, and the numbers of their groups. */
  async #stayed(): Promise<{ index: Uint32Array; numbers: Uint32Array | undefined }> {
    const { index, numbers } = this.#before;
    const { places, moved } = this.#kept;
    // Rows that have passed others are placed anew.
    const inOrder = moved ? places.map((place, row) => (moved[row] === 1 ? -1 : place)) : places;
    const stayed = new Uint32Array(index.length);
    const stayedNumbers = numbers && new Uint32Array(index.length);
    let count = 0;
    const place = (first: number, end: number): void => {
      const next = placeRange(index, first, end, inOrder, stayed, count);
      if (numbers) placeNumbers(index, first, end, inOrder, numbers, stayedNumbers!, count);
      count = next;
    };
    await inPieces(index.length, PIECE, place, this.#slicer);
    return { index: stayed.subarray(0, count), numbers: stayedNumbers?.subarray(0, count) };
  }

  /** Positions of the other rows that the filter accepts. */
  async #accepted(): Promise<Uint32Array> {
    const { filter } = this.#before.query;
    const { others } = this.#kept;
    if (filter === undefined) return others;
    const found = await filterRows(new IndexList(this.#list.source, others), testOf(filter), undefined, this.#options);
    return found.index ?? others;
  }

  /** Values of rows for each order. */
  async #valuesOf(rows: Uint32Array): Promise<unknown[][]> {
    const values = this.#orders.map(() => new Array<unknown>(rows.length));
    const read = (first: number, end: number): void => {
      for (let at = first; at < end; at++) {
        const position = rows[at]!;
        const segment = this.#cells.segmentAt(position);
        const readers = this.#cells.readers(segment);
        const row = this.#cells.row(segment, position);
        for (let order = 0; order < readers.length; order++) values[order]![at] = readers[order]!(row);
      }
    };
    await inPieces(rows.length, STEP, read, this.#slicer);
    return values;
  }

  /** Indices of rows, which are given in the order of their positions, in sorted order. */
  async #sorted(rows: Uint32Array, values: readonly unknown[][]): Promise<Uint32Array> {
    const indices = Uint32Array.from(rows.keys());
    if (this.#orders.length === 0) return indices;
    const compare = (one: number, other: number): number => {
      for (let order = 0; order < values.length; order++) {
        const difference = this.#orders[order]!.compare(values[order]![one], values[order]![other]);
        if (difference !== 0) return difference;
      }
      return 0;
    };
    return mergeSort(indices, compare, this.#slicer);
  }

  /** Numbers of the groups of rows. */
  async #numbersOf(rows: Uint32Array, unique: UniqueValues): Promise<Uint32Array> {
    const { groupBy } = this.#before.query;
    return (await groupsOf(new IndexList(this.#list.source, rows), groupBy!, this.#options, unique)).numbers;
  }

  /** For each of some sorted rows, the index of the stayed row that it comes before. The middle one halves the search for the others. */
  async #placesAmong(stayed: Uint32Array, rows: Uint32Array, sorted: Uint32Array, values: readonly unknown[][]): Promise<Uint32Array> {
    const before = new Uint32Array(sorted.length);
    if (sorted.length === 0) return before;
    // Ranges of the rows, and of the stayed ones that they are among.
    const open = [0, sorted.length, 0, stayed.length];
    for (let step = 1; open.length > 0; step++) {
      const to = open.pop()!;
      const from = open.pop()!;
      const end = open.pop()!;
      const first = open.pop()!;
      const middle = (first + end) >> 1;
      const row = sorted[middle]!;
      // All rows of a range are equal by the orders by which the rows before and after it are equal.
      const equal = first > 0 && end < sorted.length ? this.#equalOrders(values, sorted[first - 1]!, sorted[end]!) : 0;
      let low = from;
      for (let high = to; low < high;) {
        const at = (low + high) >> 1;
        if (this.#isBefore(rows[row]!, values, row, stayed[at]!, equal)) high = at;
        else low = at + 1;
      }
      before[middle] = low;
      if (first < middle) open.push(first, middle, from, low);
      if (middle + 1 < end) open.push(middle + 1, end, low, to);
      if (step % SEARCHES === 0 && this.#slicer.due()) await this.#slicer.pause();
    }
    return before;
  }

  /** Number of the first orders by which two rows are equal. */
  #equalOrders(values: readonly unknown[][], one: number, other: number): number {
    let order = 0;
    while (order < values.length && this.#orders[order]!.compare(values[order]![one], values[order]![other]) === 0) order++;
    return order;
  }

  /** True if a row comes before another one, by its values or else by its position. They are equal by the first orders. */
  #isBefore(position: number, values: readonly unknown[][], row: number, other: number, equal: number): boolean {
    if (equal < values.length) {
      const segment = this.#cells.segmentAt(other);
      const readers = this.#cells.readers(segment);
      const at = this.#cells.row(segment, other);
      for (let order = equal; order < values.length; order++) {
        const difference = this.#orders[order]!.compare(values[order]![row], readers[order]!(at));
        if (difference !== 0) return difference < 0;
      }
    }
    return position < other;
  }
}
