import { decodeUtf8 } from '../text.ts';

/** What a span is. Containers come last, so that one comparison tells them. */
export const DOCUMENT = 0;
export const NULL = 1;
export const UNDEFINED = 2;
export const FALSE = 3;
export const TRUE = 4;
export const INTEGER = 5;
export const FLOAT = 6;
export const BIGINT = 7;
/** A string that lies in the body as UTF-8. */
export const STRING = 8;
/** A string that does not: with escapes, in pieces, or elsewhere. */
export const TEXT = 9;
export const BINARY = 10;
export const DATE = 11;
export const REFERENCE = 12;
export const ARRAY = 13;
export const SET = 14;
export const OBJECT = 15;
export const RECORD = 16;
export const MAP = 17;
export const TAGGED = 18;

export const KIND_NAMES = [
  'document', 'null', 'undefined', 'boolean', 'boolean', 'integer', 'float', 'bigint', 'string', 'string', 'binary', 'date',
  'reference', 'array', 'set', 'object', 'record', 'map', 'tagged',
] as const;

/** Stands for no node, no key. */
export const NONE = 0xffffffff;

/**
 * The values of a body and where they lie, as columns: one entry a value, in the order in which they begin, the first
 * the whole body. Plain data, which can be transferred. An entry is a key, if there is one, and a value:
 *
 *     start          value                          end
 *       │ key          │ header       │ payload      │
 *                        `heads` bytes
 *
 * A container's children lie in `value..end`; the bytes between them are its own.
 */
export interface SpanData {
  count: number;
  /** Length of the body. */
  length: number;
  kinds: Uint8Array;
  starts: Uint32Array;
  values: Uint32Array;
  ends: Uint32Array;
  /** Bytes of a value's header, as far as the reader tells. */
  heads: Uint16Array;
  /** The entry after the last one inside this. */
  nexts: Uint32Array;
  parents: Uint32Array;
  /** Of a child of an object or record a number of `names`, of another its index, of one at the root `NONE`. */
  keys: Uint32Array;
  /** Numbers and dates, the children of a container, the kind of a binary, the entry that a reference is to. */
  numbers: Float64Array;
  names: string[];
  /** By entry: bigints, strings of kind TEXT, bytes that are not in the body, tags. */
  extras: Map<number, bigint | string | Uint8Array>;
  /** By entry where its bytes are, when they are not in `value..end`. */
  elsewhere: Map<number, readonly [from: number, end: number]>;
  /** Bytes after a string's payload that belong to it. */
  tail: number;
  /** Entries do not lie within their containers: offsets lead anywhere. */
  scattered: boolean;
}

/** Reads `SpanData` beside the body that it is of. */
export class SpanTree {
  readonly data: SpanData;
  readonly bytes: Uint8Array;
  /** For scattered entries: their numbers by where they begin. */
  #order: Uint32Array | undefined;

  constructor(data: SpanData, bytes: Uint8Array) {
    this.data = data;
    this.bytes = bytes;
  }

  get count(): number {
    return this.data.count;
  }

  /** The entry of the value itself; `NONE` where there is none. */
  get root(): number {
    return this.data.count > 1 ? 1 : NONE;
  }

  isContainer(node: number): boolean {
    return this.data.kinds[node]! >= ARRAY;
  }

  childCount(node: number): number {
    const kind = this.data.kinds[node]!;
    return kind >= ARRAY || kind === DOCUMENT ? this.data.numbers[node]! : 0;
  }

  /** Where a value's payload begins. */
  payload(node: number): number {
    return this.data.values[node]! + this.data.heads[node]!;
  }

  /** The children of a container, at most `most` of them. */
  children(node: number, most = Infinity): number[] {
    const { nexts } = this.data;
    const end = nexts[node]!;
    const found: number[] = [];
    for (let at = node + 1; at < end && found.length < most; at = nexts[at]!) found.push(at);
    return found;
  }

  /** The key as text: of a child of an array its index. Undefined at the root. */
  key(node: number): string | number | undefined {
    const key = this.data.keys[node]!;
    if (key === NONE) return undefined;
    return this.hasName(node) ? this.data.names[key]! : key;
  }

  /** Whether the entry has a name, rather than an index. */
  hasName(node: number): boolean {
    const kind = this.data.kinds[this.data.parents[node]!]!;
    return (kind === OBJECT || kind === RECORD) && this.data.keys[node] !== NONE;
  }

  /** Keys and indices from the root. */
  path(node: number): (string | number)[] {
    const path: (string | number)[] = [];
    for (let at = node; at > 1; at = this.data.parents[at]!) {
      const key = this.key(at);
      if (key !== undefined) path.push(key);
    }
    return path.reverse();
  }

  depth(node: number): number {
    let depth = 0;
    for (let at = node; at > 0; at = this.data.parents[at]!) depth += 1;
    return depth - 1;
  }

  /** A string value; damaged UTF-8 is replaced. */
  text(node: number, most = Infinity): string {
    const extra = this.data.extras.get(node);
    if (typeof extra === 'string') return extra;
    const from = this.payload(node);
    const end = this.data.ends[node]! - this.data.tail;
    if (this.data.kinds[node] === TEXT) return unescapeJson(this.bytes, this.data.values[node]!, this.data.ends[node]!);
    const part = this.bytes.subarray(from, Math.min(end, from + most * 4));
    try {
      return part.length === end - from ? decodeUtf8(part, 0, part.length, -1) : new TextDecoder().decode(part);
    } catch {
      return new TextDecoder().decode(part);
    }
  }

  /** The bytes of a binary value. */
  binary(node: number): Uint8Array {
    const extra = this.data.extras.get(node);
    if (extra instanceof Uint8Array) return extra;
    return this.bytes.subarray(this.payload(node), this.data.ends[node]);
  }

  /** The innermost entry that a byte belongs to. */
  nodeAt(offset: number): number {
    const { starts, ends, parents, count, scattered } = this.data;
    if (scattered) return this.#scatteredAt(offset);
    let low = 0;
    let high = count - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    let node = low;
    while (node > 0 && ends[node]! <= offset) node = parents[node]!;
    return node;
  }

  /** Entries by where they begin, for those that do not lie in order. */
  order(): Uint32Array {
    const { starts, count } = this.data;
    return (this.#order ??= Uint32Array.from({ length: count }, (_, node) => node).sort(
      (a, b) => starts[a]! - starts[b]! || b - a,
    ));
  }

  #scatteredAt(offset: number): number {
    const order = this.order();
    const { starts, ends } = this.data;
    let low = 0;
    let high = order.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (starts[order[middle]!]! <= offset) low = middle;
      else high = middle - 1;
    }
    // Ranges are short, and few begin at one place.
    for (let at = low; at >= 0 && low - at < 4096; at -= 1) {
      const node = order[at]!;
      if (node > 0 && ends[node]! > offset) return node;
    }
    return 0;
  }
}

function unescapeJson(bytes: Uint8Array, start: number, end: number): string {
  try {
    return JSON.parse(new TextDecoder().decode(bytes.subarray(start, end))) as string;
  } catch {
    return new TextDecoder().decode(bytes.subarray(start, end));
  }
}
