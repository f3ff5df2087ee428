import { KIND_BIGINT64, KIND_FLOAT64, KIND_INT32, KIND_VARIANT, STATE_ABSENT, STATE_VALUE } from '../../core/block/block.ts';
import type { Group, TableData } from './block.ts';
import { isRecord } from './property.ts';
import { Slicer } from '../slicing/slicer.ts';
import { MINOR_GC } from '../engine/minor-gc.ts';
import type { BuildsRows, Run } from './row-source.ts';
import { RECORDS, RUNS } from '../../core/reading/record-list.ts';
import { groupAt } from './table.ts';

/** A range of a row group, or of records that are objects already. */
interface Piece {
  table: TableData;
  group: Group | undefined;
  from: number;
  to: number;
  builder: BuildsRows | undefined;
}

/** Records read in one go if they are objects already. */
const OBJECTS = 1024;

/**
 * Keys of lazy rows by the range of their group, so that the rows are read once for all keys. Shared by all lists,
 * since a document may have many short ones.
 */
const rawKeys = new WeakMap<Group, Map<string, Set<string>>>();

/** Functions cannot be cloned; Chromium and Node quote the function's text in the error. */
const [uncloneable] = Object.values({ 'Rows cannot be cloned; clone rows.toArray()'() {} });

/**
 * Values of one key for every row of a list, where those of a record have the type `V`: a typed array if all are numbers,
 * or all bigints of 64 bits, otherwise an array.
 */
export type ColumnValues<V = unknown> = unknown extends V
  ? Int32Array | Float64Array | BigInt64Array | unknown[]
  : (V extends number ? Int32Array | Float64Array : V extends bigint ? BigInt64Array : never) | ([V] extends [number] ? never : V[]);

/**
 * Types of the columns by key, of a list whose items have the type `T`. Items that are no records have undefined in each
 * column.
 */
export type ColumnTypes<T, Absent = T extends object ? never : undefined> = unknown extends T
  ? Record<string, ColumnValues>
  : T extends object
    ? { [K in keyof T]-?: ColumnValues<T[K] | Absent> }
    : never;

/**
 * A long list of records that are built when they are read. Each read returns a new plain object: keep references to
 * records that you compare by identity, or use `toArray()`.
 *
 * Reads like an array (`length`, `at`, iteration, `slice`) but is not one. Where an array is required, spread it, or
 * call `toArray()` or `toArrayAsync()`: `structuredClone`, `postMessage` and IndexedDB throw for `Rows`. Batches and
 * growing rows may also contain items that are not records; these are returned unchanged and have no keys.
 */
export class Rows<T = unknown, C = ColumnTypes<T>> implements Iterable<T> {
  /** Makes `structuredClone`, `postMessage` and IndexedDB throw a DataCloneError instead of storing an empty object. */
  protected readonly uncloneable = uncloneable;
  readonly #runs: Run[] = [];
  /** Index of each run's first record in the list. */
  readonly #starts: number[] = [];
  #length = 0;

  /** @internal Created by a decode with `as: 'rows'`. */
  constructor(runs: readonly Run[]) {
    this.#push(runs);
  }

  /** Number of records. */
  get length(): number {
    return this.#length;
  }

  /** Names of the columns: the keys of the records, in order of first occurrence. */
  get columnNames(): string[] {
    const keys = new Set<string>();
    for (const piece of this.#pieces(0, this.length)) for (const key of this.#keysIn(piece)) keys.add(key);
    return [...keys];
  }

  /** Returns the record at an index, counted from the end if negative; undefined if out of range. */
  at(index: number): T | undefined {
    const position = Math.trunc(index) || 0;
    const row = position < 0 ? position + this.length : position;
    if (row < 0 || row >= this.length) return undefined;
    const [record] = this.#build(row, row + 1);
    return record as T;
  }

  *[Symbol.iterator](): Generator<T, void, undefined> {
    for (const piece of this.#pieces(0, this.length)) yield* this.#records(piece) as T[];
  }

  /**
   * Returns the records from `start` up to but not including `end`, with the indices of `Array.prototype.slice`. Builds
   * nothing.
   */
  slice(start = 0, end = this.length): Rows<T, C> {
    const from = clamp(start, this.length);
    const to = Math.max(from, clamp(end, this.length));
    const runs: Run[] = [];
    for (let run = this.#runAt(from), row = from; row < to; run++) {
      const { table, first, count, builder } = this.#runs[run]!;
      const skipped = row - this.#starts[run]!;
      const taken = Math.min(count - skipped, to - row);
      runs.push({ table, first: first + skipped, count: taken, builder });
      row += taken;
    }
    return new Rows<T, C>(runs);
  }

  /**
   * Returns the values of one key: an Int32Array, Float64Array or BigInt64Array if every record has such a
   * number, otherwise an array with undefined for records without the key. Returns undefined if no record has it. Lazy
   * rows, such as records of nested lists, are read in one task: see `columnAsync`.
   */
  column<K extends keyof C & string>(key: K): C[K] | undefined {
    const steps = this.#column(key);
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value as C[K] | undefined;
    }
  }

  /**
   * Reads a column like `column`, in slices of a few milliseconds so that the page stays responsive. Rejects with the
   * signal's reason.
   */
  async columnAsync<K extends keyof C & string>(key: K, { signal }: { signal?: AbortSignal | undefined } = {}): Promise<C[K] | undefined> {
    signal?.throwIfAborted();
    const slicer = new Slicer(signal);
    const steps = this.#column(key);
    for (slicer.begin(); ;) {
      const { done, value } = steps.next();
      if (slicer.due()) await slicer.pause();
      if (!done) continue;
      slicer.end();
      return value as C[K] | undefined;
    }
  }

  /** Reads a column, piece by piece. */
  *#column(key: string): Generator<undefined, ColumnValues | undefined, undefined> {
    const parts: ColumnPart[] = [];
    for (const piece of this.#pieces(0, this.length)) {
      parts.push(this.#part(piece, key));
      yield;
    }
    if (!parts.some(({ found }) => found)) return undefined;
    const type = typedArray(new Set(parts.map(({ kind }) => kind)));
    const values = type ? (new type(this.length) as Float64Array) : new Array<unknown>(this.length);
    let row = 0;
    for (const part of parts) {
      const own = part.values();
      if (type) (values as Float64Array).set(own as Float64Array, row);
      else for (let at = 0; at < own.length; at++) values[row + at] = own[at];
      row += own.length;
      yield;
    }
    return values;
  }

  /** Returns all columns by key. */
  columns(): Record<string, ColumnValues> {
    const columns: Record<string, ColumnValues> = {};
    for (const key of this.columnNames) {
      const value: ColumnValues = (this as Rows).column(key)!;
      Object.defineProperty(columns, key, { value, writable: true, enumerable: true, configurable: true });
    }
    return columns;
  }

  /**
   * Returns the records of a range, for encoders.
   *
   * @internal
   */
  [RECORDS](from: number, to: number): unknown[] {
    return this.#build(from, to);
  }

  /**
   * Runs of the list, for an encoder that writes it in a worker.
   *
   * @internal
   */
  get [RUNS](): readonly Run[] {
    return this.#runs;
  }

  /** Returns the records as an array, for `JSON.stringify`. */
  toJSON(): T[] {
    return this.toArray();
  }

  /** Builds all records in one go, as an array. This is a long task if there are many. */
  toArray(): T[] {
    return this.#build(0, this.length) as T[];
  }

  /** Builds all records as an array, in slices of a few milliseconds so that the page stays responsive. */
  async toArrayAsync({ signal }: { signal?: AbortSignal | undefined } = {}): Promise<T[]> {
    signal?.throwIfAborted();
    const slicer = new Slicer(signal, { building: MINOR_GC });
    const records: T[] = [];
    slicer.begin();
    for (const piece of this.#pieces(0, this.length)) {
      for (const record of this.#records(piece)) records.push(record as T);
      if (slicer.due()) await slicer.pause();
    }
    slicer.end();
    return records;
  }

  /**
   * Appends the records of another list, without copying them.
   *
   * @internal
   */
  protected append(rows: Rows): void {
    this.#push(rows.#runs);
  }

  #push(runs: readonly Run[]): void {
    for (const run of runs) {
      this.#runs.push(run);
      this.#starts.push(this.#length);
      this.#length += run.count;
    }
  }

  /** Values of one key in a piece, their kind if numeric, and whether any record has the key. */
  #part(piece: Piece, key: string): ColumnPart {
    const { group, table, from, to, builder } = piece;
    const index = table.keys.lastIndexOf(key);
    // If a key occurs twice, either column may have the value.
    if (group && !group.raw && table.keys.indexOf(key) === index) {
      const column = group.columns[index];
      if (!column) return { found: false, kind: -1, values: () => new Array<undefined>(to - from) };
      const found = this.#hasKey(piece, key);
      const plain = column.states?.subarray(from, to).every((state) => state === STATE_VALUE) ?? true;
      // Other rows of the table may have values that are not numbers.
      if (plain && column.kind === KIND_VARIANT) {
        const values = builder!.values(group, column, from, to);
        return { found, kind: numberKind(values as unknown[]), values: () => values };
      }
      return { found, kind: plain ? column.kind : -1, values: () => builder!.values(group, column, from, to) };
    }
    let found = false;
    const values = this.#records(piece).map((record) => {
      if (!hasKey(record, key)) return undefined;
      found = true;
      return record[key as never];
    });
    return { found, kind: numberKind(values), values: () => values };
  }

  /** Keys of a piece's records, in order of occurrence. The table may have more, or in another order, for other lists. */
  #keysIn(piece: Piece): Iterable<string> {
    const { group, table, from, to } = piece;
    if (!group) return new Set(table.objects.slice(from, to).flatMap(keysIn));
    if (group.raw) return this.#keysOf(piece);
    const seen = group.columns.map(({ states }, index) => ({
      key: table.keys[index]!,
      first: states ? states.subarray(from, to).findIndex((state) => state !== STATE_ABSENT) : 0,
    }));
    const found = seen.filter(({ first }) => first >= 0).toSorted((one, other) => one.first - other.first);
    return found.map(({ key }) => key);
  }

  /** True if any record of a piece has the key; the table may have it for other lists. */
  #hasKey(piece: Piece, key: string): boolean {
    const { group, table, from, to } = piece;
    if (!group) return table.objects.slice(from, to).some((record) => hasKey(record, key));
    if (group.raw) return this.#keysOf(piece).has(key);
    return group.columns.some(
      ({ states }, index) => table.keys[index] === key && (states?.subarray(from, to).some((state) => state !== STATE_ABSENT) ?? true),
    );
  }

  /** Keys of a piece of lazy rows. */
  #keysOf(piece: Piece): Set<string> {
    const range = `${piece.from} ${piece.to}`;
    let known = rawKeys.get(piece.group!);
    if (!known) rawKeys.set(piece.group!, (known = new Map()));
    let keys = known.get(range);
    if (!keys) known.set(range, (keys = new Set(this.#records(piece).flatMap((record) => Object.keys(record)))));
    return keys;
  }

  #build(from: number, to: number): object[] {
    const records: object[] = [];
    for (const piece of this.#pieces(from, to)) for (const record of this.#records(piece)) records.push(record);
    return records;
  }

  #records({ table, group, from, to, builder }: Piece): object[] {
    return group ? builder!.build(group, from, to) : table.objects.slice(from, to);
  }

  /** Divides a range of the list into pieces that are built in one go. */
  *#pieces(from: number, to: number): Generator<Piece, void, undefined> {
    for (let run = this.#runAt(from), row = from; row < to; run++) {
      const { table, first, count, builder } = this.#runs[run]!;
      const start = this.#starts[run]!;
      const last = first + Math.min(count, to - start);
      for (let at = first + row - start; at < last;) {
        let piece: Piece;
        if (at < table.objects.length) {
          piece = { table, group: undefined, from: at, to: Math.min(at + OBJECTS, last, table.objects.length), builder };
          at = piece.to;
        } else {
          const group = table.groups[groupAt(table, at)]!;
          const local = at - group.first;
          piece = { table, group, from: local, to: Math.min(local + builder!.chunk(group, local), last - group.first), builder };
          at = group.first + piece.to;
        }
        yield piece;
      }
      row = start + last - first;
    }
  }

  #runAt(row: number): number {
    let low = 0;
    for (let high = this.#runs.length - 1; low < high;) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle]! <= row) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** Keys of an item; none if it is not a record. */
function keysIn(item: unknown): string[] {
  return isRecord(item) ? Object.keys(item) : [];
}

function hasKey(item: unknown, key: string): boolean {
  return isRecord(item) && Object.hasOwn(item, key);
}

/** Values of one key in a piece. */
interface ColumnPart {
  /** True if any record has the key. */
  readonly found: boolean;
  /** Kind of a column for these values if they are numbers; otherwise −1. */
  readonly kind: number;
  values(): ArrayLike<unknown>;
}

/** Kind of column for these values if they are numbers; otherwise −1. */
function numberKind(values: unknown[]): number {
  if (values.every((value) => typeof value === 'bigint' && BigInt.asIntN(64, value) === value)) return KIND_BIGINT64;
  if (!values.every((value) => typeof value === 'number')) return -1;
  return values.every((value) => Object.is(value | 0, value)) ? KIND_INT32 : KIND_FLOAT64;
}

/** Array type that represents values of all these kinds exactly. */
function typedArray(kinds: Set<number>): (new (length: number) => unknown) | undefined {
  if (kinds.size === 1 && kinds.has(KIND_BIGINT64)) return BigInt64Array;
  for (const kind of kinds) if (kind !== KIND_INT32 && kind !== KIND_FLOAT64) return undefined;
  return kinds.has(KIND_FLOAT64) ? Float64Array : kinds.size > 0 ? Int32Array : undefined;
}

function clamp(index: number, length: number): number {
  const position = Math.trunc(index) || 0;
  return position < 0 ? Math.max(position + length, 0) : Math.min(position, length);
}
