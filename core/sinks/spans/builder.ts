import type { SpanSetting } from '../../format/facts.ts';
import * as is from './tree.ts';
import { NONE, type SpanData } from './tree.ts';

const NOWHERE = -1;
const MAX_HEAD_LENGTH = 0xffff;

/**
 * The entries of a growing tree: columns of numbers, the open containers, and the end of the claimed bytes. Ranges
 * nest, do not overlap, and lie within the body, whatever is added: bytes claimed by two entries belong to the first.
 */
export class SpanBuilder {
  protected readonly length: number;
  protected readonly setting: SpanSetting;
  protected readonly prefixes: boolean;
  protected readonly tail: number;
  protected readonly scattered: boolean;

  #count = 1;
  #room: number;
  #nexts: Uint32Array<ArrayBuffer>;
  protected kinds: Uint8Array<ArrayBuffer>;
  protected starts: Uint32Array<ArrayBuffer>;
  protected values: Uint32Array<ArrayBuffer>;
  protected ends: Uint32Array<ArrayBuffer>;
  protected heads: Uint16Array<ArrayBuffer>;
  protected parents: Uint32Array<ArrayBuffer>;
  protected keys: Uint32Array<ArrayBuffer>;
  protected numbers: Float64Array<ArrayBuffer>;
  protected readonly storedValues = new Map<number, bigint | string | Uint8Array>();
  protected readonly elsewhere = new Map<number, readonly [number, number]>();
  protected readonly names: string[] = [];
  readonly #nameIndex = new Map<string, number>();
  #lastName = '';
  #lastNameIndex = -1;

  /** Position of the window in the body; below 0 if the window is not part of it. */
  protected base = 0;
  /** End of the bytes that belong to entries so far. */
  protected cursor = 0;
  /** The innermost open container. */
  protected open = 0;
  /** Start of the key or prefix of the next value, and the key. */
  protected keyStart = NOWHERE;
  protected nextKey = NONE;
  /** True if the key extends to the value because its text is not in the body, as for a reference. */
  #isKeyOpen = false;
  #anchor = NOWHERE;
  protected readonly anchors = new Map<number, number>();
  /** The entry whose end is set by the next event. */
  protected pending = 0;

  constructor(length: number, setting: SpanSetting) {
    this.length = length;
    this.setting = setting;
    this.prefixes = setting.prefixes !== false;
    this.tail = setting.tail ?? 0;
    this.scattered = setting.scattered === true;
    this.#room = Math.max(64, Math.min(1 << 20, length >> 3));
    this.kinds = new Uint8Array(this.#room);
    this.starts = new Uint32Array(this.#room);
    this.values = new Uint32Array(this.#room);
    this.ends = new Uint32Array(this.#room);
    this.heads = new Uint16Array(this.#room);
    this.#nexts = new Uint32Array(this.#room);
    this.parents = new Uint32Array(this.#room);
    this.keys = new Uint32Array(this.#room);
    this.numbers = new Float64Array(this.#room);
    this.keys[0] = NONE;
  }

  /** Returns the tree. `reached` is the position at which the reader stopped early. */
  finish(reached = this.length): SpanData {
    const at = Math.min(Math.max(reached, this.cursor), this.length);
    this.settle(at);
    while (this.open > 0) this.#close(this.scattered ? this.ends[this.open]! : at);
    const count = this.#count;
    this.ends[0] = this.length;
    this.#nexts[0] = count;
    return {
      count,
      length: this.length,
      kinds: this.kinds.subarray(0, count),
      starts: this.starts.subarray(0, count),
      values: this.values.subarray(0, count),
      ends: this.ends.subarray(0, count),
      heads: this.heads.subarray(0, count),
      nexts: this.#nexts.subarray(0, count),
      parents: this.parents.subarray(0, count),
      keys: this.keys.subarray(0, count),
      numbers: this.numbers.subarray(0, count),
      names: this.names,
      storedValues: this.storedValues,
      elsewhere: this.elsewhere,
      tail: this.tail,
    };
  }

  /** Converts a position of the window to one of the body. */
  protected place(position: number): number {
    if (this.base < 0) return this.cursor;
    const at = this.base + position;
    return at < 0 ? 0 : at > this.length ? this.length : at;
  }

  /** Ends the pending entry at the position of the next event. */
  protected settle(at: number): void {
    const node = this.pending;
    if (node === 0) return;
    this.pending = 0;
    if (at > this.ends[node]!) this.ends[node] = this.cursor = at;
  }

  protected takeKey(name: string, start: number, end: number): void {
    const from = this.place(start);
    this.settle(from);
    this.nextKey = this.nameNumber(name);
    this.#isKeyOpen = this.base < 0;
    const first = this.scattered ? from : Math.max(from, this.cursor);
    this.keyStart = this.prefixes && !this.scattered ? this.cursor : first;
    this.cursor = this.scattered ? 0 : Math.max(first, this.place(end));
  }

  /** Index of a key. */
  protected nameNumber(name: string): number {
    // Keys often repeat in the same order, and consecutive new names have consecutive indices.
    const next = this.#lastNameIndex + 1;
    if (this.#lastName === name && this.#lastNameIndex >= 0) return this.#lastNameIndex;
    let number: number | undefined = this.names[next] === name ? next : this.#nameIndex.get(name);
    if (number === undefined) {
      number = this.names.push(name) - 1;
      this.#nameIndex.set(name, number);
    }
    this.#lastName = name;
    this.#lastNameIndex = number;
    return number;
  }

  protected setHead(node: number, from: number): void {
    this.heads[node] = Math.min(Math.max(0, this.base + from - this.values[node]!), MAX_HEAD_LENGTH);
  }

  /** Gives the next entry an id that references may name. */
  protected anchorNext(id: number, from: number): void {
    this.settle(from);
    this.#anchor = id;
    if (this.keyStart === NOWHERE) this.keyStart = from;
  }

  protected add(kind: number, start: number, end: number): number {
    if (this.#count === this.#room) this.#grow(Math.ceil(this.#room * 1.5));
    const node = this.#count;
    const parent = this.open;
    const { scattered, numbers } = this;
    let from = this.place(start);
    if (this.pending > 0) this.settle(from);
    const { cursor, keyStart } = this;
    if (!scattered && ((this.prefixes && !this.#isKeyOpen) || from < cursor)) from = cursor;
    this.#isKeyOpen = false;
    let to = this.place(end);
    if (to < from) to = from;
    this.#count = node + 1;
    this.kinds[node] = kind;
    this.starts[node] = keyStart >= 0 && keyStart < from && !scattered ? keyStart : from;
    this.values[node] = from;
    this.ends[node] = to;
    this.#nexts[node] = node + 1;
    this.parents[node] = parent;
    const parentKind = this.kinds[parent]!;
    const index = numbers[parent]!;
    this.keys[node] = parentKind === is.OBJECT || parentKind === is.RECORD ? this.nextKey : parent === 0 ? NONE : index;
    numbers[parent] = index + 1;
    if (this.#anchor >= 0) {
      this.anchors.set(this.#anchor, node);
      this.#anchor = NOWHERE;
    }
    this.keyStart = NOWHERE;
    this.nextKey = NONE;
    if (!scattered) {
      this.cursor = to;
      if (this.base < 0) this.pending = node;
    }
    return node;
  }

  /** `count` is the number of values inside, −1 if unknown. */
  protected begin(kind: number, start: number, end: number, count: number): number {
    const node = this.add(kind, start, end);
    // Each value takes at least a byte, or the count is wrong.
    if (node + count >= this.#room && count <= this.length - this.cursor) {
      // Grows at least by a factor: growing for one small container at a time would copy the tree for each.
      this.#grow(Math.max(node + count + 64, Math.ceil(this.#room * 1.5)));
    }
    this.heads[node] = Math.min(this.ends[node]! - this.values[node]!, MAX_HEAD_LENGTH);
    this.open = node;
    this.pending = 0;
    return node;
  }

  protected end(end: number): void {
    const to = this.place(end);
    this.settle(to);
    this.#close(this.scattered ? this.ends[this.open]! : Math.max(to, this.cursor));
  }

  #close(at: number): void {
    const node = this.open;
    this.ends[node] = at;
    this.#nexts[node] = this.#count;
    this.open = this.parents[node]!;
    this.keyStart = NOWHERE;
    this.nextKey = NONE;
    if (!this.scattered) this.cursor = at;
  }

  #grow(room: number): void {
    this.#room = room;
    this.kinds = grown(this.kinds, new Uint8Array(this.#room));
    this.starts = grown(this.starts, new Uint32Array(this.#room));
    this.values = grown(this.values, new Uint32Array(this.#room));
    this.ends = grown(this.ends, new Uint32Array(this.#room));
    this.heads = grown(this.heads, new Uint16Array(this.#room));
    this.#nexts = grown(this.#nexts, new Uint32Array(this.#room));
    this.parents = grown(this.parents, new Uint32Array(this.#room));
    this.keys = grown(this.keys, new Uint32Array(this.#room));
    this.numbers = grown(this.numbers, new Float64Array(this.#room));
  }
}

function grown<T extends Uint8Array | Uint16Array | Uint32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
