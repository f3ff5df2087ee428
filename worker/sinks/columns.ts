import {
  PART_LAST,
  PART_LIST_END,
  PART_REFERENCES,
  STATE_ABSENT,
  STATE_NULL,
  STATE_UNDEFINED,
  STATE_VALUE,
  TAG_ANCHOR,
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
import { LimitError, type LimitName } from '../errors.ts';
import type { Limits } from '../limits.ts';
import { invalidUtf8, validateUtf8 } from '../text.ts';
import { absorb } from './columns/absorb.ts';
import { ByteList } from './columns/byte-list.ts';
import type { Column } from './columns/column.ts';
import {
  Frame,
  FRAME_LIST,
  FRAME_MAP,
  FRAME_OBJECT,
  FRAME_ROW,
  FRAME_TAGGED,
  NO_LIMIT,
  type RecordKeys,
} from './columns/frame.ts';
import { BlockOutput } from './columns/output.ts';
import { columnsSet, endOfItems, firstInvalid, pathOf } from './columns/places.ts';
import { RANGE_ROWS, type Source } from './columns/ranges.ts';
import { Key, type Shape, type Shapes } from './columns/shapes.ts';
import type { Table } from './columns/table.ts';
import type { Tape } from './columns/tape.ts';
import { encodeWtf8 } from './columns/wtf8.ts';
import type { BinaryKind, RecordId, Sink, Tag } from './sink.ts';

/** Strings of the tape are written out when they take this many bytes. */
const TEXT_BYTES = 8 * 1024 * 1024;

const NO_COLUMNS: readonly Column[] = [];
/**
 * Writes a block (see block.ts). Everything goes on the tape, but for objects that repeat as items of a list: those of
 * one shape share a table, and the list holds runs of its rows. The table that took the last object of a list is
 * expected to take the next: while its keys come in order, some left out or not, values go straight into its columns.
 * An object whose keys turn out differently moves to the tape, and from there to the table of its own shape.
 *
 * Strings are checked to be UTF-8, and lengths against the limits.
 */
export class ColumnSink implements Sink {
  readonly #out: BlockOutput;
  readonly #shapes: Shapes;
  readonly #strings: ByteList;
  readonly #source: Source;
  readonly #records: RecordKeys[] = [];
  readonly #limits: Limits;
  /** An anchor was seen: identity matters, so no object goes into a table any more. */
  #references = false;

  /** The window that the next event refers to: the source's, or a scratch that is no part of the input. */
  #view: DataView;
  #bytes: Uint8Array;
  #scratch = false;
  /** Takes turns with the source's copies. */
  #spare = new ByteList(64, 1);

  readonly #frames: Frame[];
  #depth = 0;
  /** `frames[depth]`, and of its state what each event needs. */
  #frame: Frame;
  #tape: Tape;
  /** Where the value goes whose key was announced last; null for the tape. */
  #column: Column | null = null;
  /** The table of the innermost row being written. */
  #table: Table | undefined;
  /** Columns of the row being written, the one expected next, and the row. */
  #columns: readonly Column[] = NO_COLUMNS;
  #next = 0;
  #row = 0;

  /** The path of the list whose items go out in batches, and how many items a batch is to have. */
  #listPath: readonly string[] | undefined;
  #batchItems = NO_LIMIT;
  /** That list, while it is open. */
  #list: Frame | undefined;
  /** Where the anchor seen last ends on the tape. */
  #anchorEnd = -1;

  /** `emit` takes each part when it is whole; the last from `finish`. */
  constructor(emit: (part: ArrayBuffer) => void, limits: Limits) {
    this.#limits = limits;
    this.#out = new BlockOutput(emit, limits, (from, to) => this.#checkKey(from, to));
    const { shapes, strings, source, tape } = this.#out;
    this.#shapes = shapes;
    this.#strings = strings;
    this.#source = source;
    this.#view = source.view;
    this.#bytes = source.bytes;
    this.#tape = tape;
    this.#frame = new Frame(tape, shapes.root);
    this.#frames = [this.#frame];
  }

  /**
   * Lets the items of the list at a path, keys from the root, go out in batches of so many, and otherwise when `cut` is
   * called. To be called before any event.
   */
  batch(path: readonly string[], items?: number): void {
    this.#listPath = path;
    if (items !== undefined) this.#batchItems = items;
  }

  /** How many whole items the list has that were not given out yet; −1 where it is not open. */
  get waiting(): number {
    if (this.#list === undefined) return -1;
    return this.#list.count - (this.#frame === this.#list ? 0 : 1);
  }

  /** Gives the items so far out as a batch: at once, or, where one is open, before the next one begins. */
  cut(): void {
    if (this.#list === undefined) return;
    if (this.#frame === this.#list) this.#cut(0);
    else this.#list.limit = 1;
  }

  /** After an error: gives out the items that are whole. Nothing may follow. */
  salvage(): void {
    const list = this.#list;
    if (list === undefined) return;
    const open = this.#frame !== list;
    list.count = this.waiting;
    if (open) list.records = Math.min(list.records, list.count);
    for (const table of this.#out.tables) table.open = false;
    const { tape } = list;
    tape.length = endOfItems(tape, list.start + 2, list.count, this.#out.shapeLength);
    if (list.count > 0) this.#flushBatch(list, 0);
  }

  window(bytes: Uint8Array, view: DataView, base: number): void {
    this.#scratch = base < 0;
    if (this.#scratch) {
      this.#view = view;
      this.#bytes = bytes;
      return;
    }
    const source = this.#source;
    source.bytes = bytes;
    source.view = view;
    source.base = base;
    this.#bytes = bytes;
    this.#view = view;
  }

  /** Takes in all strings that are still ranges of the window. */
  leave(): void {
    const { tables } = this.#out;
    const source = this.#source;
    const copies = this.#spare;
    copies.clear();
    this.#frame.next = this.#next;
    // A key whose value has not come: what the column has for this row is stale.
    this.#column?.noString(this.#row);
    try {
      for (const table of tables) {
        if (table.count > 0 || table.open) table.leave(columnsSet(this.#frames, this.#depth, table), copies);
      }
    } catch (error) {
      throw firstInvalid(this.#frames, this.#depth, tables) ?? error;
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
    else this.#out.bigintTo(this.#place(), value);
  }

  string(_start: number, from: number, end: number): void {
    if (end - from > this.#limits.stringLength) this.#exceed('stringLength', from);
    if (this.#scratch) this.#scratchString(from, end);
    else if (this.#column !== null) this.#take().string(this.#row, from, end);
    else this.#tapeString(this.#view, from, end, false);
  }

  text(value: string): void {
    const bytes = encodeWtf8(value);
    if (bytes.length > this.#limits.stringLength) this.#exceed('stringLength', 0);
    this.#otherString(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 0, bytes.length);
  }

  binary(kind: BinaryKind, _start: number, from: number, end: number): void {
    if (end - from > this.#limits.binaryLength) this.#exceed('binaryLength', from);
    const tape = this.#place();
    if (this.#out.binary.length > TEXT_BYTES) this.#out.flush(0);
    this.#out.binary.append(this.#view, from, end);
    tape.pushTwo((kind << TAG_BITS) | TAG_BINARY, this.#out.binary.last);
  }

  date(milliseconds: number): void {
    if (this.#column !== null) this.#take().date(this.#row, milliseconds);
    else this.#place().number(TAG_DATE, milliseconds);
  }

  beginArray(): void {
    this.#openList(TAG_LIST);
    if (this.#listPath !== undefined && this.#depth === this.#listPath.length + 1) this.#beginBatches(this.#listPath);
  }

  endArray(): void {
    if (this.#frame === this.#list) this.#endBatches(this.#list);
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
    this.#out.count(frame.count);
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
      if (shape.table === undefined && ++record.uses > 1) this.#out.createTable(shape);
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
    this.#place().push((this.#out.tagId(tag) << TAG_BITS) | TAG_TAGGED);
    this.#enter(FRAME_TAGGED);
  }

  endTagged(): void {
    this.#leave();
  }

  anchor(id: number): void {
    if (this.#column !== null) {
      this.#column.variant(this.#row);
      this.#column = null;
    } else if (this.#frame.count >= this.#frame.limit) this.#cut(0);
    this.#references = true;
    this.#tape.pushTwo(TAG_ANCHOR, id);
    this.#anchorEnd = this.#tape.length;
  }

  reference(id: number): void {
    this.#place().pushTwo(TAG_REFERENCE, id);
  }

  path(): (string | number)[] {
    this.#frame.next = this.#next;
    return pathOf(this.#frames, this.#depth);
  }

  /** Writes what is left, and the last part. The root value must be whole. */
  finish(): void {
    this.#out.flush(PART_LAST | (this.#references ? PART_REFERENCES : 0));
  }

  #tapeString(source: DataView, from: number, end: number, trusted: boolean): void {
    const strings = this.#strings;
    // The string belongs to the next batch, if one ends here.
    if (this.#column === null && this.#frame.count >= this.#frame.limit) this.#cut(0);
    if (strings.length > TEXT_BYTES) this.#out.flush(0);
    if (!strings.append(source, from, end) && !trusted) this.#source.check(from, end);
    this.#place().pushTwo(TAG_STRING, strings.last);
  }

  /** A string in a scratch window, whose place in the input is not known. */
  #scratchString(from: number, end: number): void {
    if (validateUtf8(this.#bytes, from, end) >= 0) throw invalidUtf8(from, -1);
    this.#otherString(this.#view, from, end);
  }

  #otherString(view: DataView, from: number, end: number): void {
    if (this.#column !== null) this.#take().otherString(this.#row, view, from, end);
    else this.#tapeString(view, from, end, true);
  }

  /** The tape that takes the next value: the row's VARIANT column points to it, or it counts as one more item. */
  #place(): Tape {
    if (this.#column !== null) {
      this.#column.variant(this.#row);
      this.#column = null;
    } else {
      if (this.#frame.count >= this.#frame.limit) this.#cut(0);
      this.#frame.count++;
    }
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
    const frame = (this.#frames[++this.#depth] ??= new Frame(this.#out.tape, this.#shapes.root));
    frame.kind = kind;
    frame.tape = this.#tape;
    frame.count = 0;
    frame.given = 0;
    frame.limit = NO_LIMIT;
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
    frame.text = this.#strings.first + this.#strings.count;
    frame.shape = this.#shapes.root;
    frame.extra = 0;
    frame.record = undefined;
  }

  #close(): void {
    const { tape, start, count } = this.#frame;
    tape.words[start + 1] = count;
    this.#out.count(count);
    this.#leave();
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
    this.#strings.append(source, from, end);
    frame.tape.pushTwo(TAG_KEY, this.#strings.last);
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
    if (!this.#scratch) this.#source.check(from, end);
    else if (validateUtf8(this.#bytes, from, end) >= 0) throw invalidUtf8(from, -1);
  }

  #beginRow(table: Table): void {
    if (this.#frame.count >= this.#frame.limit) this.#cut(0);
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
    if (run >= 0 && run + 3 === tape.length && words[run]! >>> TAG_BITS === table.id && row === words[run + 1]! + words[run + 2]!) {
      words[run + 2]!++;
    } else {
      list.run = tape.length;
      tape.rows(table.id, row, 1);
    }
    list.table = table;
    table.count++;
    this.#out.count(table.columns.length);
    if (table.count % RANGE_ROWS === 0) table.settle();
    if (!table.makeRoom()) this.#out.flush(0);
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
    frame.text = this.#strings.first + this.#strings.count;
    frame.shape = this.#shapes.root;
    frame.extra = 0;
    frame.record = undefined;
    tape.pushTwo(TAG_OBJECT, 0);
    for (let index = 0; index < this.#next; index++) {
      const column = columns[index]!;
      if (column.states[row] !== STATE_ABSENT) {
        this.#objectKey(frame, column.key.view, 0, column.key.length, true);
        column.spill(row, tape, this.#out.shapeLength);
      }
      column.states[row] = STATE_VALUE;
    }
    this.#tape = tape;
    this.#column = null;
    this.#columns = NO_COLUMNS;
    this.#next = 0;
  }

  /**
   * An object was written on the tape as an item of a list. If its shape has a table it moves there; if the item before
   * had the same shape, a table is made for both.
   */
  #endItem(list: Frame, item: Frame): void {
    const { shape, start } = item;
    const { tape } = list;
    const strings = this.#strings;
    this.#out.count(shape.length + item.extra);
    if (item.extra === 0 && shape.length > 0 && item.text >= strings.first) {
      const follows = list.lastShape === shape && list.lastEnd === start && list.lastText >= strings.first;
      const table = shape.table ?? (follows ? this.#out.createTable(shape) : undefined);
      if (table !== undefined && this.#admits(table)) {
        const both = follows && table.count + 2 <= table.capacity;
        let row = table.count;
        let plain = true;
        if (both) plain = absorb(table, row++, tape, list.lastStart, strings, this.#out.shapeLength);
        plain = absorb(table, row, tape, start, strings, this.#out.shapeLength) && plain;
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

  /** A list opens as deep as the one whose items go out in batches. */
  #beginBatches(path: readonly string[]): void {
    const list = this.#frame;
    if (list.tape !== this.#out.tape || !path.every((key, index) => this.#frames[index + 1]!.isAt(key))) return;
    this.#list = list;
    list.limit = this.#batchItems;
    this.#out.beginList();
  }

  #endBatches(list: Frame): void {
    this.#flushBatch(list, PART_LIST_END);
    this.#out.endList();
    this.#list = undefined;
    list.limit = NO_LIMIT;
  }

  /** Gives out the items of the list that is being read, unless an anchor waits for the next one. */
  #cut(flags: number): void {
    const list = this.#frame;
    if (list === this.#list && list.count > 0 && list.tape.length !== this.#anchorEnd) this.#flushBatch(list, flags);
  }

  #flushBatch(list: Frame, flags: number): void {
    const { tape, start, count, records } = list;
    tape.words[start] = TAG_LIST | (records === count ? 1 << TAG_BITS : 0);
    tape.words[start + 1] = count;
    this.#out.count(count);
    this.#out.flushBatch(flags | (this.#references ? PART_REFERENCES : 0), start);
    tape.words[start] = TAG_LIST;
    tape.length = start + 2;
    list.given += count;
    list.count = 0;
    list.records = 0;
    list.run = -1;
    list.lastShape = undefined;
    list.limit = this.#batchItems;
  }

  #exceed(limit: LimitName, position: number): never {
    throw new LimitError(limit, `more than the limit of ${limit} (${this.#limits[limit as keyof Limits]})`, {
      offset: this.#scratch ? undefined : this.#source.base + position,
    });
  }
}
