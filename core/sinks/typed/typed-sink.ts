import type { ConstantList, KeyList } from '../../reading/sink-methods.ts';
import { BINARY_KINDS, type BinaryKind, type RecordId, type Sink } from '../../reading/sink.ts';
import { ForwardingSink } from '../forwarding-sink.ts';

const FLOAT64: BinaryKind = BINARY_KINDS.indexOf('Float64Array');
const INT32: BinaryKind = BINARY_KINDS.indexOf('Int32Array');

/** Keys of flat points. */
const KEYS: readonly (keyof FlatPoints)[] = ['positions', 'size', 'offsets'];

/** Most lists within each other that become one value: those of a GeoJSON MultiPolygon. */
const MAX_LEVELS = 4;

/** Least and most numbers of a point. */
const MIN_SIZE = 2;
const MAX_SIZE = 4;

/** Numbers that a loop copies faster than a call. */
const FEW = 16;

/** Numbers that fit at first. */
const ROOM = 1024;

/**
 * A list of points, lines or polygons as flat coordinates, in the layout of GeoArrow. What deck.gl and MapLibre take without a
 * copy.
 */
export interface FlatPoints {
  /** The coordinates of all points, one point after the other. */
  positions: Float64Array<ArrayBuffer>;
  /** Numbers of a point: 2 to 4. */
  size: number;
  /**
   * For each level of lists around lists of points, outermost first: where each of them begins among the items of the next level,
   * and at last where the last one ends. Empty for a list of points. One array for a list of lines or the rings of a polygon, two
   * for the polygons of a MultiPolygon.
   */
  offsets: Int32Array<ArrayBuffer>[];
}

/** A list that is open, and the complete lists of its level. */
interface Level {
  /** Complete items of the open list. */
  items: number;
  /** For each complete list of the level, the number of items of all lists up to it. */
  ends: number[];
}

/**
 * Turns lists of numbers into typed arrays, and lists of points into flat coordinates, for another sink. A list is collected as
 * long as it holds nothing but numbers, or lists of them, and is passed on as soon as it is seen to be another one: its items that
 * are lists may still become one value each. Lists in tags stay as they are, since formats make values of them.
 */
export class TypedSink extends ForwardingSink {
  /** Lists being collected, by level, of which `#open` are open; 0 while events are passed on. */
  readonly #levels: Level[] = Array.from({ length: MAX_LEVELS }, () => ({ items: 0, ends: [] }));
  #open = 0;
  /** Number of levels down to the numbers; 0 before the first number. */
  #depth = 0;
  /** Numbers of each complete point; 0 before the first. */
  #size = 0;
  #values = new Float64Array(ROOM);
  #count = 0;
  /** The bytes of the numbers. */
  #memory = memoryOf(this.#values);
  /** The sink's handle for the record of flat points. */
  #points: RecordId | undefined;
  readonly readRows: Sink['readRows'];

  constructor(sink: Sink) {
    super(sink);
    // A list of rows is passed on already: it begins with a record.
    if (sink.readRows !== undefined) this.readRows = (request, bytes, at, to) => sink.readRows!(request, bytes, at, to);
  }

  override integer(value: number, start: number, end: number): void {
    if (this.#takesNumbers()) this.#add(value);
    else this.sink.integer(value, start, end);
  }

  override float(value: number, start: number, end: number): void {
    if (this.#takesNumbers()) this.#add(value);
    else this.sink.float(value, start, end);
  }

  addNumbers(values: Float64Array, count: number): void {
    if (this.#takesNumbers()) {
      this.#append(values, 0, count);
      this.#levels[this.#open - 1]!.items += count;
    } else this.#passNumbers(values, count);
  }

  numberArray(values: Float64Array, count: number): void {
    this.beginArray(count, 0, 0);
    this.addNumbers(values, count);
    this.endArray(0);
  }

  numberLists(values: Float64Array, size: number, count: number): void {
    let list = 0;
    // The first points of a line show what it is.
    while (list < count && (this.#open === 0 || this.#open !== this.#depth - 1 || this.#size !== size)) {
      this.numberArray(values.subarray(list * size, (list + 1) * size), size);
      list += 1;
    }
    if (list === count) return;
    this.#append(values, list * size, count * size);
    this.#levels[this.#open - 1]!.items += count - list;
  }

  override beginArray(count: number, start: number, end: number): void {
    if (this.tagged > 0) {
      this.sink.beginArray(count, start, end);
      return;
    }
    while (this.#open > 0 && (this.#open === this.#depth || this.#open === MAX_LEVELS)) this.#passOuter();
    this.#levels[this.#open]!.items = 0;
    this.#open += 1;
  }

  override endArray(end: number): void {
    if (this.#open === 0) {
      this.sink.endArray(end);
      return;
    }
    const { items, ends } = this.#levels[this.#open - 1]!;
    if (items === 0) {
      this.beforeValue();
      this.sink.endArray(end);
      return;
    }
    if (this.#open === this.#depth) {
      const isPoint = items >= MIN_SIZE && items <= MAX_SIZE;
      while (this.#open > 1 && (!isPoint || (this.#size > 0 && this.#size !== items))) this.#passOuter();
      this.#size = items;
    } else if (this.#open > 1) ends.push((ends.at(-1) ?? 0) + items);
    this.#open -= 1;
    if (this.#open > 0) this.#levels[this.#open - 1]!.items += 1;
    else {
      this.#sendList(0, 0, items);
      this.#clear();
    }
  }

  constant(list: ConstantList, index: number): void {
    this.beforeValue();
    if (this.sink.constant !== undefined) this.sink.constant(list, index);
    else this.sink.text(list.text(index), 0, 0);
  }

  listedKey(list: KeyList, index: number): void {
    if (this.sink.listedKey !== undefined) this.sink.listedKey(list, index);
    else this.sink.keyText(list.text(index), 0, 0);
  }

  between(start: number, end: number): void {
    if (this.#open === 0) this.sink.between?.(start, end);
  }

  /** True if the next number belongs to the innermost list that is collected. Passes lists on that it does not fit. */
  #takesNumbers(): boolean {
    if (this.#open === 0) return false;
    while (this.#depth > 0 && this.#open !== this.#depth) {
      this.#passOuter();
      if (this.#open === 0) return false;
    }
    this.#depth = this.#open;
    return true;
  }

  #add(value: number): void {
    if (this.#count === this.#values.length) this.#grow(1);
    this.#values[this.#count++] = value;
    this.#levels[this.#open - 1]!.items += 1;
  }

  #append(values: Float64Array, from: number, to: number): void {
    const count = to - from;
    if (this.#count + count > this.#values.length) this.#grow(count);
    if (count > FEW) this.#values.set(values.subarray(from, to), this.#count);
    else for (let at = 0; at < count; at += 1) this.#values[this.#count + at] = values[from + at]!;
    this.#count += count;
  }

  #grow(count: number): void {
    const grown = new Float64Array(Math.max(this.#values.length * 2, this.#count + count));
    grown.set(this.#values.subarray(0, this.#count));
    this.#values = grown;
    this.#memory = memoryOf(grown);
  }

  #passNumbers(values: Float64Array, count: number): void {
    if (this.sink.addNumbers !== undefined) this.sink.addNumbers(values, count);
    else for (let at = 0; at < count; at += 1) this.sink.float(values[at]!, 0, 0);
  }

  /**
   * Passes on all lists that are collected. So a list that others refer to remains a value of its own, and when a decode has failed,
   * the sink knows where in the lists it has.
   */
  protected beforeValue(): void {
    while (this.#open > 0) this.#passOuter();
  }

  /** Passes on the outermost list and its complete items. Its open item becomes the outermost list. */
  #passOuter(): void {
    const levels = this.#levels;
    const { items } = levels[0]!;
    this.sink.beginArray(-1, 0, 0);
    if (this.#depth === 1) this.#passNumbers(this.#values, items);
    else for (let item = 0; item < items; item += 1) this.#sendList(1, this.#startOf(1, item), this.#startOf(1, item + 1));
    if (this.#open === 1) {
      this.#clear();
      return;
    }
    if (this.#depth > 0) this.#forget(items);
    const outer = levels.shift()!;
    outer.items = 0;
    outer.ends = [];
    levels.push(outer);
    this.#open -= 1;
  }

  /** Drops the first lists of level 1, with all that is in them. */
  #forget(lists: number): void {
    let sent = lists;
    for (let level = 1; level < this.#depth - 1; level += 1) {
      const base = this.#startOf(level, sent);
      const left = this.#levels[level]!;
      left.ends = left.ends.slice(sent).map((end) => end - base);
      sent = base;
    }
    sent *= this.#size;
    this.#values.copyWithin(0, sent, this.#count);
    this.#count -= sent;
    const pending = this.#open === this.#depth ? this.#levels[this.#open - 1]!.items : 0;
    if (this.#count === pending) this.#size = 0;
    this.#depth = this.#count === 0 ? 0 : this.#depth - 1;
  }

  /** Sends the list at a level whose items are those from `from` to `to` of the next level. */
  #sendList(level: number, from: number, to: number): void {
    if (level === this.#depth - 1) {
      this.#sendNumbers(from, to);
      return;
    }
    let first = from;
    let last = to;
    const offsets: Int32Array<ArrayBuffer>[] = [];
    for (let inner = level + 1; inner < this.#depth - 1; inner += 1) {
      const base = this.#startOf(inner, first);
      const starts = new Int32Array(last - first + 1);
      for (let at = 0; at < starts.length; at += 1) starts[at] = this.#startOf(inner, first + at) - base;
      offsets.push(starts);
      last = this.#startOf(inner, last);
      first = base;
    }
    const sink = this.sink;
    const size = this.#size;
    if (sink.made !== undefined) {
      const points: FlatPoints = { positions: this.#values.slice(first * size, last * size), size, offsets };
      sink.made(points);
      return;
    }
    sink.beginRecord((this.#points ??= sink.defineRecord(KEYS)), 0, 0);
    sink.field(0, 0, 0);
    this.#sendNumbers(first * size, last * size);
    sink.field(1, 0, 0);
    sink.integer(size, 0, 0);
    sink.field(2, 0, 0);
    sink.beginArray(offsets.length, 0, 0);
    for (const { buffer } of offsets) this.#send(INT32, new Uint8Array(buffer), new DataView(buffer), 0, buffer.byteLength);
    sink.endArray(0);
    sink.endRecord(0);
  }

  #sendNumbers(from: number, to: number): void {
    if (this.sink.made !== undefined) {
      this.sink.made(this.#values.slice(from, to));
      return;
    }
    const { bytes, view } = this.#memory;
    this.#send(FLOAT64, bytes, view, from * Float64Array.BYTES_PER_ELEMENT, to * Float64Array.BYTES_PER_ELEMENT);
  }

  #send(kind: BinaryKind, bytes: Uint8Array, view: DataView, from: number, end: number): void {
    const sink = this.sink;
    sink.window(bytes, view, -1);
    sink.binary(kind, from, from, end);
    sink.window(this.bytes, this.view, this.base);
  }

  /** Forgets everything collected. */
  #clear(): void {
    this.#open = 0;
    this.#depth = 0;
    this.#size = 0;
    this.#count = 0;
    for (const level of this.#levels) {
      level.items = 0;
      if (level.ends.length > 0) level.ends = [];
    }
  }

  /** Index of the first item of a complete list among the items of all lists of its level. */
  #startOf(level: number, list: number): number {
    if (level === this.#depth - 1) return list * this.#size;
    return list === 0 ? 0 : this.#levels[level]!.ends[list - 1]!;
  }
}

function memoryOf({ buffer }: Float64Array<ArrayBuffer>): { bytes: Uint8Array; view: DataView } {
  return { bytes: new Uint8Array(buffer), view: new DataView(buffer) };
}
