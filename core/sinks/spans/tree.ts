import { decodeUtf8 } from '../../bytes/text/text.ts';

/** Kinds of spans. Containers come last, so that one comparison detects them. */
export const DOCUMENT = 0;
export const NULL = 1;
export const UNDEFINED = 2;
export const FALSE = 3;
export const TRUE = 4;
export const INTEGER = 5;
export const FLOAT = 6;
export const BIGINT = 7;
/** A string that the body contains as UTF-8. */
export const STRING = 8;
/** A string that it does not: with escapes, in pieces, or elsewhere. */
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

/** No entry, or no key. */
export const NONE = 0xffffffff;

/**
 * The values of a body and their positions, as columns: one entry per value, in the order in which they begin; the
 * first entry is the whole body. Plain, transferable data. An entry is a value with its key, if any:
 *
 *     start          value                          end
 *       │ key          │ header       │ payload      │
 *                        `heads` bytes
 *
 * A container's children lie in `value..end`; the bytes between them belong to the container.
 */
export interface SpanData {
  count: number;
  /** Length of the body. */
  length: number;
  kinds: Uint8Array;
  starts: Uint32Array;
  values: Uint32Array;
  ends: Uint32Array;
  /** Bytes of a value's header, if the reader reports them. */
  heads: Uint16Array;
  /** The entry after the last one inside this one. */
  nexts: Uint32Array;
  parents: Uint32Array;
  /** An index of `names` for a child of an object or record, `NONE` at the root, else the child's index. */
  keys: Uint32Array;
  /** Numbers and dates; for a container the number of children, for a binary its kind, for a reference its target. */
  numbers: Float64Array;
  names: string[];
  /** By entry: bigints, strings of kind TEXT, bytes outside the body, tags. */
  storedValues: Map<number, bigint | string | Uint8Array>;
  /** By entry: position of its bytes, if they are outside `value..end`. */
  elsewhere: Map<number, readonly [from: number, end: number]>;
  /** Bytes that belong to a string after its payload. */
  tail: number;
  /** Format of the payloads. */
  format?: string;
  /** True if the root is a list of the consecutive values in the body. */
  sequence?: boolean;
  /** True if zero bytes are left out of the body. */
  packed?: boolean;
  /** The schema that the body was read with, as returned by the format's `compileSchema`. */
  schema?: unknown;
  /** By entry: its role around payloads, such as a frame or a length. */
  shell?: Map<number, string>;
  /** Entries at which payloads begin, if the body holds several. */
  roots?: Set<number>;
  /** Owner of each byte, if entries may lie outside their containers because offsets lead anywhere. */
  extents?: Extents | undefined;
  /** Bytes outside values that they are read by, for formats of columns. */
  beside?: BesideRanges | undefined;
}

/** Ranges of bytes outside values that they are read by, ordered by entry. Several entries may have the same bytes. */
export interface BesideRanges {
  /** Number of ranges before those of an entry; one more than there are entries. */
  first: Uint32Array;
  starts: Uint32Array;
  /** Index in `BESIDE`, and the length or number of the bit in the low five bits. */
  kinds: Uint8Array;
}

/** Runs of bytes that cover the body: each ends where the next begins. */
export interface Extents {
  /** Start of each run, the first at 0. */
  starts: Uint32Array;
  /** The entry that owns the bytes; 0 if no value does. */
  owners: Uint32Array;
  /** Role of the bytes, as a number defined by the format. */
  roles: Uint8Array;
}

/** Reads `SpanData` together with its body. */
export class SpanTree {
  readonly data: SpanData;
  readonly bytes: Uint8Array;
  /** Indices of extents grouped by entry, and the position of each entry's group. */
  #extents: { first: Uint32Array; order: Uint32Array } | undefined;
  /** Strings elsewhere in the body, sorted by their position there. */
  #elsewhere: { starts: Uint32Array; nodes: Uint32Array } | undefined;

  constructor(data: SpanData, bytes: Uint8Array) {
    this.data = data;
    this.bytes = bytes;
  }

  get count(): number {
    return this.data.count;
  }

  /** The entry of the root value; `NONE` if the body is empty. */
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

  /** Start of a value's payload. */
  payload(node: number): number {
    return this.data.values[node]! + this.data.heads[node]!;
  }

  /** Up to `most` children of a container. */
  children(node: number, most = Infinity): number[] {
    const { nexts } = this.data;
    const end = nexts[node]!;
    const found: number[] = [];
    for (let at = node + 1; at < end && found.length < most; at = nexts[at]!) found.push(at);
    return found;
  }

  /** The key, or the index of a child of an array. Undefined at the root. */
  key(node: number): string | number | undefined {
    const key = this.data.keys[node]!;
    if (key === NONE) return undefined;
    return this.hasName(node) ? this.data.names[key]! : key;
  }

  /** True if the entry has a name instead of an index. */
  hasName(node: number): boolean {
    const kind = this.data.kinds[this.data.parents[node]!]!;
    return (kind === OBJECT || kind === RECORD) && this.data.keys[node] !== NONE;
  }

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

  /** Text of a string; invalid UTF-8 is replaced. */
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

  binary(node: number): Uint8Array {
    const extra = this.data.storedValues.get(node);
    if (extra instanceof Uint8Array) return extra;
    return this.bytes.subarray(this.payload(node), this.data.ends[node]);
  }

  /** True if an entry is `around` or inside it. */
  isInside(node: number, around: number): boolean {
    return node >= around && node < this.data.nexts[around]!;
  }

  /** The innermost entry that owns a byte. */
  nodeAt(offset: number): number {
    const { extents } = this.data;
    if (extents) return extents.owners[lastUpTo(extents.starts, extents.starts.length, offset)] ?? 0;
    return this.#elsewhereAt(offset) ?? this.containing(offset);
  }

  /** The innermost entry whose range contains a byte. Strings elsewhere do not count. */
  containing(offset: number): number {
    const { starts, ends, parents, count } = this.data;
    let node = lastUpTo(starts, count, offset);
    while (node > 0 && ends[node]! <= offset) node = parents[node]!;
    return node;
  }

  /** The string whose text, elsewhere in the body, contains a byte. */
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

  /** Indices of an entry's extents, in order of position. */
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

  /** End of an extent. */
  extentEnd(extent: number): number {
    return this.data.extents!.starts[extent + 1] ?? this.data.length;
  }
}

/** Index of the last of `count` ascending positions that is not after `offset`. */
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
