import { internKey } from '../key-cache.ts';
import { decodeUtf8 } from '../text.ts';
import type { BinaryKind, RecordId, Sink, Tag } from './sink.ts';
import * as is from './span-tree.ts';
import { NONE, type SpanData } from './span-tree.ts';

/** How the bytes of a format lie. */
export interface SpanSetting {
  /**
   * Bytes before a value belong to it, as tags and definitions do; otherwise, as commas and white space do, to what
   * it is in. Default true.
   */
  prefixes?: boolean;
  /** Bytes that follow a string's payload and belong to it. Default 0. */
  tail?: number;
  /** Whether the string that begins with this byte has its text elsewhere. */
  isElsewhere?: (token: number) => boolean;
  /** Text with a range can be made from the bytes again, as that of JSON. Default false. */
  rereadText?: boolean;
  /**
   * The body, where the reader also announces windows of other bytes with offsets: those of blocks that it has unpacked.
   * What is in them has no place in the body.
   */
  body?: Uint8Array;
  /** Values lie anywhere, and not within their containers. Default false. */
  scattered?: boolean;
}

const NOWHERE = -1;
const LONGEST_HEAD = 0xffff;
const NO_BYTES: Uint8Array = new Uint8Array(0);

/**
 * Builds a tree of where values lie, for tools that show the bytes. The whole body must be pushed at once. Ranges nest,
 * do not overlap, and lie within the body, whatever the reader reports: what two events claim belongs to the first.
 * Afterwards `finish` gives the tree, also when the reader has thrown: then it has what came before.
 */
export class SpanSink implements Sink {
  readonly #length: number;
  readonly #setting: SpanSetting;
  readonly #prefixes: boolean;
  readonly #tail: number;
  readonly #scattered: boolean;
  readonly #body: Uint8Array | undefined;

  #count = 0;
  #room: number;
  #kinds: Uint8Array<ArrayBuffer>;
  #starts: Uint32Array<ArrayBuffer>;
  #values: Uint32Array<ArrayBuffer>;
  #ends: Uint32Array<ArrayBuffer>;
  #heads: Uint16Array<ArrayBuffer>;
  #nexts: Uint32Array<ArrayBuffer>;
  #parents: Uint32Array<ArrayBuffer>;
  #keys: Uint32Array<ArrayBuffer>;
  #numbers: Float64Array<ArrayBuffer>;
  readonly #extras = new Map<number, bigint | string | Uint8Array>();
  readonly #elsewhere = new Map<number, readonly [number, number]>();
  readonly #names: string[] = [];
  readonly #nameIndex = new Map<string, number>();
  #lastName = '';
  #lastNameIndex = -1;

  #bytes = NO_BYTES;
  #base = 0;
  /** Up to where bytes belong to an entry. */
  #cursor = 0;
  /** The innermost open container. */
  #open = 0;
  /** Where the key or prefix of the next value begins, and the key. */
  #keyStart = NOWHERE;
  #key = NONE;
  #anchor = NOWHERE;
  readonly #anchors = new Map<number, number>();
  /** The entry whose end the next event tells. */
  #pending = 0;
  readonly #records: number[][] = [];

  constructor(length: number, setting: SpanSetting = {}) {
    this.#length = length;
    this.#setting = setting;
    this.#prefixes = setting.prefixes !== false;
    this.#tail = setting.tail ?? 0;
    this.#scattered = setting.scattered === true;
    this.#body = setting.body;
    this.#room = Math.max(64, Math.min(1 << 20, length >> 3));
    this.#kinds = new Uint8Array(this.#room);
    this.#starts = new Uint32Array(this.#room);
    this.#values = new Uint32Array(this.#room);
    this.#ends = new Uint32Array(this.#room);
    this.#heads = new Uint16Array(this.#room);
    this.#nexts = new Uint32Array(this.#room);
    this.#parents = new Uint32Array(this.#room);
    this.#keys = new Uint32Array(this.#room);
    this.#numbers = new Float64Array(this.#room);
    this.#keys[0] = NONE;
    this.#count = 1;
  }

  /** The tree. `reached` is where the reader stopped, when it did not come to the end. */
  finish(reached = this.#length): SpanData {
    const at = Math.min(Math.max(reached, this.#cursor), this.#length);
    this.#settle(at);
    while (this.#open > 0) this.#close(this.#scattered ? this.#ends[this.#open]! : at);
    const count = this.#count;
    this.#ends[0] = this.#length;
    this.#nexts[0] = count;
    return {
      count,
      length: this.#length,
      kinds: this.#kinds.subarray(0, count),
      starts: this.#starts.subarray(0, count),
      values: this.#values.subarray(0, count),
      ends: this.#ends.subarray(0, count),
      heads: this.#heads.subarray(0, count),
      nexts: this.#nexts.subarray(0, count),
      parents: this.#parents.subarray(0, count),
      keys: this.#keys.subarray(0, count),
      numbers: this.#numbers.subarray(0, count),
      names: this.#names,
      extras: this.#extras,
      elsewhere: this.#elsewhere,
      tail: this.#tail,
      scattered: this.#scattered,
    };
  }

  window(bytes: Uint8Array, _view: DataView, base: number): void {
    this.#bytes = bytes;
    this.#base = this.#body !== undefined && base >= 0 && !isPart(bytes, this.#body, base) ? -1 : base;
  }

  null(start: number, end: number): void {
    this.#add(is.NULL, start, end);
  }

  undefined(start: number, end: number): void {
    this.#add(is.UNDEFINED, start, end);
  }

  boolean(value: boolean, start: number, end: number): void {
    this.#add(value ? is.TRUE : is.FALSE, start, end);
  }

  integer(value: number, start: number, end: number): void {
    this.#numbers[this.#add(is.INTEGER, start, end)] = value;
  }

  float(value: number, start: number, end: number): void {
    this.#numbers[this.#add(is.FLOAT, start, end)] = value;
  }

  bigint(value: bigint, start: number, end: number): void {
    this.#extras.set(this.#add(is.BIGINT, start, end), value);
  }

  string(start: number, from: number, end: number): void {
    if (this.#base < 0) {
      this.#extras.set(this.#add(is.TEXT, start, end), decodeUtf8(this.#bytes, from, end, -1));
    } else if (this.#setting.isElsewhere?.(this.#bytes[start]!)) {
      const text = decodeUtf8(this.#bytes, from, end, this.#base);
      const node = this.#add(is.TEXT, start, start + 1);
      this.#pending = node;
      this.#extras.set(node, text);
      this.#elsewhere.set(node, [this.#base + from, this.#base + end]);
    } else {
      const node = this.#add(is.STRING, start, end + this.#tail);
      this.#setHead(node, from);
    }
  }

  text(value: string, start: number, end: number): void {
    const node = this.#add(is.TEXT, start, end);
    if (this.#setting.rereadText !== true) this.#extras.set(node, value);
  }

  binary(kind: BinaryKind, start: number, from: number, end: number): void {
    const copy = this.#base < 0 ? this.#bytes.slice(from, end) : undefined;
    const node = this.#add(is.BINARY, start, end);
    this.#numbers[node] = kind;
    if (copy) this.#extras.set(node, copy);
    else this.#setHead(node, from);
  }

  date(milliseconds: number, start: number, end: number): void {
    this.#numbers[this.#add(is.DATE, start, end)] = milliseconds;
  }

  beginArray(_count: number, start: number, end: number): void {
    this.#begin(is.ARRAY, start, end);
  }

  endArray(end: number): void {
    this.#end(end);
  }

  beginSet(_count: number, start: number, end: number): void {
    this.#begin(is.SET, start, end);
  }

  endSet(end: number): void {
    this.#end(end);
  }

  beginObject(_count: number, start: number, end: number): void {
    this.#begin(is.OBJECT, start, end);
  }

  endObject(end: number): void {
    this.#end(end);
  }

  key(start: number, from: number, end: number): void {
    const name = internKey(this.#bytes, from, end, this.#base);
    if (this.#base < 0 || this.#setting.isElsewhere?.(this.#bytes[start]!)) this.#takeKey(name, start, start + 1);
    else this.#takeKey(name, start, end + this.#tail);
  }

  keyText(value: string, start: number, end: number): void {
    this.#takeKey(value, start, end);
  }

  defineRecord(keys: readonly string[]): RecordId {
    return this.#records.push(keys.map((key) => this.#nameNumber(key))) - 1;
  }

  beginRecord(record: RecordId, start: number, end: number): void {
    const node = this.#begin(is.RECORD, start, end);
    this.#extras.set(node, String(record));
  }

  field(index: number, start: number, end: number): void {
    const record = Number(this.#extras.get(this.#open));
    const from = this.#place(start);
    this.#settle(from);
    this.#key = this.#records[record]![index]!;
    this.#keyStart = this.#prefixes && !this.#scattered ? this.#cursor : from;
    this.#cursor = this.#scattered ? 0 : Math.max(this.#place(end), this.#cursor);
  }

  endRecord(end: number): void {
    this.#extras.delete(this.#open);
    this.#end(end);
  }

  beginMap(_count: number, start: number, end: number): void {
    this.#begin(is.MAP, start, end);
  }

  endMap(end: number): void {
    this.#end(end);
  }

  beginTagged(tag: Tag, start: number, end: number): void {
    this.#extras.set(this.#begin(is.TAGGED, start, end), tag);
  }

  endTagged(end: number): void {
    this.#end(end);
  }

  anchor(id: number, start: number): void {
    const from = this.#place(start);
    this.#settle(from);
    this.#anchor = id;
    if (this.#keyStart === NOWHERE) this.#keyStart = from;
  }

  reference(id: number, start: number, end: number): void {
    this.#numbers[this.#add(is.REFERENCE, start, end)] = this.#anchors.get(id) ?? 0;
  }

  path(): (string | number)[] {
    const path: (string | number)[] = [];
    if (this.#key !== NONE) path.push(this.#names[this.#key]!);
    else if (this.#open > 0 && this.#kinds[this.#open]! < is.OBJECT) path.push(this.#numbers[this.#open]!);
    for (let node = this.#open; node > 1; node = this.#parents[node]!) {
      const kind = this.#kinds[this.#parents[node]!]!;
      const key = this.#keys[node]!;
      path.push(kind === is.OBJECT || kind === is.RECORD ? this.#names[key]! : key);
    }
    return path.reverse();
  }

  #place(position: number): number {
    if (this.#base < 0) return this.#cursor;
    return Math.min(Math.max(0, this.#base + position), this.#length);
  }

  /** The entry whose end was not known ends where the next thing begins. */
  #settle(at: number): void {
    const node = this.#pending;
    if (node === 0) return;
    this.#pending = 0;
    if (at > this.#ends[node]!) this.#ends[node] = this.#cursor = at;
  }

  #takeKey(name: string, start: number, end: number): void {
    const from = this.#place(start);
    this.#settle(from);
    this.#key = this.#nameNumber(name);
    const first = this.#scattered ? from : Math.max(from, this.#cursor);
    this.#keyStart = this.#prefixes && !this.#scattered ? this.#cursor : first;
    this.#cursor = this.#scattered ? 0 : Math.max(first, this.#place(end));
  }

  #nameNumber(name: string): number {
    // Keys often come in the same order: names that were new one after another have numbers one after another.
    const next = this.#lastNameIndex + 1;
    if (this.#lastName === name && this.#lastNameIndex >= 0) return this.#lastNameIndex;
    let number: number | undefined = this.#names[next] === name ? next : this.#nameIndex.get(name);
    if (number === undefined) {
      number = this.#names.push(name) - 1;
      this.#nameIndex.set(name, number);
    }
    this.#lastName = name;
    this.#lastNameIndex = number;
    return number;
  }

  #setHead(node: number, from: number): void {
    this.#heads[node] = Math.min(Math.max(0, this.#base + from - this.#values[node]!), LONGEST_HEAD);
  }

  #add(kind: number, start: number, end: number): number {
    if (this.#count === this.#room) this.#grow();
    const node = this.#count;
    const parent = this.#open;
    const scattered = this.#scattered;
    let from = this.#place(start);
    if (this.#pending > 0) this.#settle(from);
    const cursor = this.#cursor;
    if (!scattered && (this.#prefixes || from < cursor)) from = cursor;
    let to = this.#place(end);
    if (to < from) to = from;
    this.#count = node + 1;
    this.#kinds[node] = kind;
    this.#starts[node] = this.#keyStart >= 0 && this.#keyStart < from && !scattered ? this.#keyStart : from;
    this.#values[node] = from;
    this.#ends[node] = to;
    this.#nexts[node] = node + 1;
    this.#parents[node] = parent;
    const parentKind = this.#kinds[parent]!;
    if (parentKind === is.OBJECT || parentKind === is.RECORD) this.#keys[node] = this.#key;
    else this.#keys[node] = parent === 0 ? NONE : this.#numbers[parent]!;
    this.#numbers[parent]! += 1;
    if (this.#anchor >= 0) {
      this.#anchors.set(this.#anchor, node);
      this.#anchor = NOWHERE;
    }
    this.#keyStart = NOWHERE;
    this.#key = NONE;
    if (!scattered) this.#cursor = to;
    if (this.#base < 0 && !scattered) this.#pending = node;
    return node;
  }

  #begin(kind: number, start: number, end: number): number {
    const node = this.#add(kind, start, end);
    this.#heads[node] = Math.min(this.#ends[node]! - this.#values[node]!, LONGEST_HEAD);
    this.#open = node;
    this.#pending = 0;
    return node;
  }

  #end(end: number): void {
    const to = this.#place(end);
    this.#settle(to);
    this.#close(this.#scattered ? this.#ends[this.#open]! : Math.max(to, this.#cursor));
  }

  #close(at: number): void {
    const node = this.#open;
    this.#ends[node] = at;
    this.#nexts[node] = this.#count;
    this.#open = this.#parents[node]!;
    this.#keyStart = NOWHERE;
    this.#key = NONE;
    if (!this.#scattered) this.#cursor = at;
  }

  #grow(): void {
    this.#room = Math.ceil(this.#room * 1.5);
    this.#kinds = grown(this.#kinds, new Uint8Array(this.#room));
    this.#starts = grown(this.#starts, new Uint32Array(this.#room));
    this.#values = grown(this.#values, new Uint32Array(this.#room));
    this.#ends = grown(this.#ends, new Uint32Array(this.#room));
    this.#heads = grown(this.#heads, new Uint16Array(this.#room));
    this.#nexts = grown(this.#nexts, new Uint32Array(this.#room));
    this.#parents = grown(this.#parents, new Uint32Array(this.#room));
    this.#keys = grown(this.#keys, new Uint32Array(this.#room));
    this.#numbers = grown(this.#numbers, new Float64Array(this.#room));
  }
}

/** Whether a window begins as the body does at its offset. */
function isPart(bytes: Uint8Array, body: Uint8Array, base: number): boolean {
  const length = Math.min(64, bytes.length, body.length - base);
  for (let i = 0; i < length; i += 1) {
    if (bytes[i] !== body[base + i]) return false;
  }
  return true;
}

function grown<T extends Uint8Array | Uint16Array | Uint32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
