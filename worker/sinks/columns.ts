import {
  KIND_DICTIONARY,
  LIST_BINARY,
  LIST_DICTIONARY,
  LIST_KEYS,
  LIST_TAGS,
  LIST_TEXT,
  PART_LAST,
  PART_REFERENCES,
  STATE_ABSENT,
  STATE_NULL,
  STATE_UNDEFINED,
  STATE_VALUE,
  TAG_ANCHOR,
  TAG_BIGINT,
  TAG_BINARY,
  TAG_BITS,
  TAG_DATE,
  TAG_FALSE,
  TAG_FLOAT,
  TAG_KEY,
  TAG_LIST,
  TAG_MAP,
  TAG_NULL,
  TAG_OBJECT,
  TAG_REFERENCE,
  TAG_SET,
  TAG_STRING,
  TAG_TAGGED,
  TAG_TRUE,
  TAG_UNDEFINED,
} from '../block.ts';
import { type DecodeError, LimitError, type LimitName } from '../errors.ts';
import type { Limits } from '../limits.ts';
import { invalidUtf8, validateUtf8 } from '../text.ts';
import { absorb } from './columns/absorb.ts';
import { ByteList } from './columns/byte-list.ts';
import type { Column, ColumnHost } from './columns/column.ts';
import {
  Frame,
  type RecordKeys,
  FRAME_LIST,
  FRAME_MAP,
  FRAME_OBJECT,
  FRAME_ROW,
  FRAME_TAGGED,
} from './columns/frame.ts';
import { PartWriter } from './columns/part-writer.ts';
import { Key, type Shape, Shapes } from './columns/shapes.ts';
import { Table } from './columns/table.ts';
import { RANGE_ROWS, Source } from './columns/ranges.ts';
import { Tape } from './columns/tape.ts';
import { encodeWtf8 } from './columns/wtf8.ts';
import type { BinaryKind, RecordId, Sink, Tag } from './sink.ts';

/** Tables in all; records of further shapes stay on the tape. */
const MAX_TABLES = 256;
/** Strings of the tape are written out when they take this many bytes. */
const TEXT_BYTES = 8 * 1024 * 1024;

const NO_COLUMNS: readonly Column[] = [];
const encoder = new TextEncoder();

/**
 * Writes a block (see block.ts). Everything goes on the tape, but for objects that repeat as items of a list: those of
 * one shape share a table, and the list holds runs of its rows. The table that took the last object of a list is
 * expected to take the next: while its keys come in order, some left out or not, values go straight into its columns.
 * An object whose keys turn out differently moves to the tape, and from there to the table of its own shape.
 *
 * Strings are checked to be UTF-8, and lengths against the limits.
 */
export class ColumnSink implements Sink, ColumnHost {
  readonly strings = new ByteList(4096, 64);
  readonly #binary = new ByteList(64, 4);
  readonly #keys = new ByteList();
  readonly #tags = new ByteList(64, 4);
  readonly #tagIds = new Map<Tag, number>();
  readonly #tables: Table[] = [];
  readonly #records: RecordKeys[] = [];
  readonly #shapes = new Shapes(this.#keys, (from, to) => this.#checkKey(from, to));
  readonly #part = new PartWriter();
  readonly #main = new Tape();
  readonly #limits: Limits;
  readonly #emit: (part: ArrayBuffer) => void;
  #values = 0;
  #tagsSent = 0;
  #dictionaries = 0;
  /** An anchor was seen: identity matters, so no object goes into a table any more. */
  #references = false;

  readonly source = new Source();
  /** The window that the next event refers to: the source's, or a scratch that is no part of the input. */
  #view = this.source.view;
  #bytes = this.source.bytes;
  #scratch = false;
  /** Takes turns with the source's copies. */
  #spare = new ByteList(64, 1);

  readonly #frames: Frame[];
  #depth = 0;
  /** `frames[depth]`, and of its state what each event needs. */
  #frame: Frame;
  #tape = this.#main;
  /** Where the value goes whose key was announced last; null for the tape. */
  #column: Column | null = null;
  /** The table of the innermost row being written. */
  #table: Table | undefined;
  /** Columns of the row being written, the one expected next, and the row. */
  #columns: readonly Column[] = NO_COLUMNS;
  #next = 0;
  #row = 0;

  /** `emit` takes each part when it is whole; the last from `finish`. */
  constructor(emit: (part: ArrayBuffer) => void, limits: Limits) {
    this.#emit = emit;
    this.#limits = limits;
    this.#frame = new Frame(this.#main, this.#shapes.root);
    this.#frames = [this.#frame];
  }

  window(bytes: Uint8Array, view: DataView, base: number): void {
    this.#scratch = base < 0;
    if (this.#scratch) {
      this.#view = view;
      this.#bytes = bytes;
      return;
    }
    const { source } = this;
    source.bytes = bytes;
    source.view = view;
    source.base = base;
    this.#bytes = bytes;
    this.#view = view;
  }

  /** Takes in all strings that are still ranges of the window. */
  leave(): void {
    const { source } = this;
    const copies = this.#spare;
    copies.clear();
    // A key whose value has not come: what the column has for this row is stale.
    this.#column?.noString(this.#row);
    try {
      for (const table of this.#tables) {
        if (table.count > 0 || table.open) table.settle(table.open ? this.#nextOf(table) : 0, copies);
      }
    } catch (error) {
      throw this.#firstInvalid() ?? error;
    }
    this.#spare = source.copies;
    source.copies = copies;
  }

  null(): void {
    if (this.#column !== null) this.#take().state(this.#row, STATE_NULL);
    else this.#place().push(TAG_NULL);
  }

  undefined(): void {
    if (this.#column !== null) this.#take().state(this.#row, STATE_UNDEFINED);
    else this.#place().push(TAG_UNDEFINED);
  }

  boolean(value: boolean): void {
    if (this.#column !== null) this.#take().boolean(this.#row, value);
    else this.#place().push(value ? TAG_TRUE : TAG_FALSE);
  }

  integer(value: number): void {
    if (this.#column !== null) this.#take().integer(this.#row, value);
    else this.#place().integer(value);
  }

  float(value: number): void {
    if (this.#column !== null) this.#take().float(this.#row, value);
    else this.#place().number(TAG_FLOAT, value);
  }

  bigint(value: bigint): void {
    if (this.#column !== null) this.#take().bigint(this.#row, value);
    else this.bigintTo(this.#place(), value);
  }

  string(_start: number, from: number, end: number): void {
    if (end - from > this.#limits.stringLength) this.#exceed('stringLength', from);
    if (this.#scratch) this.#scratchString(from, end);
    else if (this.#column !== null) this.#take().string(this.#row, from, end);
    else this.#stringTo(this.#place(), this.#view, from, end, false);
  }

  text(value: string): void {
    const bytes = encodeWtf8(value);
    if (bytes.length > this.#limits.stringLength) this.#exceed('stringLength', 0);
    this.#otherString(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 0, bytes.length);
  }

  binary(kind: BinaryKind, _start: number, from: number, end: number): void {
    if (end - from > this.#limits.binaryLength) this.#exceed('binaryLength', from);
    const tape = this.#place();
    if (this.#binary.length > TEXT_BYTES) this.#flush(0);
    this.#binary.append(this.#view, from, end);
    tape.pushTwo((kind << TAG_BITS) | TAG_BINARY, this.#binary.last);
  }

  date(milliseconds: number): void {
    if (this.#column !== null) this.#take().date(this.#row, milliseconds);
    else this.#place().number(TAG_DATE, milliseconds);
  }

  beginArray(): void {
    this.#openList(TAG_LIST);
  }

  endArray(): void {
    const { tape, start, count, records } = this.#frame;
    if (records === count) tape.words[start]! |= 1 << TAG_BITS;
    this.#close();
  }

  beginSet(): void {
    this.#openList(TAG_SET);
  }

  endSet(): void {
    this.#close();
  }

  beginMap(): void {
    this.#open(FRAME_MAP, TAG_MAP);
  }

  endMap(): void {
    const frame = this.#frame;
    frame.count /= 2;
    this.#values += frame.count;
    this.#close();
  }

  beginObject(): void {
    const frame = this.#frame;
    const table = frame.kind === FRAME_LIST ? frame.table : undefined;
    if (table !== undefined && this.#admits(table)) this.#beginRow(table);
    else this.#openObject();
  }

  key(_start: number, from: number, end: number): void {
    const column = this.#columns[this.#next];
    if (column !== undefined && column.key.matches(this.#view, from, end)) {
      this.#next++;
      this.#column = column;
    } else {
      if (end - from > this.#limits.stringLength) this.#exceed('stringLength', from);
      this.#key(this.#view, from, end, false);
    }
  }

  keyText(value: string): void {
    const bytes = encodeWtf8(value);
    this.#key(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 0, bytes.length, true);
  }

  endObject(): void {
    const frame = this.#frame;
    if (frame.kind === FRAME_ROW) {
      const columns = this.#columns;
      for (let index = this.#next; index < columns.length; index++) columns[index]!.state(this.#row, STATE_ABSENT);
      this.#endRow();
      return;
    }
    const { tape, start, shape } = frame;
    tape.words[start] = (shape.id << TAG_BITS) | TAG_OBJECT;
    tape.words[start + 1] = frame.extra;
    this.#leave();
    const list = this.#frame;
    if (list.kind === FRAME_LIST) this.#endItem(list, frame);
  }

  defineRecord(keys: readonly string[]): RecordId {
    const made = keys.map((key) => {
      const bytes = encodeWtf8(key);
      return new Key(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 0, bytes.length);
    });
    const unique = new Set(keys).size === keys.length;
    let shape: Shape | undefined = unique ? this.#shapes.root : undefined;
    for (const { view, length } of made) shape &&= this.#shapes.step(shape, view, 0, length, true);
    this.#records.push({ keys: made, shape, uses: 0 });
    return this.#records.length - 1;
  }

  beginRecord(id: RecordId): void {
    const record = this.#records[id]!;
    const { shape } = record;
    if (this.#frame.kind === FRAME_LIST && shape !== undefined && shape.length > 0) {
      if (shape.table === undefined && ++record.uses > 1) this.#createTable(shape);
      if (shape.table !== undefined && this.#admits(shape.table)) {
        this.#beginRow(shape.table);
        return;
      }
    }
    this.#openObject();
    this.#frame.record = record;
  }

  field(index: number): void {
    const columns = this.#columns;
    if (columns === NO_COLUMNS) {
      const frame = this.#frame;
      const { view, length } = frame.record!.keys[index]!;
      this.#objectKey(frame, view, 0, length, true);
    } else if (index === this.#next) {
      this.#next++;
      this.#column = columns[index]!;
    } else {
      // Fields that are passed over count as absent until they come.
      while (this.#next < index) columns[this.#next++]!.state(this.#row, STATE_ABSENT);
      if (this.#next === index) this.#next++;
      this.#column = columns[index]!;
      this.#column.states[this.#row] = STATE_VALUE;
    }
  }

  endRecord(): void {
    this.endObject();
  }

  beginTagged(tag: Tag): void {
    let id = this.#tagIds.get(tag);
    if (id === undefined) {
      const bytes = encoder.encode(tag);
      this.#tags.append(new DataView(bytes.buffer), 0, bytes.length);
      id = this.#tags.last;
      this.#tagIds.set(tag, id);
    }
    this.#place().push((id << TAG_BITS) | TAG_TAGGED);
    this.#enter(FRAME_TAGGED);
  }

  endTagged(): void {
    this.#leave();
  }

  anchor(id: number): void {
    if (this.#column !== null) {
      this.#column.variant(this.#row);
      this.#column = null;
    }
    this.#references = true;
    this.#tape.pushTwo(TAG_ANCHOR, id);
  }

  reference(id: number): void {
    this.#place().pushTwo(TAG_REFERENCE, id);
  }

  path(): (string | number)[] {
    return this.#pathTo(this.#depth);
  }

  #pathTo(last: number): (string | number)[] {
    const path: (string | number)[] = [];
    for (let depth = 1; depth <= last; depth++) {
      const frame = this.#frames[depth]!;
      const open = depth < this.#depth;
      const next = open ? frame.next : this.#next;
      if (frame.kind === FRAME_LIST) path.push(open ? frame.count - 1 : frame.count);
      else if (frame.kind === FRAME_MAP) path.push((open ? frame.count - 1 : frame.count) >> 1);
      else if (frame.kind === FRAME_OBJECT && frame.shape.key) path.push(frame.shape.key.toString());
      else if (frame.kind === FRAME_ROW && next > 0) path.push(frame.table!.columns[next - 1]!.key.toString());
    }
    return path;
  }

  /** Writes what is left, and the last part. The root value must be whole. */
  finish(): void {
    this.#flush(PART_LAST | (this.#references ? PART_REFERENCES : 0));
  }

  bigintTo(tape: Tape, value: bigint): void {
    const digits = encoder.encode(String(value));
    this.strings.append(new DataView(digits.buffer), 0, digits.length);
    tape.pushTwo(TAG_BIGINT, this.strings.last);
  }

  #stringTo(tape: Tape, source: DataView, from: number, end: number, trusted: boolean): void {
    const { strings } = this;
    if (strings.length > TEXT_BYTES) this.#flush(0);
    if (!strings.append(source, from, end) && !trusted) this.source.check(from, end);
    tape.pushTwo(TAG_STRING, strings.last);
  }

  /** A string in a scratch window, whose place in the input is not known. */
  #scratchString(from: number, end: number): void {
    if (validateUtf8(this.#bytes, from, end) >= 0) throw invalidUtf8(from, -1);
    this.#otherString(this.#view, from, end);
  }

  #otherString(view: DataView, from: number, end: number): void {
    if (this.#column !== null) this.#take().otherString(this.#row, view, from, end);
    else this.#stringTo(this.#place(), view, from, end, true);
  }

  /** Strings are checked column by column: of those that are not UTF-8, the error for the one that came first. */
  #firstInvalid(): DecodeError | undefined {
    let first: DecodeError | undefined;
    for (const table of this.#tables) {
      const open = table.open ? this.#nextOf(table) : 0;
      for (const [index, column] of table.columns.entries()) {
        const invalid = column.firstInvalid(table.count + (index < open ? 1 : 0));
        if (!invalid || (first && first.offset! <= invalid.error.offset!)) continue;
        first = invalid.error.locate({ path: this.#pathOf(table, invalid.row, column) });
      }
    }
    return first;
  }

  /** The path of a row's column; without the row's index where the list that holds it has ended. */
  #pathOf(table: Table, row: number, column: Column): (string | number)[] | undefined {
    const holds = (frame: Frame): boolean => frame.kind === FRAME_LIST && frame.table === table;
    const depth = this.#frames.findLastIndex((frame, at) => at <= this.#depth && holds(frame));
    if (depth < 0) return undefined;
    const last = this.#frames[depth]!.count - (table.open ? 1 : 0);
    return [...this.#pathTo(depth - 1), last - (table.count - row), column.key.toString()];
  }

  /** How many columns of a table's open row are set. */
  #nextOf(table: Table): number {
    if (this.#frame.kind === FRAME_ROW && this.#frame.table === table) return this.#next;
    return this.#frames.findLast((frame, depth) => depth < this.#depth && frame.kind === FRAME_ROW && frame.table === table)!.next;
  }

  /** The tape that takes the next value: the row's VARIANT column points to it, or it counts as one more item. */
  #place(): Tape {
    if (this.#column !== null) {
      this.#column.variant(this.#row);
      this.#column = null;
    } else this.#frame.count++;
    return this.#tape;
  }

  /** The column that takes the value at hand. */
  #take(): Column {
    const column = this.#column!;
    this.#column = null;
    return column;
  }

  #enter(kind: number): Frame {
    this.#frame.next = this.#next;
    const frame = (this.#frames[++this.#depth] ??= new Frame(this.#main, this.#shapes.root));
    frame.kind = kind;
    frame.tape = this.#tape;
    frame.count = 0;
    this.#frame = frame;
    this.#columns = NO_COLUMNS;
    this.#next = 0;
    return frame;
  }

  #leave(): void {
    const frame = this.#frames[--this.#depth]!;
    this.#frame = frame;
    this.#tape = frame.tape;
    this.#column = null;
    if (frame.kind === FRAME_ROW) {
      const table = frame.table!;
      this.#columns = table.columns;
      this.#next = frame.next;
      this.#row = table.count;
    } else this.#columns = NO_COLUMNS;
  }

  #open(kind: number, tag: number): Frame {
    const tape = this.#place();
    const frame = this.#enter(kind);
    frame.start = tape.length;
    tape.pushTwo(tag, 0);
    return frame;
  }

  #openList(tag: number): void {
    const frame = this.#open(FRAME_LIST, tag);
    frame.run = -1;
    frame.records = 0;
    frame.lastShape = undefined;
  }

  #openObject(): void {
    this.#frame.records++;
    const frame = this.#open(FRAME_OBJECT, TAG_OBJECT);
    frame.text = this.strings.first + this.strings.count;
    frame.shape = this.#shapes.root;
    frame.extra = 0;
    frame.record = undefined;
  }

  #close(): void {
    const { tape, start, count } = this.#frame;
    tape.words[start + 1] = count;
    this.#count(count);
    this.#leave();
  }

  #count(values: number): void {
    this.#values += values;
    if (this.#values > this.#limits.values) this.#exceed('values', 0);
  }

  #key(source: DataView, from: number, end: number, trusted: boolean): void {
    const frame = this.#frame;
    if (frame.kind === FRAME_ROW) {
      const columns = this.#columns;
      for (let index = this.#next; index < columns.length; index++) {
        if (!columns[index]!.key.matches(source, from, end)) continue;
        while (this.#next < index) columns[this.#next++]!.state(this.#row, STATE_ABSENT);
        this.#column = columns[this.#next++]!;
        return;
      }
      this.#unwind(frame);
    }
    this.#objectKey(frame, source, from, end, trusted);
  }

  #objectKey(frame: Frame, source: DataView, from: number, end: number, trusted: boolean): void {
    if (frame.extra === 0) {
      const shape = this.#shapes.step(frame.shape, source, from, end, trusted);
      if (shape !== undefined) {
        frame.shape = shape;
        return;
      }
    } else if (!trusted) this.#checkKey(from, end);
    frame.extra++;
    this.strings.append(source, from, end);
    frame.tape.pushTwo(TAG_KEY, this.strings.last);
  }

  /**
   * Whether a row of a table may begin here. A table whose rows lie within those of another has a higher level, so that
   * all rows that a row refers to can be written before it.
   */
  #admits(table: Table): boolean {
    if (table.open || this.#references) return false;
    const outer = this.#table;
    if (outer === undefined) return true;
    if (table.level <= outer.level) {
      if (!table.leaf) return false;
      table.level = outer.level + 1;
    }
    outer.leaf = false;
    return true;
  }

  #checkKey(from: number, end: number): void {
    if (!this.#scratch) this.source.check(from, end);
    else if (validateUtf8(this.#bytes, from, end) >= 0) throw invalidUtf8(from, -1);
  }

  #beginRow(table: Table): void {
    this.#frame.count++;
    this.#frame.records++;
    const frame = this.#enter(FRAME_ROW);
    frame.outer = this.#table;
    this.#table = table;
    frame.table = table;
    frame.tape = table.tape;
    table.open = true;
    this.#tape = table.tape;
    this.#columns = table.columns;
    this.#row = table.count;
  }

  #endRow(): void {
    const table = this.#frame.table!;
    table.open = false;
    this.#table = this.#frame.outer;
    this.#leave();
    this.#appendRow(this.#frame, table);
  }

  /** Counts the row that was written to a table, as the next item of a list. */
  #appendRow(list: Frame, table: Table): void {
    const { tape, run } = list;
    const row = table.first + table.count;
    const { words } = tape;
    if (run >= 0 && run + 3 === tape.length && words[run]! >>> TAG_BITS === table.id && words[run + 1]! + words[run + 2]! === row) {
      words[run + 2]!++;
    } else {
      list.run = tape.length;
      tape.rows(table.id, row, 1);
    }
    list.table = table;
    table.count++;
    this.#values += table.columns.length;
    if (table.count % RANGE_ROWS === 0) for (const column of table.columns) column.settle(table.count);
    if (!table.makeRoom()) this.#flush(0);
  }

  /** The row being written has another shape: its values so far move to the tape of the list. */
  #unwind(frame: Frame): void {
    const table = frame.table!;
    const row = this.#row;
    const { tape } = this.#frames[this.#depth - 1]!;
    const columns = this.#columns;
    table.open = false;
    this.#table = frame.outer;
    frame.kind = FRAME_OBJECT;
    frame.tape = tape;
    frame.start = tape.length;
    frame.text = this.strings.first + this.strings.count;
    frame.shape = this.#shapes.root;
    frame.extra = 0;
    frame.record = undefined;
    tape.pushTwo(TAG_OBJECT, 0);
    for (let index = 0; index < this.#next; index++) {
      const column = columns[index]!;
      if (column.states[row] !== STATE_ABSENT) {
        this.#objectKey(frame, column.key.view, 0, column.key.length, true);
        column.spill(row, tape, this.#shapeLength);
      }
      column.states[row] = STATE_VALUE;
    }
    this.#tape = tape;
    this.#column = null;
    this.#columns = NO_COLUMNS;
    this.#next = 0;
  }

  readonly #shapeLength = (shape: number): number => this.#shapes.all[shape]!.length;

  /**
   * An object was written on the tape as an item of a list. If its shape has a table it moves there; if the item before
   * had the same shape, a table is made for both.
   */
  #endItem(list: Frame, item: Frame): void {
    const { shape, start } = item;
    const { tape } = list;
    const { strings } = this;
    this.#values += shape.length + item.extra;
    if (item.extra === 0 && shape.length > 0 && item.text >= strings.first) {
      const follows = list.lastShape === shape && list.lastEnd === start && list.lastText >= strings.first;
      const table = shape.table ?? (follows ? this.#createTable(shape) : undefined);
      if (table !== undefined && this.#admits(table)) {
        const both = follows && table.count + 2 <= table.capacity;
        let row = table.count;
        let plain = true;
        if (both) plain = absorb(table, row++, tape, list.lastStart, strings, this.#shapeLength);
        plain = absorb(table, row, tape, start, strings, this.#shapeLength) && plain;
        if (plain) strings.truncate((both ? list.lastText : item.text) - strings.first);
        tape.length = both ? list.lastStart : start;
        list.lastShape = undefined;
        if (both) this.#appendRow(list, table);
        this.#appendRow(list, table);
        return;
      }
    }
    list.lastShape = item.extra === 0 ? shape : undefined;
    list.lastStart = start;
    list.lastEnd = tape.length;
    list.lastText = item.text;
  }

  #createTable(shape: Shape): Table | undefined {
    if (this.#tables.length >= MAX_TABLES) return undefined;
    const table = new Table(this.#tables.length, shape, this);
    this.#tables.push(table);
    return (shape.table = table);
  }

  /** Emits a part with all rows that are whole and what they need. */
  #flush(flags: number): void {
    this.#count(0);
    const part = this.#part;
    for (const table of this.#tables) if (!table.open) for (const column of table.columns) column.settle(table.count);
    const full = this.#tables.filter((table) => table.count > 0 && !table.open).sort((a, b) => b.level - a.level);
    const shapes = this.#shapes;
    part.strings(LIST_KEYS, this.#keys, shapes.sent - 1);
    part.shapes(shapes.all, shapes.sent);
    part.strings(LIST_TAGS, this.#tags, this.#tagsSent);
    part.strings(LIST_TEXT, this.strings, 0);
    part.strings(LIST_BINARY, this.#binary, 0);
    for (const table of full) this.#writeTable(table);
    if (flags & PART_LAST) part.tape(this.#main);
    this.#emit(part.finish(flags));
    shapes.sent = shapes.all.length;
    this.#tagsSent = this.#tags.count;
    this.strings.clear();
    this.#binary.clear();
    for (const table of full) table.reset();
  }

  #writeTable(table: Table): void {
    if (!table.sent) this.#part.table(table);
    table.sent = true;
    for (const column of table.columns) {
      const { dictionary } = column;
      if (column.kind !== KIND_DICTIONARY || dictionary === undefined) continue;
      if (column.list < 0) column.list = LIST_DICTIONARY + this.#dictionaries++;
      this.#part.strings(column.list, dictionary.list, dictionary.sent);
      dictionary.sent = dictionary.list.count;
    }
    this.#part.group(table);
  }

  #exceed(limit: LimitName, position: number): never {
    throw new LimitError(limit, `more than the limit of ${limit} (${this.#limits[limit as keyof Limits]})`, {
      offset: this.#scratch ? undefined : this.source.base + position,
    });
  }
}
