import { isDate, isMap, isSet } from '../../../values/class-of.ts';
import { bytesOf, isBinary, writeBytes } from '../../../writing/binary-values.ts';
import { countOf } from '../../../bytes/count.ts';
import { isWellFormed } from '../../../bytes/text/utf8.ts';
import { offsetOf, out, pass, room, STOPPED, view } from '../../../bytes/output.ts';
import type { Limits } from '../../../limits.ts';
import { isRecordList, RECORDS } from '../../../values/record-list.ts';
import { type ColumnRows, columnRowsOf } from '../../../writing/column-rows.ts';
import { EmptyCells } from '../../../empty-cells.ts';
import { kindOf, Writer } from '../../../writing/writer.ts';
import type { ArrowWriteOptions } from '../options.ts';
import { MAX_LEVELS } from '../levels.ts';
import { type BatchParts, ColumnBuilder } from './column-builder.ts';
import { BINARY, BOOL, ColumnType, FLOAT, INT, LIST, MAP, NAMES, STRUCT, TIMESTAMP, UTF8 } from './column-type.ts';
import { align } from '../../../block/block-file.ts';
import { batchMessage, type Block, footer, schemaMessage } from './metadata.ts';
import { SourceTable } from './source-table.ts';

const BATCH_ROWS = 65_536;
/** Rows between two looks at the clock. */
const STEP = 256;
/** Rows of columns that are read or copied together, and bytes that are written, between two looks at the clock. */
const ROWS = 16_384;
const BYTES = 1 << 18;
/** The key of the type of a list's items. */
const ITEM = 'item';
/** The magic number at both ends of a file. */
const MAGIC = Uint8Array.of(0x41, 0x52, 0x52, 0x4f, 0x57, 0x31);
/** The magic number and the zeros at the start of a file. */
const HEAD = Uint8Array.of(...MAGIC, 0, 0);
/** The mark at the end of a stream. */
const END = Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0);

/** Where writing resumes: the next row, before or after the schema is written. */
class RowPlace {
  readonly isTyped: boolean;
  readonly next: number;

  constructor(isTyped: boolean, next: number) {
    this.isTyped = isTyped;
    this.next = next;
  }
}

/** Steps of writing: each takes the position and yields the next one, at which writing may stop. The result is the last. */
type Steps = Generator<number, number, number>;

/**
 * Writes a list of records as record batches (https://arrow.apache.org/docs/format/Columnar.html#ipc-streaming-format).
 * All records are read twice: for the types of the columns, which come first, and for their values. `Rows` in columns are
 * copied column by column; those with few different strings are written as dictionaries.
 */
export class TableWriter extends Writer {
  readonly #limits: Limits;
  readonly #isFile: boolean;
  readonly #batchRows: number;
  #type = new ColumnType();
  #empty: EmptyCells;
  #rows: ColumnBuilder | undefined;
  #blocks: Block[] = [];
  /** Offset of the first byte in the output. */
  #origin = 0;
  /** Records of a list of unknown length that wait for the batch to be complete. */
  #waiting: unknown[] = [];

  constructor({ framing, batchRows = BATCH_ROWS }: ArrowWriteOptions, limits: Limits) {
    super(limits);
    this.#limits = limits;
    this.#empty = new EmptyCells(limits);
    this.#isFile = framing === 'file';
    if (!(Number.isInteger(batchRows) && batchRows > 0))
      throw new TypeError(`invalid format option batchRows: ${batchRows}; expected a positive integer`);
    this.#batchRows = batchRows;
  }

  override write(value: unknown, at: number): number {
    const rows = columnRowsOf(value);
    if (rows) {
      countOf(value as ArrayLike<unknown>);
      this.open();
      return this.#run(value as object, this.#columns(value as object, rows, this.#start(at)), at);
    }
    const list: unknown = typeof value === 'object' && value !== null && isRecordList(value) ? value[RECORDS](0, value.length) : value;
    if (!Array.isArray(list)) return this.fail('type', `${kindOf(value)} where a list of records is expected`);
    countOf(list);
    this.open(list);
    return this.#infer(list, 0, this.#start(at));
  }

  protected override open(container?: object): void {
    super.open(container);
    if (this.depth > MAX_LEVELS) this.fail('depth', `columns nest at most ${MAX_LEVELS} levels in Arrow: use another format`);
  }

  override get takesItems(): boolean {
    return true;
  }

  override beginItems(at: number): number {
    this.#waiting = [];
    return this.#start(at);
  }

  override item(value: unknown, _index: number, at: number): number {
    this.depth = 1;
    this.#inferRow(value);
    this.#waiting.push(value);
    return this.#waiting.length < this.#batchRows ? at : this.#flush(at);
  }

  override endItems(_count: number, at: number): number {
    const next = this.#rows && this.#waiting.length === 0 ? at : this.#flush(at);
    return this.#finish(next);
  }

  protected override resumeIn(container: object, place: unknown, at: number): number {
    if (!(place instanceof RowPlace)) return this.#run(container, place as Steps, at);
    const { isTyped, next } = place;
    return isTyped ? this.#batches(container as unknown[], next, at) : this.#infer(container as unknown[], next, at);
  }

  protected override stepOf(place: unknown): number {
    return place instanceof RowPlace ? place.next : 0;
  }

  #start(at: number): number {
    this.#type = new ColumnType();
    this.#type.add(STRUCT);
    this.#empty = new EmptyCells(this.#limits);
    this.#rows = undefined;
    this.#blocks = [];
    this.#origin = offsetOf(at);
    return this.#isFile ? writeBytes(HEAD, at) : at;
  }

  /** Finds the types of the columns, then writes the schema and the batches. */
  #infer(list: readonly unknown[], from: number, at: number): number {
    const { length } = list;
    let next = at;
    let index = from;
    try {
      for (; index < length; index++) {
        if (index % STEP === 0 && index > from && (next = pass(next)) === STOPPED) return this.stopped(list, new RowPlace(false, index), length);
        this.#inferRow(list[index]);
      }
    } catch (error) {
      throw this.at(index, error, list);
    }
    return this.#batches(list, 0, this.#schema(next));
  }

  #batches(list: readonly unknown[], from: number, at: number): number {
    const { length } = list;
    const rows = this.#rows!;
    let next = at;
    let index = from;
    try {
      for (; index < length; index++) {
        if (index % STEP === 0 && index > from && (next = pass(next)) === STOPPED) return this.stopped(list, new RowPlace(true, index), length);
        this.#row(list[index]);
        if (rows.length === this.#batchRows) next = this.#batch(next);
      }
    } catch (error) {
      throw this.at(index, error, list);
    }
    if (list.length !== length) this.fail('changed', 'the list changed while it was written');
    if (rows.length > 0) next = this.#batch(next);
    this.depth -= 1;
    return this.#finish(next);
  }

  /** Writes the records that wait. */
  #flush(at: number): number {
    let next = this.#rows ? at : this.#schema(at);
    for (const record of this.#waiting) this.#row(record);
    if (this.#waiting.length > 0) next = this.#batch(next);
    this.#waiting = [];
    return next;
  }

  #schema(at: number): number {
    this.#rows = new ColumnBuilder(this.#type, this.#empty);
    return this.#message(schemaMessage(this.#type), at);
  }

  /** Runs steps until writing stops or they end. */
  #run(list: object, steps: Steps, at: number): number {
    const { length } = list as ArrayLike<unknown>;
    for (let step = steps.next(at); ;) {
      if (step.done) return step.value;
      const next = pass(step.value);
      if (next === STOPPED) return this.stopped(list, steps, length);
      step = steps.next(next);
    }
  }

  /** Writes rows in columns: finds the types, then writes the schema, the dictionaries and the batches. */
  *#columns(list: object, rows: ColumnRows, start: number): Steps {
    const { length } = rows;
    // A limit of 1 has no room for records.
    this.open();
    this.depth -= 1;
    const table = new SourceTable(rows, Math.min(this.#batchRows, ROWS), {
      infer: (value, type) => {
        // That of the values of a record.
        this.depth = 2;
        this.#inferValue(value, type);
        this.depth = 1;
      },
      add: (value, builder) => this.#value(value, builder),
      empty: this.#empty,
    });
    let next = start;
    try {
      for (const _ of table.infer()) next = yield next;
      for (const { key, type } of table.columns) this.#type.fields.set(key, type);
      next = this.#schema(next);
      for (const [id, { strings, type }] of table.columns.entries()) {
        if (type.dictionary) next = yield* this.#batchSteps(strings.length, [strings], next, id);
      }
      const { children } = this.#rows!;
      for (let from = 0; from < length; from += this.#batchRows) {
        const to = Math.min(from + this.#batchRows, length);
        for (const _ of table.copy(from, to, children)) next = yield next;
        next = yield* this.#batchSteps(to - from, children, next);
      }
    } catch (error) {
      const { current } = table;
      throw current ? this.at(current.row, this.at(current.key, error, list), list) : error;
    }
    this.depth -= 1;
    return this.#finish(next);
  }

  #batch(at: number): number {
    const rows = this.#rows!;
    const steps = this.#batchSteps(rows.length, rows.children, at);
    rows.length = 0;
    for (let step = steps.next(at); ; step = steps.next(step.value)) if (step.done) return step.value;
  }

  /** Writes a record batch, or a dictionary, and clears the columns. */
  *#batchSteps(length: number, columns: readonly ColumnBuilder[], at: number, dictionary?: number): Steps {
    const parts: BatchParts = { nodes: [], buffers: [] };
    for (const column of columns) column.write(parts);
    const { metadata, body } = batchMessage(length, parts, dictionary);
    this.#blocks.push({ offset: offsetOf(at) - this.#origin, metadata: metadata.length + 8, body, isDictionary: dictionary !== undefined });
    let next = this.#message(metadata, at);
    for (const buffer of parts.buffers) {
      for (let from = 0; from < buffer.length; from += BYTES) next = yield writeBytes(buffer.subarray(from, from + BYTES), next);
      const padding = align(buffer.length) - buffer.length;
      next = room(next, padding);
      out.fill(0, next, next + padding);
      next += padding;
    }
    for (const column of columns) column.clear();
    return next;
  }

  /** Writes 0xffffffff, the length of the metadata, and the metadata. */
  #message(metadata: Uint8Array, at: number): number {
    const next = room(at, 8);
    view.setUint32(next, 0xffffffff, true);
    view.setInt32(next + 4, metadata.length, true);
    return writeBytes(metadata, next + 8);
  }

  #finish(at: number): number {
    const next = writeBytes(END, at);
    if (!this.#isFile) return next;
    const bytes = footer(this.#type, this.#blocks);
    const end = room(writeBytes(bytes, next), 4);
    view.setInt32(end, bytes.length, true);
    return writeBytes(MAGIC, end + 4);
  }

  /** Adds the types of a record's values. */
  #inferRow(record: unknown): void {
    if (!isRecord(record)) this.fail('type', `${kindOf(record)} where a record is expected`);
    this.#inferFields(record, this.#type);
  }

  #inferFields(record: object, type: ColumnType): void {
    const keys = Object.keys(record);
    if (keys.length === 0) this.refuseSource(record);
    this.#empty.found(keys.length);
    this.open(record);
    let last = '';
    try {
      for (const key of keys) {
        last = key;
        const value = (record as Record<string, unknown>)[key];
        if (value !== undefined) this.#inferValue(value, this.#field(type, key));
      }
    } catch (error) {
      throw this.at(last, error, record);
    }
    this.depth -= 1;
  }

  /** The type of a key; once the schema is written, no key may be new. */
  #field(type: ColumnType, key: string): ColumnType {
    if (this.#rows && !type.fields.has(key)) this.fail('unknown', `a key that no record of the first batch has: ${key}`);
    return type.field(key);
  }

  #inferValue(value: unknown, type: ColumnType): void {
    if (value === null || value === undefined) return;
    const before = type.written;
    if (!this.#agrees(value, type)) {
      if (type.isTooWide) this.fail('range', 'the column has integers below 0 and others from 2⁶³ on: no type of 64 bits holds both');
      this.fail('type', `${kindOf(value)} in a column that has ${type.isLong ? 'a bigint' : NAMES[type.id]}`);
    }
    if (this.#rows && type.written !== before) this.fail('type', `${kindOf(value)} in a column whose type the first batch has decided`);
  }

  #agrees(value: unknown, type: ColumnType): boolean {
    switch (typeof value) {
      case 'number':
        return type.addNumber(value);
      case 'bigint':
        // The first batch has decided whether there are signs.
        return type.addBigint(value, this.#rows === undefined);
      case 'string':
        return type.add(UTF8);
      case 'boolean':
        return type.add(BOOL);
      case 'object':
        return this.#inferObject(value!, type);
      default:
        return this.fail('unsupported', `cannot encode a ${typeof value}`);
    }
  }

  #inferObject(value: object, type: ColumnType): boolean {
    if (isDate(value)) return type.add(TIMESTAMP);
    if (isBinary(value)) return type.add(BINARY);
    const list = listOf(value);
    if (list) {
      if (!type.add(LIST)) return false;
      const items = this.#field(type, ITEM);
      this.open(value);
      this.#empty.found(list.length);
      this.#each(value, list, (item) => this.#inferValue(item, items));
      this.depth -= 1;
      return true;
    }
    if (isMap(value)) {
      if (!type.add(MAP)) return false;
      const keys = this.#field(type, 'key');
      const values = this.#field(type, 'value');
      this.open(value);
      this.#empty.found(value.size);
      // The entries are structs, which count as a level where they are read.
      this.open();
      for (const [key, item] of value) {
        if (key === null || key === undefined) this.fail('unsupported', 'a Map with a key that is null');
        this.#inferValue(key, keys);
        this.#inferValue(item, values);
      }
      this.depth -= 2;
      return true;
    }
    if (!type.add(STRUCT)) return false;
    this.#inferFields(value, type);
    return true;
  }

  #row(record: unknown): void {
    if (!isRecord(record)) this.fail('changed', 'a record that changed while it was written');
    this.#fields(record, this.#rows!);
  }

  #fields(record: object, column: ColumnBuilder): void {
    const { keys, children } = column;
    let last = '';
    try {
      for (let index = 0; index < keys.length; index++) {
        last = keys[index]!;
        this.#value(Object.hasOwn(record, last) ? (record as Record<string, unknown>)[last] : undefined, children[index]!);
      }
    } catch (error) {
      throw this.at(last, error, record);
    }
    column.container();
  }

  #value(value: unknown, column: ColumnBuilder): void {
    if (value === null || value === undefined) return column.null();
    switch (column.id) {
      case INT:
      case FLOAT:
        if (typeof value !== 'number' && typeof value !== 'bigint') break;
        return column.number(value);
      case BOOL:
        if (typeof value !== 'boolean') break;
        return column.number(value ? 1 : 0);
      case UTF8:
        if (typeof value !== 'string') break;
        if (!isWellFormed(value)) this.fail('text', 'the string has a lone surrogate');
        return column.text(value);
      case TIMESTAMP: {
        if (!isDate(value)) break;
        const time = value.getTime();
        if (Number.isNaN(time)) this.fail('range', 'an invalid Date');
        return column.number(time);
      }
      case BINARY:
        if (!isBinary(value)) break;
        return column.bytes(bytesOf(value)!);
      case LIST: {
        const list = typeof value === 'object' ? listOf(value) : undefined;
        if (!list) break;
        this.#each(value, list, (item) => this.#value(item, column.children[0]!));
        return column.container();
      }
      case MAP:
        if (!isMap(value)) break;
        for (const [key, item] of value) {
          this.#value(key, column.children[0]!);
          this.#value(item, column.children[1]!);
        }
        return column.container();
      case STRUCT:
        if (!isRecord(value)) break;
        return this.#fields(value, column);
      default:
    }
    return this.fail('changed', 'a value that changed while it was written');
  }

  #each(container: object, list: ArrayLike<unknown>, take: (item: unknown) => void): void {
    let index = 0;
    try {
      for (const { length } = list; index < length; index++) take(list[index]);
    } catch (error) {
      throw this.at(index, error, container);
    }
  }
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The items of an array, a typed array, a Set or a list of records; undefined for other objects. */
function listOf(value: object): ArrayLike<unknown> | undefined {
  if (Array.isArray(value)) {
    countOf(value);
    return value;
  }
  if (ArrayBuffer.isView(value)) return value as unknown as ArrayLike<unknown>;
  if (isSet(value)) return [...value];
  return isRecordList(value) ? value[RECORDS](0, value.length) : undefined;
}
