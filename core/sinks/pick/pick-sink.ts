import { decodeUtf8, invalidUtf8, validateUtf8 } from '../../bytes/text/text.ts';
import { internKey } from '../../bytes/text/key-cache.ts';
import { DecodeError } from '../../errors.ts';
import type { ConstantList, KeyList, RowRequest } from '../../reading/sink-methods.ts';
import type { BinaryKind, RecordId, Sink, Tag } from '../../reading/sink.ts';
import { DroppedPlace, LIST, MAP, OBJECT, TAGGED } from './dropped.ts';
import { type PickedKey, type PickedRecord, type PickNode, type PickPath, pickTree } from './tree.ts';

/** Modes: the paths decide which events of the innermost value are passed on. */
const PICK = 0;
/** All of its events are passed on. */
const KEEP = 1;
/** All of its events are checked and dropped. */
const DROP = 2;

/** Objects read one by one before a sink is asked again for rows of a list that it cannot read now. */
const PAUSE = 64;

/** An open list or object that some of the paths lead into. Frames are reused. */
interface Frame {
  node: PickNode;
  isList: boolean;
  record: PickedRecord | undefined;
  /** The latest field of the record. */
  field: number;
}

/**
 * Passes the parts of a payload that are picked to another sink, and checks and drops the others: nothing is built of them. Lists
 * are passed through: what is wanted of a list is wanted of each of its items. Values other than lists and plain objects are kept
 * as a whole, also where a path leads further. Errors are those that the sink reports of the complete payload.
 */
export class PickSink implements Sink {
  readonly #sink: Sink;
  #mode = PICK;
  /** KEEP: open containers. */
  #depth = 0;
  readonly #frames: Frame[] = [];
  /** The innermost frame, and its index; undefined and −1 at the root. */
  #frame: Frame | undefined;
  #top = -1;
  /** The node of the paths for the next value. */
  #node: PickNode;
  /** The key whose value is dropped, until the value is complete, and the offset of its container in the input. */
  #dropped: string | undefined;
  #droppedFrom = 0;
  readonly #place = new DroppedPlace();
  /** Keys of records by handle, and the handles of records whose fields are all kept. */
  readonly #records: (readonly string[])[] = [];
  readonly #whole: RecordId[] = [];
  /** The nodes of values with identity; undefined if they are dropped. */
  #anchors: Map<number, PickNode | undefined> | undefined;
  #bytes: Uint8Array = new Uint8Array(0);
  #view = new DataView(this.#bytes.buffer);
  #base = 0;
  readonly prefersText: boolean;
  checkText: Sink['checkText'];
  readonly flush: () => void;
  readonly readRows: Sink['readRows'];

  /** `paths` are those of `DecodeSettings.pick`. */
  constructor(sink: Sink, paths: readonly PickPath[]) {
    this.#sink = sink;
    this.#node = pickTree(paths);
    this.prefersText = sink.prefersText ?? false;
    this.flush = () => {
      this.#place.keep(this.#bytes);
      sink.flush?.();
    };
    if (sink.readRows !== undefined) this.readRows = (request, bytes, at, to) => this.#readRows(request, bytes, at, to);
  }

  window(bytes: Uint8Array, view: DataView, base: number): void {
    this.#bytes = bytes;
    this.#view = view;
    this.#base = base;
    this.#sink.window(bytes, view, base);
  }

  get acceptsRawItems(): boolean | undefined {
    return this.#sink.acceptsRawItems;
  }

  get itemSeparator(): number | undefined {
    return this.#sink.itemSeparator;
  }

  set itemSeparator(separator: number | undefined) {
    this.#sink.itemSeparator = separator;
  }

  null(start: number, end: number): void {
    if (this.#takes()) this.#sink.null(start, end);
  }

  undefined(start: number, end: number): void {
    if (this.#takes()) this.#sink.undefined(start, end);
  }

  boolean(value: boolean, start: number, end: number): void {
    if (this.#takes()) this.#sink.boolean(value, start, end);
  }

  integer(value: number, start: number, end: number): void {
    if (this.#mode === DROP) this.#droppedScalar(value);
    else if (this.#takes()) this.#sink.integer(value, start, end);
  }

  float(value: number, start: number, end: number): void {
    if (this.#mode === DROP) this.#droppedScalar(value);
    else if (this.#takes()) this.#sink.float(value, start, end);
  }

  bigint(value: bigint, start: number, end: number): void {
    if (this.#takes()) this.#sink.bigint(value, start, end);
  }

  string(start: number, from: number, end: number): void {
    if (this.#mode !== DROP && this.#dropped === undefined) {
      this.#sink.string(start, from, end);
      return;
    }
    this.#checkText(from, end);
    if (this.#mode === DROP && this.#place.isAtMapKey) this.#droppedScalar(decodeUtf8(this.#bytes, from, end, this.#base));
    else this.#takes();
  }

  text(value: string, start: number, end: number): void {
    this.checkText?.(value.length, start);
    if (this.#mode === DROP) this.#droppedScalar(value);
    else if (this.#takes()) this.#sink.text(value, start, end);
  }

  constant(list: ConstantList, index: number): void {
    if (this.#mode === DROP) this.#droppedScalar(list.text(index));
    else if (!this.#takes()) return;
    else if (this.#sink.constant !== undefined) this.#sink.constant(list, index);
    else this.#sink.text(list.text(index), 0, 0);
  }

  binary(kind: BinaryKind, start: number, from: number, end: number): void {
    if (this.#takes()) this.#sink.binary(kind, start, from, end);
  }

  date(milliseconds: number, start: number, end: number): void {
    if (this.#takes()) this.#sink.date(milliseconds, start, end);
  }

  addNumbers(values: Float64Array, count: number): void {
    if (this.#mode === DROP) this.#place.took(count);
    else if (this.#sink.addNumbers !== undefined) this.#sink.addNumbers(values, count);
    else for (let at = 0; at < count; at += 1) this.#sink.float(values[at]!, 0, 0);
  }

  numberArray(values: Float64Array, count: number, integers: boolean): void {
    if (!this.#takes()) return;
    if (this.#sink.numberArray !== undefined) {
      this.#sink.numberArray(values, count, integers);
      return;
    }
    this.#sink.beginArray(count, 0, 0);
    for (let at = 0; at < count; at += 1) this.#sink.float(values[at]!, 0, 0);
    this.#sink.endArray(0);
  }

  beginArray(count: number, start: number, end: number): void {
    if (this.#drops(LIST, start)) return;
    if (this.#mode === KEEP || this.#node.isWhole) this.#keep();
    else this.#enter(true, undefined);
    this.#sink.beginArray(count, start, end);
  }

  endArray(end: number): void {
    if (!this.#ends(end)) return;
    this.#sink.endArray(end);
    this.#leave();
  }

  beginSet(count: number, start: number, end: number): void {
    if (this.#drops(LIST, start)) return;
    this.#keep();
    this.#sink.beginSet(count, start, end);
  }

  endSet(end: number): void {
    if (!this.#ends(end)) return;
    this.#sink.endSet(end);
    this.#leave();
  }

  beginMap(count: number, start: number, end: number): void {
    if (this.#drops(MAP, start)) return;
    this.#keep();
    this.#sink.beginMap(count, start, end);
  }

  endMap(end: number): void {
    if (!this.#ends(end)) return;
    this.#sink.endMap(end);
    this.#leave();
  }

  beginTagged(tag: Tag, start: number, end: number): void {
    if (this.#drops(TAGGED, start)) return;
    this.#keep();
    this.#sink.beginTagged(tag, start, end);
  }

  endTagged(end: number): void {
    if (!this.#ends(end)) return;
    this.#sink.endTagged(end);
    this.#leave();
  }

  beginObject(count: number, start: number, end: number): void {
    if (this.#drops(OBJECT, start)) return;
    if (this.#mode === KEEP || this.#node.isWhole) this.#keep();
    else this.#enter(false, undefined);
    this.#sink.beginObject(count, start, end);
  }

  endObject(end: number): void {
    if (!this.#ends(end)) return;
    this.#sink.endObject(end);
    this.#leave();
  }

  key(start: number, from: number, end: number): void {
    if (this.#mode === KEEP) this.#sink.key(start, from, end);
    else if (this.#mode === DROP) {
      this.#checkText(from, end);
      if (this.#base < 0) this.#place.key(decodeUtf8(this.#bytes, from, end, -1));
      else this.#place.keyAt(from, end);
    } else {
      const { node } = this.#frame!;
      const key = node.expected(this.#view, from, end) ?? node.find(internKey(this.#bytes, from, end, this.#base));
      if (this.#wants(key)) this.#sink.key(start, from, end);
    }
  }

  listedKey(list: KeyList, index: number): void {
    const text = list.text(index);
    if (this.#mode === DROP) this.#place.key(text);
    else if (this.#mode === PICK && !this.#wants(this.#frame!.node.find(text))) return;
    else if (this.#sink.listedKey !== undefined) this.#sink.listedKey(list, index);
    else this.#sink.keyText(text, 0, 0);
  }

  keyText(value: string, start: number, end: number): void {
    if (this.#mode === DROP) this.#place.key(value);
    else if (this.#mode === KEEP || this.#wants(this.#frame!.node.find(value))) this.#sink.keyText(value, start, end);
  }

  defineRecord(keys: readonly string[], unused = this.#records.length): RecordId {
    this.#records[unused] = keys;
    const whole = this.#whole[unused];
    if (whole !== undefined) this.#whole[unused] = this.#sink.defineRecord(keys, whole);
    return unused;
  }

  itemRecord(record: RecordId): void {
    if (this.#mode === DROP || this.#sink.itemRecord === undefined) return;
    const isWhole = this.#mode === KEEP || this.#node.isWhole;
    this.#sink.itemRecord(isWhole ? this.#wholeRecord(record) : this.#node.record(record, this.#records[record]!, this.#sink).id);
  }

  beginRecord(record: RecordId, start: number, end: number): void {
    if (this.#drops(OBJECT, start, record)) return;
    if (this.#mode === KEEP || this.#node.isWhole) {
      this.#keep();
      this.#sink.beginRecord(this.#wholeRecord(record), start, end);
    } else {
      const picked = this.#node.record(record, this.#records[record]!, this.#sink);
      this.#enter(false, picked);
      this.#sink.beginRecord(picked.id, start, end);
    }
  }

  field(index: number, start: number, end: number): void {
    if (this.#mode === DROP) this.#place.field(index);
    else if (this.#mode === KEEP) this.#sink.field(index, start, end);
    else {
      const frame = this.#frame!;
      const { fields, values, layout } = frame.record!;
      frame.field = index;
      const value = values[index];
      if (value === undefined) this.#dropped = layout.keys[index];
      else {
        this.#node = value;
        this.#sink.field(fields[index]!, start, end);
      }
    }
  }

  endRecord(end: number): void {
    if (!this.#ends(end)) return;
    this.#sink.endRecord(end);
    this.#leave();
  }

  between(start: number, end: number): void {
    if (this.#mode !== DROP) this.#sink.between?.(start, end);
  }

  anchor(id: number, start: number, end: number): void {
    const isDropped = this.#mode === DROP || this.#dropped !== undefined;
    (this.#anchors ??= new Map()).set(id, isDropped ? undefined : this.#node);
    if (!isDropped) this.#sink.anchor(id, start, end);
  }

  reference(id: number, start: number, end: number): void {
    const isKnown = this.#anchors?.has(id) === true;
    if (isKnown && this.#mode !== DROP && this.#dropped === undefined && !this.#isSame(this.#anchors!.get(id))) {
      throw new DecodeError('unsupported', 'pick leaves out a part of a value that another part refers to; decode without pick', {
        offset: this.#base < 0 ? undefined : this.#base + start,
      });
    }
    // The sink reports references to unknown ids.
    if (!isKnown || this.#takes()) this.#sink.reference(id, start, end);
  }

  path(): (string | number)[] {
    const path = this.#sink.path();
    const depth = this.#top;
    if (this.#dropped === undefined) {
      const { record, field } = this.#frame ?? {};
      // The sink may name the field that it expects next.
      if (record !== undefined && this.#mode === PICK && path[depth] !== record.layout.keys[field!]) path.length = Math.min(path.length, depth);
      return path;
    }
    path.length = Math.min(path.length, depth);
    path.push(this.#dropped, ...this.#place.path(this.#bytes));
    return path;
  }

  /** Counts a value that is no container. Returns true if it is passed on. */
  #takes(): boolean {
    if (this.#mode === DROP) this.#place.took(1);
    else if (this.#dropped === undefined) return true;
    else this.#dropped = undefined;
    return false;
  }

  /** Counts a value of a container that is dropped; it may be a key of a map. */
  #droppedScalar(value: string | number): void {
    const place = this.#place;
    const isKey = place.isAtMapKey;
    place.took(1);
    if (isKey) place.key(value);
  }

  /** Opens a container that is dropped. Returns false for one that is not. */
  #drops(kind: number, start: number, record?: RecordId): boolean {
    if (this.#mode !== DROP) {
      if (this.#dropped === undefined) return false;
      this.#droppedFrom = this.#base + start;
      this.#mode = DROP;
    }
    this.#place.open(kind, record === undefined ? undefined : this.#records[record]);
    return true;
  }

  /** Opens a container that is kept with all of its content. */
  #keep(): void {
    this.#mode = KEEP;
    this.#depth += 1;
  }

  /** Opens a list or an object that paths lead into. */
  #enter(isList: boolean, record: PickedRecord | undefined): void {
    const node = this.#node;
    if (!isList) node.begin();
    this.#top += 1;
    const frame = (this.#frames[this.#top] ??= { node, isList, record, field: -1 });
    frame.node = node;
    frame.isList = isList;
    frame.record = record;
    frame.field = -1;
    this.#frame = frame;
  }

  /** Closes a container that is dropped. Returns true for one that is not. */
  #ends(end: number): boolean {
    if (this.#mode !== DROP) return true;
    this.#place.close();
    if (this.#place.depth === 0) {
      this.#sink.dropped?.(this.#base + end - this.#droppedFrom);
      this.#mode = PICK;
      this.#dropped = undefined;
    }
    return false;
  }

  /** Leaves a container that the sink has closed. */
  #leave(): void {
    if (this.#mode === KEEP) {
      this.#depth -= 1;
      if (this.#depth > 0) return;
      this.#mode = PICK;
    } else {
      this.#top -= 1;
      this.#frame = this.#frames[this.#top];
    }
    if (this.#frame?.isList) this.#node = this.#frame.node;
  }

  /** Notes a key. Returns true if its value is wanted. */
  #wants({ text, value }: PickedKey): boolean {
    if (value === undefined) this.#dropped = text;
    else this.#node = value;
    return value !== undefined;
  }

  /** True if the same is wanted of a value as of the one that a reference takes the place of. */
  #isSame(anchored: PickNode | undefined): boolean {
    if (anchored === undefined) return false;
    return anchored === this.#node || (anchored.isWhole && (this.#mode === KEEP || this.#node.isWhole));
  }

  #wholeRecord(record: RecordId): RecordId {
    return (this.#whole[record] ??= this.#sink.defineRecord(this.#records[record]!));
  }

  /** Throws unless a range of the window is UTF-8. */
  #checkText(from: number, end: number): void {
    const view = this.#view;
    let at = from;
    let all = 0;
    for (const last = end - 4; at <= last; at += 4) all |= view.getInt32(at);
    for (; at < end; at += 1) all |= view.getInt8(at);
    if ((all & 0x80808080) === 0) return;
    const bad = validateUtf8(this.#bytes, from, end);
    if (bad >= 0) throw invalidUtf8(bad, this.#base);
  }

  #readRows(request: RowRequest, bytes: Uint8Array, at: number, to: number): number {
    const { record } = request;
    let { layout } = this.#node;
    if (this.#mode === KEEP) {
      layout = undefined;
      if (record >= 0) request.record = this.#wholeRecord(record);
    } else if (this.#mode === DROP) return this.#postpone(request, at);
    else if (record >= 0) {
      const picked = this.#node.record(record, this.#records[record]!, this.#sink);
      ({ layout } = picked);
      request.record = picked.id;
    } else if (layout === undefined) return this.#postpone(request, at);
    request.layout = layout;
    request.parts = this.#mode === KEEP ? undefined : this.#node;
    try {
      return this.#sink.readRows!(request, bytes, at, to);
    } finally {
      request.record = record;
      request.layout = request.parts = undefined;
    }
  }

  #postpone(request: RowRequest, at: number): number {
    request.skipRecords = PAUSE;
    return at;
  }
}
