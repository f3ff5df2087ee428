import { RECORDS, ROW_LIST } from '../../core/values/record-list.ts';
import { MINOR_GC } from '../../core/slicing/minor-gc.ts';
import { inSlices, Slicer } from '../../core/slicing/slicer.ts';
import { type ColumnForm, type ColumnForms, columnsOf, convertedColumn, type MaskedColumn } from './column-forms.ts';
import { type ColumnTypes, type ColumnValues, inOneGo, type RowList } from '../../core/rows/row-list.ts';
import type { PathValue, RowPath } from '../../core/rows/paths.ts';
import { ArrowColumn, arrowSchema, type ArrowSchema } from '../tables/arrow.ts';
import { type RowPredicate, type RowReader, RowTester } from '../tables/row-reader.ts';
import type { RowCondition, ValueCondition } from '../tables/condition.ts';
import type { SortOptions, SortOrders } from '../tables/sort.ts';
import type { ColumnCodes } from '../tables/tables.ts';
import type * as TablesModule from '../tables/tables.ts';

export type { ColumnForm, ColumnForms, MaskedColumn } from './column-forms.ts';
export type { ColumnTypes, ColumnValues } from '../../core/rows/row-list.ts';

/** Number of records that a loop reads at a time. */
const PIECE = 1024;

/** Records shown in a console. */
const SHOWN = 5;

/** Functions cannot be cloned; Chromium and Node quote the function's text in the error. */
const [uncloneable] = Object.values({ 'Rows cannot be cloned; clone rows.toArray()'() {} });

/** A callback of loops, like those of arrays. */
type Callback<T, All, Result> = (record: T, index: number, rows: All) => Result;

/** Cancels a method that works in slices. */
export interface RowsOptions {
  /** Aborts the work; the promise rejects with its reason. */
  signal?: AbortSignal | undefined;
}

/** Options of methods that take keys. */
export interface KeyOptions extends RowsOptions {
  /** Keys and paths that may be absent from all records, so that they are no error then. */
  optional?: readonly string[] | undefined;
}

/** How a view shows its rows. All parts are optional: without any, it shows the rows as they are. */
export interface ViewOptions<T, K extends RowPath<T> = RowPath<T>> {
  /**
   * Conditions, or a predicate, as for `Rows.filter`. The predicate gets the row alone, and is called again only for rows that have
   * changed: its result must depend on nothing else.
   */
  filter?: RowCondition<T> | ((row: RowReader<T>) => boolean) | undefined;
  /** Keys, paths or a comparison, as for `Rows.sortBy`. Default: the order of the rows. */
  sortBy?: SortOrders<T> | undefined;
  /** Key or path by whose values the shown rows are grouped. Default: no groups. */
  groupBy?: K | undefined;
  /** Language or collator that orders strings, as for `Rows.sortBy`. */
  locale?: SortOptions['locale'];
  /** Keys and paths that may be absent from all records, so that they are no error then. */
  optional?: readonly RowPath<T>[] | undefined;
}

/** State of a view. It never changes: a view that shows other rows gets another one. */
export interface ViewSnapshot<T, K extends RowPath<T> = RowPath<T>> {
  /** The rows that fit the filter, in the order of the view: the same object as long as these are the same records. */
  readonly rows: Rows<T>;
  /**
   * The rows by the values of `groupBy`, in the order of the rows; empty without it. A group is the same object as long as it has the
   * same records, and so is the Map.
   */
  readonly groups: ReadonlyMap<PathValue<T, K>, Rows<T>>;
  /** The error with which the last update rejected; undefined if it did not. */
  readonly error: unknown;
}

/**
 * Rows that are filtered, sorted and grouped, and stay so: a view follows the rows of refetches, and rows that grow. Created by
 * `Rows.view`.
 */
export interface RowsView<T, K extends RowPath<T> = RowPath<T>> extends ViewSnapshot<T, K> {
  /**
   * Shows the rows of a refetch, or any others, and changes options: those that are not named stay, and one that is undefined is
   * removed. Rows that the earlier ones had too, as after a decode with `previous`, are neither tested nor sorted again. Resolves
   * once the view shows the rows, together with calls that came later. Rejects like `Rows.filter` and `Rows.sortBy`; the view then
   * keeps the rows and options that it had, and the error is in its snapshot too, so that the promise may be ignored. A key that some
   * record had once is known, even if it is absent from all later rows.
   *
   * @example
   * await view.update(await response.rows({ previous }));
   */
  update(rows: Rows<T>, options?: ViewOptions<T, K>): Promise<void>;
  /**
   * Changes options, as with rows.
   *
   * @example
   * await view.update({ sortBy: { key: 'placed', descending: true } });
   */
  update(options: ViewOptions<T, K>): Promise<void>;
  /**
   * Calls `listener` whenever the snapshot has changed, until the returned function is called. With `getSnapshot`, it fits React's
   * `useSyncExternalStore`; both need no receiver.
   *
   * @example
   * const { rows } = useSyncExternalStore(view.subscribe, view.getSnapshot);
   */
  readonly subscribe: (listener: () => void) => () => void;
  /** The state of the view: the same object until it shows other rows. */
  readonly getSnapshot: () => ViewSnapshot<T, K>;
  /** Stops following rows that grow. Later updates still work. */
  close(): void;
}

type Tables = typeof TablesModule;

/** Keys of columns, and paths into nested records. */
type ColumnPath<T, C> = (keyof C & string) | RowPath<T>;

/** Type of the column of a key or path. */
type ColumnAt<T, C, K> = K extends keyof C ? C[K] : ColumnValues<PathValue<T, K>>;

type AnyColumnOptions = { [Name in keyof ColumnOptions]?: ColumnOptions[Name] | undefined };

/** The form of a column. */
export interface ColumnOptions<A extends ColumnForm = ColumnForm> {
  /** The form of the values, whatever the data: see `ColumnForms`. */
  as: A;
  /** Returns `{ values, mask }`, where the mask tells null and absent keys apart. Default false. */
  mask?: boolean | undefined;
}

/**
 * A long list of records that are built when they are read. `at` returns the same object for a row as long as the
 * application holds that object. Do not change records: other methods may build them again.
 *
 * Reads like an array that cannot be changed (`length`, `at`, iteration, `slice`, `find`, `map`) but is not one: see
 * `isRows`. Where an array is required, spread it, or call `toArray()` or `toArrayAsync()`: `structuredClone`,
 * `postMessage` and IndexedDB throw for `Rows`. Items that are not records, such as null, are returned unchanged and have
 * no keys.
 *
 * Where a key is taken, a path leads into nested records: `'customer.city'`, `'lines.length'`.
 *
 * `filter`, `where`, `sortBy`, `distinct`, `codes` and `groupBy` read the columns in slices of a few milliseconds, so that the
 * page stays responsive. Their results are `Rows` over the same columns, with 4 bytes for each row; rows that are
 * appended later are not in them. The code of these methods loads with the first call.
 */
export class Rows<T = unknown, C = ColumnTypes<T>> implements Iterable<T> {
  /** Makes `structuredClone`, `postMessage` and IndexedDB throw a DataCloneError instead of storing an empty object. */
  protected readonly uncloneable = uncloneable;
  readonly #list: RowList;

  /** @internal Created by a decode with `as: 'rows'`. */
  constructor(list: RowList) {
    this.#list = list;
  }

  get [Symbol.toStringTag](): string {
    return 'Rows';
  }

  /** Number of records. */
  get length(): number {
    return this.#list.length;
  }

  /** Names of the columns: the keys of the records, in order of first occurrence. Of an empty list, those that a schema names. */
  get columnNames(): string[] {
    return [...this.#list.keys()];
  }

  /** Returns the record at an index, counted from the end if negative; undefined if out of range. */
  at(index: number): T | undefined {
    const position = Math.trunc(index) || 0;
    const row = position < 0 ? position + this.length : position;
    return row < 0 || row >= this.length ? undefined : (this.#list.record(row) as T);
  }

  *[Symbol.iterator](): Generator<T, void, undefined> {
    for (let from = 0; from < this.length; from += PIECE) yield* this[RECORDS](from, Math.min(from + PIECE, this.length));
  }

  /** Iterates over the records, like `Array.prototype.values`. */
  values(): Generator<T, void, undefined> {
    return this[Symbol.iterator]();
  }

  /** Iterates over pairs of index and record. */
  *entries(): Generator<[number, T], void, undefined> {
    let index = 0;
    for (const record of this) yield [index++, record];
  }

  /** Calls a function with each record, in one go. */
  forEach(callback: Callback<T, this, void>): void {
    for (const [index, record] of this.entries()) callback(record, index, this);
  }

  /** Returns the results of a function for each record as an array. Builds all records in one go. */
  map<Result>(callback: Callback<T, this, Result>): Result[] {
    const results: Result[] = [];
    for (const [index, record] of this.entries()) results.push(callback(record, index, this));
    return results;
  }

  /** Combines all records to one value, like `Array.prototype.reduce`. Builds all records in one go. */
  reduce(callback: (value: T, record: T, index: number, rows: this) => T): T;
  reduce<Result>(callback: (value: Result, record: T, index: number, rows: this) => Result, initial: Result): Result;
  reduce<Result>(callback: (value: Result, record: T, index: number, rows: this) => Result, ...initial: [] | [Result]): Result {
    if (initial.length === 0 && this.length === 0) throw new TypeError('reduce of empty Rows requires an initial value');
    // Without an initial value, the first record is one.
    let value = initial.length > 0 ? initial[0] : undefined;
    for (const [index, record] of this.entries()) {
      value = index === 0 && initial.length === 0 ? (record as unknown as Result) : callback(value as Result, record, index, this);
    }
    return value as Result;
  }

  /**
   * Returns the first record that a predicate accepts; undefined if it accepts no record. Searches in one go, without building
   * other records: the predicate reads the columns of a row (see `RowReader`).
   */
  find<Result>(predicate: RowPredicate<T, this, Result>): T | undefined {
    return this.#recordAt(this.findIndex(predicate));
  }

  /** Returns the index of the first record that a predicate accepts, as `find` does; −1 if it accepts no record. */
  findIndex<Result>(predicate: RowPredicate<T, this, Result>): number {
    const accepts = this.#tester(predicate);
    for (let index = 0; index < this.length; index++) if (accepts(index)) return index;
    return -1;
  }

  /** Returns the last record that a predicate accepts, as `find` does; undefined if it accepts no record. */
  findLast<Result>(predicate: RowPredicate<T, this, Result>): T | undefined {
    return this.#recordAt(this.findLastIndex(predicate));
  }

  /** Returns the index of the last record that a predicate accepts, as `find` does; −1 if it accepts no record. */
  findLastIndex<Result>(predicate: RowPredicate<T, this, Result>): number {
    const accepts = this.#tester(predicate);
    for (let index = this.length - 1; index >= 0; index--) if (accepts(index)) return index;
    return -1;
  }

  /** True if a predicate accepts any record. Searches in one go, as `find` does. */
  some<Result>(predicate: RowPredicate<T, this, Result>): boolean {
    return this.findIndex(predicate) >= 0;
  }

  /** True if a predicate accepts all records. Searches in one go, as `find` does. */
  every<Result>(predicate: RowPredicate<T, this, Result>): boolean {
    return this.findIndex((row, index, rows) => !predicate(row, index, rows)) < 0;
  }

  /**
   * Returns the records from `start` up to but not including `end`, with the indices of `Array.prototype.slice`. Builds
   * nothing.
   */
  slice(start = 0, end = this.length): Rows<T, C> {
    const from = clamp(start, this.length);
    return new Rows<T, C>(this.#list.slice(from, Math.max(from, clamp(end, this.length))));
  }

  /**
   * Resolves to the rows that a condition or a predicate accepts, in the same order. A condition names keys, and a value
   * or comparison for each (see `RowCondition`); it builds no objects. Nor does a predicate that reads its row: it gets a
   * `RowReader`, which is not the record. Where a predicate needs the record, it calls `rows.at(index)`. Rejects with an
   * error that the predicate throws, with a TypeError for an invalid condition and a predicate that returns a promise, and
   * with the signal's reason.
   *
   * @example
   * const open = await orders.filter({ status: 'open', total: { gte: 100 } });
   * const large = await orders.filter((order) => order.items.length > 10);
   */
  filter<Result>(test: RowCondition<T> | RowPredicate<T, this, Result>, options: KeyOptions = {}): Promise<Rows<T, C>> {
    return this.#found((tables, list) => tables.filterRows(list, test, this, options));
  }

  /**
   * Resolves to the rows whose value of a key or path fits a condition: a value, comparisons, or a function that gets the value.
   * A function is called once for each unique string of a column with few of them. Rejects like `filter`.
   *
   * @example
   * const found = await stations.where('name', (name) => name.includes(text));
   */
  where<K extends RowPath<T>>(key: K, condition: ValueCondition<PathValue<T, K>>, options?: KeyOptions): Promise<Rows<T, C>>;
  where(...given: [key: string, condition: unknown, options?: KeyOptions]): Promise<Rows<T, C>> {
    return this.#found((tables, list) => tables.whereRows(list, given));
  }

  /**
   * Resolves to the rows in the order of one or more keys or paths. The sort is stable. Null, undefined, absent keys, NaN and
   * invalid dates come last in either direction. Values of several types are ordered by type: booleans, numbers and
   * bigints, dates, strings, others. Strings are compared by their code units, or by `locale`. A function of two records
   * orders them as in arrays; it builds all records. Rejects with a TypeError for an invalid key or one that no record has,
   * and with the signal's reason.
   *
   * @example
   * const sorted = await orders.sortBy([{ key: 'placed', descending: true }, 'name'], { locale: 'de' });
   */
  sortBy(orders: SortOrders<T>, options: SortOptions = {}): Promise<Rows<T, C>> {
    return this.#found((tables, list) => tables.sortRows(list, orders, options));
  }

  /**
   * Resolves to the unique values of a key, in order of first occurrence. Values are equal as keys of a Map are, dates by
   * their time. Absent keys count as undefined. Rejects with the signal's reason.
   */
  async distinct<K extends RowPath<T>>(key: K, options: KeyOptions = {}): Promise<PathValue<T, K>[]> {
    return (await this.codes(key, options)).values;
  }

  /**
   * Resolves to a column as codes and values, for charts that color, group or filter by a key with few values: `values` are
   * those of `distinct`, and `codes` has for each row the index of its value. Strings of a dictionary are not read row by
   * row. Rejects with a TypeError if the key is not a string, and with the signal's reason.
   *
   * @example
   * const { codes, values } = await trips.codes('vendor');
   * const colors = codes.map((code) => palette[code % palette.length]);
   */
  codes<K extends RowPath<T>>(key: K, options: KeyOptions = {}): Promise<ColumnCodes<PathValue<T, K>>> {
    return this.#tables(async (tables, list) => (await tables.columnCodes(list, key, options)) as ColumnCodes<PathValue<T, K>>);
  }

  /**
   * Groups the rows by the values of a key, like `Map.groupBy`: resolves to a Map of each unique value to its `Rows`, whose
   * `length` is the count. Values are equal as in `distinct`. Rejects with the signal's reason.
   *
   * @example
   * for (const [status, { length }] of await orders.groupBy('status')) chart.bar(status, length);
   */
  async groupBy<K extends RowPath<T>>(key: K, options: KeyOptions = {}): Promise<Map<PathValue<T, K>, Rows<T, C>>> {
    const groups = await this.#tables((tables, list) => tables.groupRows(list, key, options));
    return new Map(groups.map(({ value, list }) => [value as PathValue<T, K>, new Rows<T, C>(list)]));
  }

  /**
   * Resolves to a view: the rows filtered, sorted and grouped, which an update with the rows of a refetch brings up to date in far
   * less time than new calls take. A view of rows that grow follows them by itself. Rejects like `filter` and `sortBy`.
   *
   * @example
   * const view = await orders.view({ filter: { status: 'open' }, sortBy: 'placed' });
   * view.subscribe(() => table.draw(view.rows));
   */
  async view<K extends RowPath<T> = RowPath<T>>(options: ViewOptions<T, K> = {}): Promise<RowsView<T, K>> {
    const { openView } = await import('../tables/view/rows-view.ts');
    return (await openView(this, options, (list) => new Rows(list))) as unknown as RowsView<T, K>;
  }

  /**
   * Returns the values of one key in the form `as`, which does not depend on the data. Throws a TypeError that names the row
   * whose value does not fit the form. Lazy rows, such as records of nested lists, are read in one task: see `columnAsync`.
   *
   * @example
   * const minutes = trips.column('minutes', { as: 'float64' }); // Float64Array, NaN where there is no value
   */
  column<K extends ColumnPath<T, C>, A extends ColumnForm>(
    key: K,
    options: ColumnOptions<A> & { mask: true },
  ): MaskedColumn<ColumnForms<PathValue<T, K>>[A]>;
  column<K extends ColumnPath<T, C>, A extends ColumnForm>(
    key: K,
    options: ColumnOptions<A> & { mask?: false | undefined },
  ): ColumnForms<PathValue<T, K>>[A];
  /**
   * Returns the values of one key as they are stored: an Int32Array, Float64Array or BigInt64Array if every record has such
   * a number, otherwise an array with undefined for records without the key. Returns undefined if there is no such column.
   */
  column<K extends ColumnPath<T, C>>(key: K): ColumnAt<T, C, K> | undefined;
  column(key: string, options?: ColumnOptions): unknown {
    return inOneGo(this.#column(key, options));
  }

  /**
   * Reads a column like `column`, in slices of a few milliseconds so that the page stays responsive. Rejects with the
   * signal's reason.
   */
  columnAsync<K extends ColumnPath<T, C>, A extends ColumnForm>(
    key: K,
    options: ColumnOptions<A> & RowsOptions & { mask: true },
  ): Promise<MaskedColumn<ColumnForms<PathValue<T, K>>[A]>>;
  columnAsync<K extends ColumnPath<T, C>, A extends ColumnForm>(
    key: K,
    options: ColumnOptions<A> & RowsOptions & { mask?: false | undefined },
  ): Promise<ColumnForms<PathValue<T, K>>[A]>;
  columnAsync<K extends ColumnPath<T, C>>(key: K, options?: RowsOptions & { as?: undefined }): Promise<ColumnAt<T, C, K> | undefined>;
  async columnAsync(key: string, { signal, ...form }: AnyColumnOptions & RowsOptions = {}): Promise<unknown> {
    return inSlices(this.#column(key, form), new Slicer(signal), signal);
  }

  /**
   * Returns all columns by key. Throws a LimitError if the records have few of their keys in common, so that far more cells would
   * be empty than filled (see `Limits.expansion`).
   */
  columns(): Record<string, ColumnValues> {
    return columnsOf(this.#list);
  }

  /** Number of records: with `schema` and `getChild`, what libraries that draw Arrow tables ask for. */
  get numRows(): number {
    return this.length;
  }

  /** Number of keys. */
  get numCols(): number {
    return this.columnNames.length;
  }

  /** The columns with their types, as Arrow tables have them. */
  get schema(): ArrowSchema {
    return arrowSchema(this.#list);
  }

  /** Returns the values of a key with the interface of an Arrow vector; null if no record has it. */
  getChild<K extends keyof T & string>(key: K): ArrowColumn | null {
    return this.columnNames.includes(key) ? new ArrowColumn(this.#list, key) : null;
  }

  /** Returns a column by its index among the keys, like `getChild`. */
  getChildAt(index: number): ArrowColumn | null {
    return this.getChild(this.columnNames[index] as keyof T & string);
  }

  /** Returns the record at an index, like `at`. */
  get(index: number): T | undefined {
    return this.at(index);
  }

  /**
   * Returns the records of a range, for encoders.
   *
   * @internal
   */
  [RECORDS](from: number, to: number): T[] {
    return this.#list.records(from, to) as T[];
  }

  /**
   * The list over the columns, for encoders.
   *
   * @internal
   */
  get [ROW_LIST](): RowList {
    return this.#list;
  }

  /** Returns the records as an array, for `JSON.stringify`. */
  toJSON(): T[] {
    return this.toArray();
  }

  /**
   * Shows the first records in the console of Node.
   *
   * @internal
   */
  [Symbol.for('nodejs.util.inspect.custom')](_depth: number, options: object, inspect: (value: unknown, options: object) => string): string {
    return `Rows(${this.length}) ${inspect(this[RECORDS](0, Math.min(this.length, SHOWN)), options)}`;
  }

  /** Builds all records in one go, as an array. This is a long task if there are many. */
  toArray(): T[] {
    return inOneGo(this.#list.build()) as T[];
  }

  /** Builds all records as an array, in slices of a few milliseconds so that the page stays responsive. */
  async toArrayAsync({ signal }: RowsOptions = {}): Promise<T[]> {
    return (await inSlices(this.#list.build(), new Slicer(signal, { building: MINOR_GC }), signal)) as T[];
  }

  /**
   * Appends the records of another list, without copying them.
   *
   * @internal
   */
  protected append(rows: Rows): void {
    this.#list.source.push(rows.#list.source.runs);
  }

  /** Calls a function of tables with the rows that are there now: a list may grow while a method waits for its code or its next slice. */
  async #tables<Result>(call: (tables: Tables, list: RowList) => Promise<Result>): Promise<Result> {
    const list = this.#list.slice(0, this.length);
    return call(await import('../tables/tables.ts'), list);
  }

  /** Resolves to the rows that a function of tables finds. */
  async #found(call: (tables: Tables, list: RowList) => Promise<RowList>): Promise<Rows<T, C>> {
    return new Rows<T, C>(await this.#tables(call));
  }

  *#column(key: string, { as, mask }: AnyColumnOptions = {}): Generator<undefined, unknown, undefined> {
    if (as === undefined) return yield* this.#list.column(key);
    const column = yield* convertedColumn(this.#list, key, as);
    return mask ? column : column.values;
  }

  #recordAt(index: number): T | undefined {
    return index < 0 ? undefined : this.at(index);
  }

  /** A function that returns a predicate's result for the row at an index. */
  #tester(predicate: RowPredicate<T, this>): (index: number) => unknown {
    const { source, index: positions } = this.#list;
    const tester = new RowTester(source, predicate, this);
    return (index) => tester.result(positions ? positions[index]! : index, index);
  }
}

function clamp(index: number, length: number): number {
  const position = Math.trunc(index) || 0;
  return position < 0 ? Math.max(position + length, 0) : Math.min(position, length);
}

/**
 * True for `Rows`, also those of another copy of the library. `Array.isArray` is false for them.
 *
 * @example
 * const count = isRows(list) || Array.isArray(list) ? list.length : 0;
 */
export function isRows(value: unknown): value is Rows {
  return typeof value === 'object' && value !== null && ROW_LIST in value;
}
