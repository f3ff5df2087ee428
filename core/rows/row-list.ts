import { KIND_BIGINT64, KIND_FLOAT64, KIND_INT32 } from '../block/block.ts';
import { RECORDS } from '../values/record-list.ts';
import type { Group, TableData } from './read-block.ts';
import { isRecord } from '../values/property.ts';
import { type ColumnPart, groupAt, type GroupReader, type Run, type Segment, type SegmentCells } from './run.ts';

/** Records read in one go if they are objects already. */
const OBJECTS = 1024;

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

/** Rows of a list, in the order of their columns or in another. */
export interface RowList {
  readonly length: number;
  /** The list with the columns: itself, unless there is an `index`. */
  readonly source: RunList;
  /** Positions of the rows in `source`; undefined if these are all of its rows, in order. */
  readonly index: Uint32Array | undefined;
  /** Runs of the rows, for an encoder that writes them in a worker; undefined if they are in another order. */
  readonly runs: readonly Run[] | undefined;
  /** The record at an index in range: the same object as before, while that is alive. */
  record(row: number): object;
  /** Records of a range. */
  records(from: number, to: number): object[];
  /** Builds all records as an array, in steps. */
  build(): Generator<undefined, object[], undefined>;
  /** The rows of a range. Builds nothing. */
  slice(from: number, to: number): RowList;
  /** Keys of the records, in order of first occurrence. */
  keys(): Iterable<string>;
  /** Values of one key or path, in steps; undefined if there is no such column. With `times`, dates may be milliseconds since the epoch. */
  column(key: string, times?: boolean): Generator<undefined, ColumnValues | undefined, undefined>;
}

/** A part of a segment that is built in one go: rows of its group, or objects of its table. */
export interface Piece {
  readonly table: TableData;
  readonly group: Group | undefined;
  readonly from: number;
  readonly to: number;
  readonly builder: GroupReader | undefined;
}

/** Rows in the order of their columns. */
export class RunList implements RowList {
  readonly runs: Run[] = [];
  readonly index: undefined = undefined;
  #length = 0;
  readonly #segments: Segment[] = [];
  /** Number of runs that are divided into segments. */
  #opened = 0;

  constructor(runs: readonly Run[]) {
    this.push(runs);
  }

  get source(): this {
    return this;
  }

  get length(): number {
    return this.#length;
  }

  /** Appends rows, without copying them. */
  push(runs: readonly Run[]): void {
    for (const run of runs) {
      this.runs.push(run);
      this.#length += run.count;
    }
  }

  /** Segments of the list. */
  get segments(): readonly Segment[] {
    for (; this.#opened < this.runs.length; this.#opened++) this.#open(this.runs[this.#opened]!);
    return this.#segments;
  }

  /** Index of the segment that contains a row. */
  segmentAt(row: number): number {
    const { segments } = this;
    let low = 0;
    for (let high = segments.length - 1; low < high;) {
      const middle = (low + high + 1) >> 1;
      if (segments[middle]!.first <= row) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  record(row: number): object {
    const { first, offset, table, group, builder } = this.segments[this.segmentAt(row)]!;
    const local = row - first + offset;
    return group ? builder!.record(group, local) : table.objects[local]!;
  }

  records(from: number, to: number): object[] {
    const records: object[] = [];
    for (const piece of this.pieces(from, to)) for (const record of recordsOf(piece)) records.push(record);
    return records;
  }

  /** The records of a range, for encoders. */
  [RECORDS](from: number, to: number): object[] {
    return this.records(from, to);
  }

  *build(): Generator<undefined, object[], undefined> {
    const records: object[] = [];
    for (const piece of this.pieces(0, this.length)) {
      for (const record of recordsOf(piece)) records.push(record);
      yield;
    }
    return records;
  }

  slice(from: number, to: number): RunList {
    const runs: Run[] = [];
    let first = 0;
    for (const run of this.runs) {
      const skipped = Math.max(0, from - first);
      const count = Math.min(run.count, to - first) - skipped;
      // An empty list keeps the columns that a schema names.
      if (count > 0 || this.length === 0) runs.push({ ...run, first: run.first + skipped, count });
      first += run.count;
      if (first >= to) break;
    }
    return new RunList(runs);
  }

  /** Number of values that the records have. In columns of numbers and texts, absent values count too: they are stored. */
  countValues(): number {
    let count = 0;
    for (const piece of this.pieces(0, this.length)) count += valuesIn(piece);
    return count;
  }

  keys(): Set<string> {
    // Without rows, those that a schema names.
    const keys = new Set<string>(this.length > 0 ? [] : this.runs[0]?.table.keys);
    for (const piece of this.pieces(0, this.length)) for (const key of keysIn(piece)) keys.add(key);
    return keys;
  }

  *column(key: string, times?: boolean): Generator<undefined, ColumnValues | undefined, undefined> {
    const { length } = this;
    const parts: ColumnPart[] = [];
    for (const piece of this.pieces(0, length)) {
      parts.push(partOf(piece, key, times));
      yield;
    }
    if (!(length > 0 ? parts.some(({ found }) => found) : this.keys().has(key))) return undefined;
    const type = typedArray(new Set(parts.map(({ kind }) => kind)));
    const values = type ? (new type(length) as Float64Array) : new Array<unknown>(length);
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

  /** Divides a range of the list into pieces that are built in one go. */
  *pieces(from: number, to: number): Generator<Piece, void, undefined> {
    const { segments } = this;
    for (let at = this.segmentAt(from), row = from; row < to; at++) {
      const { first, end, offset, table, group, builder } = segments[at]!;
      const last = Math.min(end, to) - first + offset;
      for (let local = row - first + offset; local < last;) {
        const next = Math.min(local + (group ? builder!.chunk(group, local) : OBJECTS), last);
        yield { table, group, from: local, to: next, builder };
        local = next;
      }
      row = end;
    }
  }

  /** Divides a run into segments. */
  #open({ table, first, count, builder }: Run): void {
    const last = first + count;
    let position = this.#segments.at(-1)?.end ?? 0;
    const push = (offset: number, rows: number, group: Group | undefined): void => {
      this.#segments.push({ first: position, end: position + rows, offset, table, group, builder });
      position += rows;
    };
    const { objects, groups } = table;
    let at = first;
    if (at < Math.min(last, objects.length)) {
      push(at, Math.min(last, objects.length) - at, undefined);
      at = Math.min(last, objects.length);
    }
    for (let index = groupAt(table, at); at < last; index++) {
      const group = groups[index]!;
      const end = Math.min(group.first + group.rows, last);
      if (end > at) push(at - group.first, end - at, group);
      at = Math.max(at, end);
    }
  }
}

/** Runs a generator to its end in one go. Returns its result. */
export function inOneGo<Result>(steps: Generator<undefined, Result, undefined>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Records of a piece: the same objects as before where these are alive. */
export function recordsOf({ table, group, from, to, builder }: Piece): object[] {
  return group ? builder!.records(group, from, to) : table.objects.slice(from, to);
}

/** Values of one key in a piece, their kind if numeric, and whether any record has the key. */
function partOf(piece: Piece, key: string, times?: boolean): ColumnPart {
  const { group, from, to, builder } = piece;
  const part = group && builder!.part(group, from, to, key, times);
  if (part) return part;
  let found = false;
  const values = recordsOf(piece).map((record) => {
    const value = valueAt(record, key);
    found ||= value !== undefined || hasKey(record, key);
    return value;
  });
  return { found, kind: numberKind(values), values: () => values };
}

/** Keys of a piece's records, in order of occurrence. */
function keysIn({ group, table, from, to, builder }: Piece): Iterable<string> {
  return group ? builder!.keys(group, from, to) : table.objects.slice(from, to).flatMap(keysOf);
}

/** Number of values in a piece's records, or in its columns. */
function valuesIn(piece: Piece): number {
  const { group, from, to, builder } = piece;
  return (group && builder!.countValues(group, from, to)) ?? recordsOf(piece).reduce((sum: number, record) => sum + keysOf(record).length, 0);
}

/** Reads single values of a segment's rows. */
export function cellsOf(segment: Segment): SegmentCells {
  const { group, table, builder } = segment;
  if (group) return builder!.cells(segment);
  const record = (row: number): object => table.objects[row]!;
  return { segment, record, columnOf: () => undefined, reader: (key) => (row) => valueAt(record(row), key) };
}

/** Keys of an item; none if it is not a record. */
export function keysOf(item: unknown): string[] {
  return isRecord(item) ? Object.keys(item) : [];
}

/** True if an item is a record with a key. */
export function hasKey(item: unknown, key: string): boolean {
  return isRecord(item) && Object.hasOwn(item, key);
}

/** Value of a key, or of a path of keys and indices that are joined by dots; undefined if absent. A key that is the whole path wins. */
export function valueAt(item: unknown, path: string): unknown {
  if (!isRecord(item) && !Array.isArray(item)) return undefined;
  if (Object.hasOwn(item, path)) return item[path as never];
  const dot = path.indexOf('.');
  return dot < 0 ? undefined : valueAt(valueAt(item, path.slice(0, dot)), path.slice(dot + 1));
}

/** Kind of column for these values if they are numbers; otherwise −1. */
export function numberKind(values: readonly unknown[]): number {
  if (values.every((value) => typeof value === 'bigint' && BigInt.asIntN(64, value) === value)) return KIND_BIGINT64;
  if (!values.every((value) => typeof value === 'number')) return -1;
  return values.every((value) => Object.is(value | 0, value)) ? KIND_INT32 : KIND_FLOAT64;
}

/** Array type that represents values of all these kinds exactly. */
export function typedArray(kinds: Set<number>): (new (length: number) => unknown) | undefined {
  if (kinds.size === 1 && kinds.has(KIND_BIGINT64)) return BigInt64Array;
  for (const kind of kinds) if (kind !== KIND_INT32 && kind !== KIND_FLOAT64) return undefined;
  return kinds.has(KIND_FLOAT64) ? Float64Array : kinds.size > 0 ? Int32Array : undefined;
}
