import {
  PART_LAST,
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
} from '../../block/block.ts';
import { LimitError, type LimitName } from '../../errors.ts';
import type { Limits } from '../../limits.ts';
import { encodeScratch, encodeWtf8, SCRATCH } from '../../bytes/text/encode-wtf8.ts';
import { ByteList } from '../../bytes/byte-list.ts';
import { Cursor, NO_COLUMNS } from './cursor.ts';
import { FRAME_LIST, FRAME_MAP, FRAME_ROW, FRAME_TAGGED, HAS_LISTS, type RecordKeys } from './output/frame.ts';
import { addKey, admits, endItem, reorder, sample } from './items.ts';
import { BlockOutput } from './output/output.ts';
import { columnsSet, firstInvalid, pathOf } from './paths.ts';
import type { StringSource } from './ranges.ts';
import { Key } from './key.ts';
import type { KeyShape } from './table.ts';
import type { ConstantList, KeyList } from '../../reading/sink-methods.ts';
import type { BinaryKind, RecordId, Sink, Tag } from '../../reading/sink.ts';

/** Bytes of strings on the tape after which a part is emitted. */
const TEXT_BYTES = 8 * 1024 * 1024;

/** Optional features of a block. */
export interface ColumnSinkOptions {
  /** Nested objects of lists may be kept as raw bytes (RAW in block.ts), which the page reads later. Default false. */
  raw?: boolean | undefined;
  /** The sink receives only some parts of the payload: see `PickSink`. Default false. */
  picked?: boolean | undefined;
}

/**
 * Writes a block (see block.ts). Values go on the tape, except for objects that repeat as items of a list: those of one
 * shape share a table, and the list holds runs of its rows. The table that received the last object of a list is
 * expected to receive the next: while keys come in its order, even with gaps, values go straight into its columns. An
 * object with other keys moves to the tape, and from there to the table of its own shape.
 *
 * Strings are validated as UTF-8, and lengths are checked against the limits.
 */
export class ColumnSink extends Cursor implements Sink {
  readonly #source: StringSource;
  protected readonly records: RecordKeys[] = [];
  readonly #limits: Limits;
  /** The bytes that the next event refers to: the source's window, or scratch bytes outside the input. */
  #view: DataView;
  /** True if objects of lists may be kept as raw bytes. */
  readonly #raw: boolean;
  /** True if it receives only some parts of the payload. */
  protected readonly picked: boolean;
  itemSeparator: number | undefined = undefined;
  /** Swapped with the source's copies when the window changes. */
  #nextCopies = new ByteList(64, 1);

  /** `emit` receives each part when it is complete; `finish` emits the last. */
  constructor(emit: (part: ArrayBuffer) => void, limits: Limits, { raw = false, picked = false }: ColumnSinkOptions = {}) {
    super(new BlockOutput(emit, limits));
    this.#limits = limits;
    this.#raw = raw;
    this.picked = picked;
    this.#source = this.out.source;
    this.#view = this.#source.view;
  }

  window(bytes: Uint8Array, view: DataView, base: number): void {
    const source = this.#source;
    this.#view = view;
    source.scratch = base < 0 ? bytes : undefined;
    if (base < 0) return;
    source.bytes = bytes;
    source.view = view;
    source.base = base;
    this.out.raw?.window(base);
  }

  /** Encodes all strings that are still ranges of the window. */
  flush(): void {
    const { tables } = this.out;
    const source = this.#source;
    const copies = this.#nextCopies;
    copies.clear();
    this.frame.next = this.next;
    // The column's entry for this row is stale if its value has not been read yet.
    this.column?.noString(this.row);
    try {
      for (const table of tables) {
        if (table.count > 0 || table.open) table.leave(columnsSet(this.frames, this.depth, table), copies);
      }
    } catch (error) {
      const { frames, depth, column, out } = this;
      const invalid = firstInvalid({ frames, depth, tables, pending: column, shapeLength: out.shapeLength });
      this.batches.markInvalid(invalid?.path);
      throw invalid ?? error;
    }
    this.out.raw?.hold();
    this.batches.check(this.frame);
    this.#nextCopies = source.copies;
    source.copies = copies;
  }

  null(): void {
    if (this.column !== null) this.take().state(this.row, STATE_NULL);
    else this.place().push(TAG_NULL);
  }

  undefined(): void {
    if (this.column !== null) this.take().state(this.row, STATE_UNDEFINED);
    else this.place().push(TAG_UNDEFINED);
  }

  boolean(value: boolean): void {
    if (this.column !== null) this.take().boolean(this.row, value);
    else this.place().push(value ? TAG_TRUE : TAG_FALSE);
  }

  integer(value: number): void {
    if (this.column !== null) this.take().integer(this.row, value);
    else this.place().integer(value);
  }

  float(value: number): void {
    if (this.column !== null) this.take().float(this.row, value);
    else this.place().number(TAG_FLOAT, value);
  }

  bigint(value: bigint): void {
    if (this.column !== null) this.take().bigint(this.row, value);
    else this.out.bigintTo(this.place(), value);
  }

  string(_start: number, from: number, end: number): void {
    if (end - from > this.#limits.stringLength) this.#exceed('stringLength', from);
    if (this.#source.scratch !== undefined) {
      // Its position in the input is unknown.
      this.#source.checkEvent(from, end);
      this.#otherString(this.#view, from, end);
    } else if (this.column !== null) {
      this.column.string(this.row, from, end);
      // Cleared after the call: if the string is not UTF-8, the error's path names the column.
      this.column = null;
    } else this.#tapeString(this.#view, from, end, false);
  }

  text(value: string, start: number): void {
    let length = encodeScratch(value);
    let view: DataView = SCRATCH;
    if (length < 0) {
      const bytes = encodeWtf8(value);
      length = bytes.length;
      view = new DataView(bytes.buffer, bytes.byteOffset, length);
    }
    if (length > this.#limits.stringLength) this.#exceed('stringLength', start);
    this.#otherString(view, 0, length);
  }

  constant(list: ConstantList, index: number): void {
    if (this.column !== null) this.take().constant(this.row, list, index);
    else this.#tapeString(list.view, list.start(index), list.end(index), true);
  }

  binary(kind: BinaryKind, _start: number, from: number, end: number): void {
    if (end - from > this.#limits.binaryLength) this.#exceed('binaryLength', from);
    const tape = this.place();
    if (this.out.binary.length > TEXT_BYTES) this.out.flush(0);
    this.out.binary.append(this.#view, from, end);
    tape.pushTwo((kind << TAG_BITS) | TAG_BINARY, this.out.binary.last);
  }

  date(milliseconds: number): void {
    if (this.column !== null) this.take().date(this.row, milliseconds);
    else this.place().number(TAG_DATE, milliseconds);
  }

  beginArray(_count: number, start: number): void {
    const outer = this.frame;
    this.openList(TAG_LIST);
    outer.records = HAS_LISTS;
    this.frame.from = this.#source.base + start;
    if (this.depth === this.batches.depth) this.batches.begin(this.frames);
  }

  endArray(end: number): void {
    this.batches.end(this.frame);
    const { tape, start, from } = this.frame;
    if (this.frame.isRowList()) tape.words[start]! |= 1 << TAG_BITS;
    this.close();
    this.frame.innerBytes += this.#source.base + end - from;
  }

  beginSet(): void {
    this.openList(TAG_SET);
  }

  endSet(): void {
    this.close();
  }

  beginMap(): void {
    this.open(FRAME_MAP, TAG_MAP);
  }

  endMap(): void {
    const frame = this.frame;
    frame.count /= 2;
    this.out.count(frame.count);
    this.close();
  }

  beginObject(_count: number, start: number): void {
    const frame = this.frame;
    const table = frame.kind === FRAME_LIST ? frame.table : undefined;
    if (table !== undefined && admits(this.out, table, this.table)) this.openRow(table);
    else {
      this.openObject();
      if (frame.raw && !this.picked) this.out.raw!.begin(this.#source.base + start);
    }
    this.frame.from = this.#source.base + start;
  }

  key(_start: number, from: number, end: number): void {
    const column = this.columns[this.next];
    if (column !== undefined && column.key.matches(this.#view, from, end)) {
      this.next++;
      this.column = column;
    } else {
      if (end - from > this.#limits.stringLength) this.#exceed('stringLength', from);
      this.#key(this.#view, from, end, false);
    }
  }

  listedKey(list: KeyList, index: number): void {
    const column = this.columns[this.next];
    if (column !== undefined && column.isListed(list, index)) {
      this.next++;
      this.column = column;
    } else this.#key(list.view, list.start(index), list.end(index), true);
  }

  keyText(value: string): void {
    const bytes = encodeWtf8(value);
    this.#key(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 0, bytes.length, true);
  }

  endObject(end: number): void {
    const frame = this.frame;
    if (frame.kind === FRAME_ROW) {
      const columns = this.columns;
      for (let index = this.next; index < columns.length; index++) columns[index]!.state(this.row, STATE_ABSENT);
      this.closeRow();
    } else {
      const { tape, start, shape } = frame;
      tape.words[start] = (shape.id << TAG_BITS) | TAG_OBJECT;
      tape.words[start + 1] = frame.extra;
      this.leaveFrame();
      if (this.frame.kind === FRAME_LIST) endItem(this.out, this.frame, frame, this.table, end, this.itemSeparator);
    }
    if (this.#raw) sample(this.out, this.frame, frame, this.table, this.#source.base + end - frame.from, this.itemSeparator);
  }

  dropped(bytes: number): void {
    this.frame.droppedBytes += bytes;
  }

  get acceptsRawItems(): boolean {
    return this.frame.raw && this.itemSeparator !== undefined;
  }

  itemRecord(id: RecordId): void {
    const { tape, start, count } = this.frame;
    const { shape } = this.records[id]!;
    if (count === 0 && shape !== undefined) tape.words[start]! |= shape.id << (TAG_BITS + 1);
  }

  defineRecord(keys: readonly string[], unused = this.records.length): RecordId {
    const made = keys.map((key) => Key.of(key));
    let shape: KeyShape | undefined = new Set(keys).size === keys.length ? this.out.shapes.root : undefined;
    for (const { view, length } of made) shape &&= this.out.shapes.step(shape, view, 0, length, true);
    this.records[unused] = { keys: made, shape, uses: 0 };
    return unused;
  }

  beginRecord(id: RecordId, start: number): void {
    const record = this.records[id]!;
    const { shape } = record;
    if (this.frame.kind === FRAME_LIST && shape !== undefined && shape.length > 0) {
      if (shape.table === undefined && ++record.uses > 1) this.out.createTable(shape);
      if (shape.table !== undefined && admits(this.out, shape.table, this.table)) {
        this.openRow(shape.table);
        this.frame.from = this.#source.base + start;
        return;
      }
    }
    this.openObject();
    this.frame.from = this.#source.base + start;
    this.frame.setRecord(record);
  }

  field(index: number): void {
    const columns = this.columns;
    if (columns === NO_COLUMNS) {
      const frame = this.frame;
      frame.addField(index);
      const { view, length } = frame.record!.keys[index]!;
      addKey(this.out, frame, view, 0, length, true);
    } else if (index === this.next) {
      this.next++;
      this.column = columns[index]!;
    } else {
      // Skipped fields count as absent until they are read.
      while (this.next < index) columns[this.next++]!.state(this.row, STATE_ABSENT);
      if (this.next === index) this.next++;
      this.column = columns[index]!;
      this.column.states[this.row] = STATE_VALUE;
    }
  }

  endRecord(end: number): void {
    if (this.frame.disordered) reorder(this.out, this.frame);
    this.endObject(end);
  }

  beginTagged(tag: Tag): void {
    this.place().push((this.out.tagId(tag) << TAG_BITS) | TAG_TAGGED);
    this.enter(FRAME_TAGGED);
  }

  endTagged(): void {
    this.leaveFrame();
  }

  anchor(id: number): void {
    if (this.column !== null) {
      this.column.variant(this.row);
      this.column = null;
    } else if (this.frame.count >= this.frame.limit) this.batches.cutHere(this.frame);
    this.out.references = true;
    this.tape.pushTwo(TAG_ANCHOR, id);
    this.batches.anchorEnd = this.tape.length;
  }

  reference(id: number): void {
    this.place().pushTwo(TAG_REFERENCE, id);
  }

  path(): (string | number)[] {
    const { frame } = this;
    frame.next = this.next;
    const pending = frame.kind === FRAME_ROW ? this.column !== null : frame.shape.length + frame.extra > frame.count;
    return pathOf(this.frames, this.depth, true, pending);
  }

  /** Writes the remaining data and the last part. The root value must be complete. */
  finish(): void {
    this.out.flush(PART_LAST | (this.out.references ? PART_REFERENCES : 0));
  }

  #tapeString(source: DataView, from: number, end: number, trusted: boolean): void {
    const { strings } = this.out;
    // If a batch ends here, the string belongs to the next one.
    if (this.column === null && this.frame.count >= this.frame.limit) this.batches.cutHere(this.frame);
    if (strings.length > TEXT_BYTES) this.out.flush(0);
    if (!strings.append(source, from, end) && !trusted) this.#source.check(from, end);
    this.place().pushTwo(TAG_STRING, strings.last);
  }

  #otherString(view: DataView, from: number, end: number): void {
    if (this.column !== null) this.take().otherString(this.row, view, from, end);
    else this.#tapeString(view, from, end, true);
  }

  #key(source: DataView, from: number, end: number, trusted: boolean): void {
    const frame = this.frame;
    if (frame.kind === FRAME_ROW) {
      const columns = this.columns;
      for (let index = this.next; index < columns.length; index++) {
        if (!columns[index]!.key.matches(source, from, end)) continue;
        while (this.next < index) columns[this.next++]!.state(this.row, STATE_ABSENT);
        this.column = columns[this.next++]!;
        return;
      }
      this.unwindRow();
    }
    addKey(this.out, frame, source, from, end, trusted);
  }

  #exceed(limit: LimitName, position: number): never {
    throw new LimitError(limit, `${limit} limit exceeded (${this.#limits[limit as keyof Limits]})`, {
      offset: this.#source.scratch ? undefined : this.#source.base + position,
    });
  }
}
