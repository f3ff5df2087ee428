import { isDate } from '../../core/values/class-of.ts';
import {
  KIND_BIGINT64,
  KIND_BOOLEAN,
  KIND_DATE,
  KIND_DICTIONARY,
  KIND_EMPTY,
  KIND_FLOAT64,
  KIND_INT32,
  KIND_TEXT,
  STATE_ABSENT,
  STATE_NULL,
  STATE_UNDEFINED,
} from '../../core/block/block.ts';
import { encodeWtf8 } from '../../core/bytes/text/encode-wtf8.ts';
import type { ColumnData } from '../../core/rows/read-block.ts';
import { cellsOf, hasKey, type RowList, type RunList, valueAt } from '../../core/rows/row-list.ts';
import type { ReadCell, Segment, SegmentCells } from '../../core/rows/run.ts';
import { isRecord } from '../../core/values/property.ts';
import { StringList } from '../../core/rows/text.ts';
import type { Slicer } from '../../core/slicing/slicer.ts';
import { stepsInSlices } from './pieces.ts';

/** Columns that are kept for the records of a row group or list; further ones replace the oldest. */
const KEPT = 16;

/** Share of a list's rows from which columns are made: fewer rows are read one by one. */
const DENSE = 1 / 8;

/** Records read in one go if they are objects already, and strings encoded in one go. */
const STEP = 1024;

/** Strings after which a column with many unique ones gives up its dictionary. */
const SAMPLES = 1024;

/**
 * Makes columns for keys and paths whose values are in records: lazy rows, objects, and nested values of a column. Each record is
 * read once for all of them. The columns are kept with the records: 1 to 8 bytes a row, and the bytes of unique strings. Values of
 * other or mixed types have no column, and are read from the records each time. With `inGroups`, objects get no columns. Where
 * records are read, the columns of `later` paths are made too.
 */
export async function openColumns(
  { source, length }: RowList,
  paths: readonly string[],
  slicer: Slicer,
  { inGroups = false, later = [] }: { inGroups?: boolean; later?: readonly string[] } = {},
): Promise<void> {
  if (length < source.length * DENSE) return;
  for (const segment of onePerHolder(source)) {
    if (inGroups && !segment.group) continue;
    const { made } = holderOf(segment);
    const cells = cellsOf(segment);
    const isMissing = (path: string): boolean => cells.columnOf(path) === undefined && !made?.has(path);
    if (paths.some(isMissing)) await stepsInSlices(make(segment, [...new Set([...paths, ...later])].filter(isMissing)), slicer);
  }
}

/** Cells that are also read from the columns that were made of records. */
export class RecordCells implements SegmentCells {
  readonly segment: Segment;
  readonly #cells: SegmentCells;

  constructor(segment: Segment) {
    this.segment = segment;
    this.#cells = cellsOf(segment);
  }

  /** Cells of all rows of a segment's group or table. */
  static ofHolder(segment: Segment): RecordCells {
    const { group, table } = segment;
    return new RecordCells({ ...segment, first: 0, end: group ? group.rows : table.objects.length, offset: 0 });
  }

  columnOf(key: string): ColumnData | 'none' | undefined {
    return this.#cells.columnOf(key) ?? holderOf(this.segment).made?.get(key);
  }

  reader(key: string, times = false): ReadCell {
    // The values of objects are there.
    return this.segment.group ? this.#cells.reader(key, times, this.columnOf(key)) : objectReader(this.segment.table.objects, key);
  }

  record(row: number): object {
    return this.#cells.record(row);
  }
}

/** Reads a key or path of objects. A key that is the whole path wins, as in `valueAt`, which splits the path each time. */
function objectReader(objects: readonly unknown[], path: string): ReadCell {
  const read = pathReader(path);
  return (row) => read(objects[row]);
}

function pathReader(path: string): (record: unknown) => unknown {
  const dot = path.indexOf('.');
  if (dot < 0) return (record) => valueAt(record, path);
  const key = path.slice(0, dot);
  const inner = pathReader(path.slice(dot + 1));
  return (record) => {
    if (!isRecord(record) && !Array.isArray(record)) return undefined;
    if (Object.hasOwn(record, path)) return record[path as never];
    return Object.hasOwn(record, key) ? inner(record[key as never]) : undefined;
  };
}

/** The group or table that keeps the columns that are made of a segment's records. */
export function holderOf({ group, table }: Segment): { made?: Map<string, ColumnData | undefined> } {
  return group ?? table;
}

/** The first segment of each group, and of each table of objects: a list that was refetched has many segments of each. */
export function onePerHolder({ segments }: RunList): Segment[] {
  const seen = new Set<object>();
  return segments.filter((segment) => {
    const holder = holderOf(segment);
    return !seen.has(holder) && seen.add(holder);
  });
}

/** Makes columns of all records of a segment's group or table. */
function* make(segment: Segment, paths: readonly string[]): Generator<undefined, void, undefined> {
  const { group, table, builder } = segment;
  const length = group ? group.rows : table.objects.length;
  const makers = paths.map((path) => new ColumnMaker(length, path));
  for (let from = 0; from < length;) {
    const to = Math.min(length, from + (group ? builder!.chunk(group, from) : STEP));
    const records = group ? builder!.build(group, from, to) : table.objects;
    const offset = group ? from : 0;
    for (const maker of makers) for (let row = from; row < to; row++) maker.add(row, records[row - offset]);
    from = to;
    yield;
  }
  const holder = holderOf(segment);
  const made = (holder.made ??= new Map());
  for (const [index, maker] of makers.entries()) {
    made.set(paths[index]!, yield* maker.finish());
    if (made.size > KEPT) made.delete(made.keys().next().value!);
  }
}

/** Makes a column of values of one type. */
class ColumnMaker {
  readonly #path: string;
  readonly #read: (record: unknown) => unknown;
  readonly #length: number;
  /** Kind of the values so far; undefined once they have no column. */
  #kind: number | undefined = KIND_EMPTY;
  #data: ColumnData['data'] = new Uint8Array(0);
  #states: Uint8Array | undefined;
  #isInteger = true;
  /** Codes of strings; undefined once these are stored by row. */
  #codes: Map<string, number> | undefined = new Map();
  /** Unique strings, or those of all rows. */
  #texts: string[] = [];
  #textCount = 0;

  constructor(length: number, path: string) {
    this.#length = length;
    this.#path = path;
    this.#read = pathReader(path);
  }

  /** Adds the value of the next row. */
  add(row: number, record: unknown): void {
    const value = this.#read(record);
    switch (typeof value) {
      case 'number':
        if (!this.#is(KIND_FLOAT64)) return;
        this.#data[row] = value;
        this.#isInteger &&= Object.is(value | 0, value);
        return;
      case 'string':
        if (this.#is(KIND_DICTIONARY)) this.#addText(row, value);
        return;
      case 'boolean':
        if (this.#is(KIND_BOOLEAN)) this.#data[row] = value ? 1 : 0;
        return;
      case 'bigint':
        if (BigInt.asIntN(64, value) === value && this.#is(KIND_BIGINT64)) (this.#data as BigInt64Array)[row] = value;
        else this.#kind = undefined;
        return;
      case 'undefined':
        this.#setState(row, hasKey(record, this.#path) ? STATE_UNDEFINED : STATE_ABSENT);
        return;
      default:
        if (value === null) this.#setState(row, STATE_NULL);
        else if (isDate(value) && this.#is(KIND_DATE)) this.#data[row] = value.getTime();
        else this.#kind = undefined;
    }
  }

  /** The column; undefined if the values are of other or several types. */
  *finish(): Generator<undefined, ColumnData | undefined, undefined> {
    const kind = this.#kind;
    if (kind === undefined) return undefined;
    const column: ColumnData = {
      kind,
      states: this.#states,
      data: this.#data,
      list: undefined,
      bytes: new Uint8Array(0),
      ascii: true,
      text: undefined,
    };
    if (kind === KIND_FLOAT64 && this.#isInteger) {
      column.kind = KIND_INT32;
      column.data = Int32Array.from(this.#data as Float64Array);
    }
    if (kind !== KIND_DICTIONARY) return column;
    if (this.#codes && this.#texts.length > this.#textCount / 2) this.#spread(this.#length);
    const { ends, bytes, ascii } = yield* encoded(this.#texts);
    if (this.#codes) {
      column.list = new StringList();
      column.list.append(0, ends, bytes, ascii);
      const { length } = this.#texts;
      if (length <= 2 ** 16) column.data = (length <= 2 ** 8 ? Uint8Array : Uint16Array).from(this.#data as Uint32Array);
    } else {
      column.kind = KIND_TEXT;
      column.data = ends;
      Object.assign(column, { bytes, ascii });
    }
    return column;
  }

  /** True if values of a kind can be added, which all are. */
  #is(kind: number): boolean {
    if (this.#kind === kind) return true;
    this.#kind = this.#kind === KIND_EMPTY ? kind : undefined;
    if (this.#kind === undefined) return false;
    this.#data = new ARRAYS[kind]!(this.#length);
    return true;
  }

  #setState(row: number, state: number): void {
    this.#states ??= new Uint8Array(this.#length);
    this.#states[row] = state;
  }

  #addText(row: number, text: string): void {
    const codes = this.#codes;
    if (!codes) {
      this.#texts[row] = text;
      return;
    }
    let code = codes.get(text);
    if (code === undefined) {
      code = this.#texts.push(text) - 1;
      codes.set(text, code);
    }
    this.#data[row] = code;
    if (++this.#textCount === SAMPLES && this.#texts.length > SAMPLES / 2) this.#spread(row + 1);
  }

  /** Stores the strings of the first rows by row instead of in a dictionary. */
  #spread(count: number): void {
    const rows = new Array<string>(this.#length).fill('');
    for (let row = 0; row < count; row++) if (!this.#states?.[row]) rows[row] = this.#texts[this.#data[row] as number]!;
    this.#texts = rows;
    this.#codes = undefined;
  }
}

const ARRAYS: Readonly<Record<number, new (length: number) => ColumnData['data']>> = {
  [KIND_BOOLEAN]: Uint8Array,
  [KIND_FLOAT64]: Float64Array,
  [KIND_BIGINT64]: BigInt64Array,
  [KIND_DATE]: Float64Array,
  [KIND_DICTIONARY]: Uint32Array,
};

/** Encodes strings one after another. */
function* encoded(texts: readonly string[]): Generator<undefined, { ends: Uint32Array; bytes: Uint8Array; ascii: boolean }, undefined> {
  const ends = new Uint32Array(texts.length);
  let bytes = new Uint8Array(1024);
  let end = 0;
  let units = 0;
  for (const [index, text] of texts.entries()) {
    const piece = encodeWtf8(text);
    if (end + piece.length > bytes.length) {
      const larger = new Uint8Array(2 * (end + piece.length));
      larger.set(bytes);
      bytes = larger;
    }
    bytes.set(piece, end);
    ends[index] = end += piece.length;
    units += text.length;
    if (index % STEP === STEP - 1) yield;
  }
  return { ends, bytes: bytes.slice(0, end), ascii: units === end };
}
