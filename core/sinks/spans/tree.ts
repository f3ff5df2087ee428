import { decodeUtf8 } from '../../bytes/text/text.ts';

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
  'document',
  'null',
  'undefined',
  'boolean',
  'boolean',
  'integer',
  'float',
  'bigint',
  'string',
  'string',
  'binary',
  'date',
  'reference',
  'array',
  'set',
  'object',
  'record',
  'map',
  'tagged',
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
  storedValues: Map<number, bigint | string | Uint8Array>;
  /** By entry where its bytes are, when they are not in `value..end`. */
  elsewhere: Map<number, readonly [from: number, end: number]>;
  /** Bytes after a string's payload that belong to it. */
  tail: number;
  /** The root is a list of what the body holds one after another. */
  sequence?: boolean;
  /** Bytes that are zero are left out of the body. */
  packed?: boolean;
  /** What the format's `compileSchema` made of the schema that the body was read with. */
  schema?: unknown;
  /** By entry what it is, where it stands around payloads: a frame, a length. */
  shell?: Map<number, string>;
  /** Where a body holds several payloads, the entries at which they begin. */
  roots?: Set<number>;
  /** Where entries do not lie within their containers, since offsets lead anywhere: to which entry each byte belongs. */
  extents?: Extents | undefined;
}

/** Runs of bytes, which cover the body: each ends where the next begins. */
export interface Extents {
  /** Where they begin, the first at 0. */
  starts: Uint32Array;
  /** The entry that has the bytes; 0 for what no value has. */
  owners: Uint32Array;
  /** What they are to it, as a number that the format gives a meaning. */
  roles: Uint8Array;
}

/** Reads `SpanData` beside the body that it is of. */
export class SpanTree {
  readonly data: SpanData;
  readonly bytes: Uint8Array;
  /** The numbers of extents by the entry that has them, and where those of an entry begin among them. */
  #extents: { first: Uint32Array; order: Uint32Array } | undefined;
  /** Strings that lie elsewhere, by where they do. */
  #elsewhere: { starts: Uint32Array; nodes: Uint32Array } | undefined;

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
    const extra = this.data.storedValues.get(node);
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
    const extra = this.data.storedValues.get(node);
    if (extra instanceof Uint8Array) return extra;
    return this.bytes.subarray(this.payload(node), this.data.ends[node]);
  }

  /** Whether an entry is another, or anywhere inside it. */
  isInside(node: number, around: number): boolean {
    return node >= around && node < this.data.nexts[around]!;
  }

  /** The innermost entry that a byte belongs to. */
  nodeAt(offset: number): number {
    const { extents } = this.data;
    if (extents) return extents.owners[lastUpTo(extents.starts, extents.starts.length, offset)] ?? 0;
    return this.#elsewhereAt(offset) ?? this.containing(offset);
  }

  /** The innermost entry whose range a byte is in: strings that lie elsewhere do not count. */
  containing(offset: number): number {
    const { starts, ends, parents, count } = this.data;
    let node = lastUpTo(starts, count, offset);
    while (node > 0 && ends[node]! <= offset) node = parents[node]!;
    return node;
  }

  /** The string whose text has a byte, where that is elsewhere. */
  #elsewhereAt(offset: number): number | undefined {
    const { elsewhere } = this.data;
    if (elsewhere.size === 0) return undefined;
    if (!this.#elsewhere) {
      const places = [...elsewhere].sort(([, [a]], [, [b]]) => a - b);
      this.#elsewhere = { starts: Uint32Array.from(places, ([, [from]]) => from), nodes: Uint32Array.from(places, ([node]) => node) };
    }
    const { starts, nodes } = this.#elsewhere;
    const node = nodes[lastUpTo(starts, starts.length, offset)]!;
    const [from, end] = elsewhere.get(node)!;
    return offset >= from && offset < end ? node : undefined;
  }

  /** The numbers of the extents that an entry has, in the order in which they lie. */
  extentsOf(node: number): Uint32Array {
    const { extents, count } = this.data;
    if (!extents) return new Uint32Array(0);
    if (!this.#extents) {
      const { owners } = extents;
      const first = new Uint32Array(count + 1);
      for (const owner of owners) first[owner + 1]! += 1;
      for (let at = 1; at <= count; at += 1) first[at]! += first[at - 1]!;
      const order = new Uint32Array(owners.length);
      const next = first.slice();
      for (let at = 0; at < owners.length; at += 1) order[next[owners[at]!]!++] = at;
      this.#extents = { first, order };
    }
    const { first, order } = this.#extents;
    return order.subarray(first[node], first[node + 1]);
  }

  /** Where an extent ends. */
  extentEnd(extent: number): number {
    return this.data.extents!.starts[extent + 1] ?? this.data.length;
  }
}

/** The last of `count` ascending places that is not after `offset`. */
function lastUpTo(places: Uint32Array, count: number, offset: number): number {
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (places[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

function unescapeJson(bytes: Uint8Array, start: number, end: number): string {
  try {
    return JSON.parse(new TextDecoder().decode(bytes.subarray(start, end))) as string;
  } catch {
    return new TextDecoder().decode(bytes.subarray(start, end));
  }
}
