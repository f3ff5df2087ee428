import { checkNames } from '../../../core/check-names.ts';
import { isDate } from '../../../core/values/class-of.ts';
import { ROW_LIST } from '../../../core/values/record-list.ts';
import { isRecord } from '../../../core/values/property.ts';
import type { RowList } from '../../../core/rows/row-list.ts';
import { Slicer } from '../../../core/slicing/slicer.ts';
import { IndexList } from '../index-list.ts';
import { inPieces, PIECE } from '../pieces.ts';
import { indicesByNumber } from '../tables.ts';
import { followRows, orderRows, type ViewOrder, type ViewQuery } from './view-order.ts';

/** Rows, as far as a view needs them. Those that grow tell of it. */
interface ViewedRows {
  readonly length: number;
  readonly [ROW_LIST]: RowList;
  readonly subscribe?: (listener: () => void) => () => void;
}

/** Creates the rows of a list. */
type MakeRows<Shown> = (list: RowList) => Shown;

interface Snapshot<Shown> {
  readonly rows: Shown;
  readonly groups: ReadonlyMap<unknown, Shown>;
  readonly error: unknown;
}

/** Rows that a view hands out, and the list that they read. */
interface Given<Shown> {
  readonly rows: Shown;
  readonly list: IndexList;
}

/** All that a view hands out. */
interface GivenRows<Shown> {
  readonly all: Given<Shown>;
  readonly groups: ReadonlyMap<unknown, Given<Shown>>;
}

/** Rows and options that a view is to show. */
interface Wanted {
  readonly list: RowList;
  readonly query: ViewQuery;
}

const OPTIONS = ['filter', 'sortBy', 'groupBy', 'locale', 'optional'];

/** Resolves to a view once it shows its rows. `make` creates the rows of a list. */
export async function openView<Shown>(rows: ViewedRows, options: ViewQuery, make: MakeRows<Shown>): Promise<RowsView<Shown>> {
  const view = new RowsView(make);
  try {
    await view.update(rows, options);
  } catch (error) {
    view.close();
    throw error;
  }
  return view;
}

/** Rows that are filtered, sorted and grouped, and stay so: see the interface of this name in `rows.ts`. */
class RowsView<Shown> {
  readonly #make: MakeRows<Shown>;
  readonly #listeners = new Set<() => void>();
  /** The rows in the order in which they are shown, and as they were handed out. */
  #order: ViewOrder | undefined;
  #given: GivenRows<Shown> | undefined;
  #snapshot: Snapshot<Shown> | undefined;
  /** The rows and options shown last, and those to show next. */
  #shown: Wanted | undefined;
  #wanted: Wanted | undefined;
  #settling: Promise<void> | undefined;
  #abort = new AbortController();
  #unsubscribe: (() => void) | undefined;

  constructor(make: MakeRows<Shown>) {
    this.#make = make;
  }

  get rows(): Shown {
    return this.getSnapshot().rows;
  }

  get groups(): ReadonlyMap<unknown, Shown> {
    return this.getSnapshot().groups;
  }

  get error(): unknown {
    return this.#snapshot?.error;
  }

  // A view is handed out once it has a snapshot.
  readonly getSnapshot = (): Snapshot<Shown> => this.#snapshot!;

  readonly subscribe = (listener: () => void): (() => void) => {
    // A function of its own, so that a listener can be added twice.
    const call = (): void => listener();
    this.#listeners.add(call);
    return () => void this.#listeners.delete(call);
  };

  readonly close = (): void => {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  };

  update(rows: ViewedRows, options?: ViewQuery): Promise<void>;
  update(options: ViewQuery): Promise<void>;
  update(given: ViewedRows | ViewQuery, options?: ViewQuery): Promise<void> {
    const updated = this.#update(given, options);
    // The snapshot has the error too.
    updated.catch(() => {});
    return updated;
  }

  async #update(given: ViewedRows | ViewQuery, more: ViewQuery = {}): Promise<void> {
    const [rows, options] = hasList(given) ? [given, more] : [undefined, given];
    checkNames(options, OPTIONS);
    const before = this.#wanted;
    const query = { ...before?.query, ...(copyOf(options) as ViewQuery) };
    if (rows !== undefined) this.#follow(rows);
    const list = rows === undefined ? before!.list : listOf(rows);
    if (!before || !isSameQuery(query, before.query)) {
      this.#wanted = { list, query };
      // The order by other options is no longer wanted.
      this.#abort.abort();
    } else if (list !== before.list) this.#wanted = { list, query: before.query };
    await this.#settle();
  }

  /** Follows rows if they grow, and no longer those before them. */
  #follow(rows: ViewedRows): void {
    this.close();
    this.#unsubscribe = rows.subscribe?.(() => {
      this.#wanted = { ...this.#wanted!, list: listOf(rows) };
      // The snapshot has the error.
      this.#settle().catch(() => {});
    });
  }

  /** Shows what is wanted, until nothing else is. */
  #settle(): Promise<void> {
    return (this.#settling ??= this.#showWanted());
  }

  async #showWanted(): Promise<void> {
    // Begins later, so that calls in one task are one.
    await Promise.resolve();
    try {
      while (this.#wanted !== this.#shown) {
        const wanted = this.#wanted!;
        this.#abort = new AbortController();
        try {
          await this.#show(wanted, this.#abort.signal);
        } catch (error) {
          // Something else is wanted by now.
          if (this.#wanted !== wanted) continue;
          this.#wanted = this.#shown;
          if (this.#snapshot) this.#tell({ ...this.#snapshot, error });
          throw error;
        }
      }
    } finally {
      this.#settling = undefined;
    }
  }

  async #show(wanted: Wanted, signal: AbortSignal): Promise<void> {
    const order = this.#order ? await followRows(this.#order, wanted.query, wanted.list, signal) : await orderRows(wanted.query, wanted.list, signal);
    const give = await this.#rowsOf(order, signal);
    // Nothing waits from here on, so that all that is shown belongs together.
    this.#order = order;
    this.#shown = wanted;
    const before = this.#given;
    const given = give();
    this.#given = given;
    const hasSameGroups = before !== undefined && isSameMap(before.groups, given.groups);
    if (hasSameGroups && before.all === given.all && this.error === undefined) return;
    const groups = hasSameGroups ? this.groups : new Map([...given.groups].map(([value, { rows }]) => [value, rows]));
    this.#tell({ rows: given.all.rows, groups, error: undefined });
  }

  /** The lists of rows that are shown, and of their groups: those of before where they have the same records. */
  async #rowsOf({ index, numbers, unique, list, places: earlierPlaces }: ViewOrder, signal: AbortSignal): Promise<() => GivenRows<Shown>> {
    const slicer = new Slicer(signal);
    const given = this.#given;
    const moves: (() => void)[] = [];
    /** The rows of before if they are the same; otherwise new ones. */
    const rowsAt = async (places: Uint32Array, before: Given<Shown> | undefined): Promise<Given<Shown>> => {
      if (before && (await hasSame(before.list.index, places, earlierPlaces, slicer))) {
        moves.push(() => Object.assign(before.list, { source: list.source, index: places }));
        return before;
      }
      const own = new IndexList(list.source, places);
      return { rows: this.#make(own), list: own };
    };
    slicer.begin();
    try {
      const all = await rowsAt(index, given?.all);
      const groups = new Map<unknown, Given<Shown>>();
      for (const group of numbers ? await indicesByNumber(index, numbers, slicer) : []) {
        const value = unique.values[group.number];
        groups.set(value, await rowsAt(group.index, given?.groups.get(value)));
      }
      return () => {
        for (const move of moves) move();
        return { all, groups };
      };
    } finally {
      slicer.end();
    }
  }

  /** Makes another snapshot, and tells the listeners. */
  #tell(snapshot: Snapshot<Shown>): void {
    this.#snapshot = Object.freeze(snapshot);
    for (const listener of this.#listeners) callListener(listener);
  }
}

/** True for rows; options are no rows. Throws a TypeError for anything else. */
function hasList(given: object): given is ViewedRows {
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return ROW_LIST in given;
  throw new TypeError('update of a view takes Rows, or options such as { sortBy: "placed" }; for Rows, decode with { as: "rows" }');
}

/** The rows' list. That of rows that grow is cut, so that it stays as it is. */
function listOf(rows: ViewedRows): RowList {
  return rows.subscribe ? rows[ROW_LIST].slice(0, rows.length) : rows[ROW_LIST];
}

/** True if the rows of before are the same as those at `index`; `places` has their new positions. */
async function hasSame(before: Uint32Array, index: Uint32Array, places: Int32Array | undefined, slicer: Slicer): Promise<boolean> {
  let isSame = before.length === index.length;
  const compare = (first: number, end: number): void => {
    for (let at = first; isSame && at < end; at++) isSame = (places ? places[before[at]!] : before[at]) === index[at];
  };
  if (isSame) await inPieces(index.length, PIECE, compare, slicer);
  return isSame;
}

function isSameMap(one: ReadonlyMap<unknown, unknown>, other: ReadonlyMap<unknown, unknown>): boolean {
  if (one.size !== other.size) return false;
  const entries = other.entries();
  for (const [key, value] of one) {
    const [otherKey, otherValue] = entries.next().value!;
    if (!Object.is(key, otherKey) || value !== otherValue) return false;
  }
  return true;
}

/** True if a view with one of these options shows the same as one with the other. */
function isSameQuery(one: ViewQuery, other: ViewQuery): boolean {
  return OPTIONS.every((name) => isEqual(one[name as keyof ViewQuery], other[name as keyof ViewQuery]));
}

/** True for equal values in options; functions and collators are equal to themselves alone. */
function isEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (isDate(one) && isDate(other)) return Object.is(one.getTime(), other.getTime());
  if (!isContainer(one) || !isContainer(other)) return false;
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => Object.hasOwn(other, key) && isEqual(one[key], other[key]));
}

/** A copy of options, which the application may change and pass again. */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  return isContainer(value) ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copyOf(inner)])) : value;
}

/** True for arrays and plain objects. */
function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return Array.isArray(value) || isRecord(value);
}

/** Calls a listener. An error that it throws is uncaught, and keeps neither other listeners nor the view from going on. */
function callListener(listener: () => void): void {
  try {
    listener();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
