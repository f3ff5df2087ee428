import { decodeWtf8 } from '../bytes/text/wtf8.ts';

/** Maximum items and bytes of a run of strings, which are decoded together. */
const RUN_ITEMS = 256;
const RUN_BYTES = 64 * 1024;

/**
 * Decodes items `from..to` of consecutive strings into an array. `ends` are the byte positions of their ends; `ascii`
 * means that positions in bytes and in the decoded text are equal.
 */
export function readStrings(ends: Uint32Array, bytes: Uint8Array, ascii: boolean, from: number, to: number): string[] {
  const strings = new Array<string>(to - from);
  const start = from === 0 ? 0 : ends[from - 1]!;
  const text = decodeWtf8(bytes.subarray(start, ends[to - 1]));
  if (ascii) {
    let last = 0;
    for (let at = from; at < to; at++) {
      const end = ends[at]! - start;
      strings[at - from] = text.slice(last, end);
      last = end;
    }
    return strings;
  }
  let position = start;
  let unit = 0;
  for (let at = from; at < to; at++) {
    const first = unit;
    for (const end = ends[at]!; position < end; position++) {
      const byte = bytes[position]!;
      // Continuation bytes add no UTF-16 unit; the lead byte of a 4-byte sequence adds two.
      if ((byte & 0xc0) !== 0x80) unit += byte >= 0xf0 ? 2 : 1;
    }
    strings[at - from] = text.slice(first, unit);
  }
  return strings;
}

/** Items of a dictionary decoded one by one before the rest is decoded at once. */
const MAX_SINGLE = 256;

/** Consecutive items of a list. */
export interface StringChunk {
  /** Index of the first item. */
  first: number;
  ends: Uint32Array;
  bytes: Uint8Array;
  ascii: boolean;
}

/** Append-only list of byte strings, added in chunks. Text is decoded when it is read. */
export class StringList {
  readonly chunks: StringChunk[] = [];
  #chunk: StringChunk = { first: 0, ends: new Uint32Array(0), bytes: new Uint8Array(0), ascii: true };
  /** The last decoded run, and the index of its first item. */
  #run: string[] = [];
  #runFirst = 0;
  readonly #values: string[] = [];
  #decoded = 0;
  #single = 0;

  append(first: number, ends: Uint32Array, bytes: Uint8Array, ascii: boolean): void {
    this.#chunk = { first, ends, bytes, ascii };
    this.chunks.push(this.#chunk);
  }

  /** Number of items added. */
  get length(): number {
    const last = this.chunks.at(-1);
    return last ? last.first + last.ends.length : 0;
  }

  at(index: number): string {
    const position = index - this.#runFirst;
    if (position >= 0 && position < this.#run.length) return this.#run[position]!;
    const chunk = this.#find(index);
    const local = index - chunk.first;
    const from = local - (local % RUN_ITEMS);
    const limit = Math.min(from + RUN_ITEMS, chunk.ends.length);
    let first = from;
    let to = from;
    // Runs of long strings are shorter, and restart after RUN_BYTES.
    for (let bytes = first === 0 ? 0 : chunk.ends[first - 1]!; to < limit; to++) {
      if (chunk.ends[to]! - bytes <= RUN_BYTES || to === first) continue;
      if (to > local) break;
      first = to;
      bytes = chunk.ends[to - 1]!;
    }
    this.#run = readStrings(chunk.ends, chunk.bytes, chunk.ascii, first, to);
    this.#runFirst = chunk.first + first;
    return this.#run[index - this.#runFirst]!;
  }

  /** An item of a dictionary, for callers that need few of them; undefined if out of range. */
  one(index: number): string | undefined {
    if (this.#decoded === this.chunks.length || this.#single === MAX_SINGLE) return this.values()[index];
    this.#single += 1;
    return index < this.length ? decodeWtf8(this.bytesAt(index)) : undefined;
  }

  /** All items, decoded once: for dictionaries, which are read in any order. */
  values(): readonly string[] {
    for (; this.#decoded < this.chunks.length; this.#decoded++) {
      const { ends, bytes, ascii } = this.chunks[this.#decoded]!;
      for (let from = 0; from < ends.length; from += RUN_ITEMS) {
        this.#values.push(...readStrings(ends, bytes, ascii, from, Math.min(from + RUN_ITEMS, ends.length)));
      }
    }
    return this.#values;
  }

  /** Bytes of an item, as a view of the block. */
  bytesAt(index: number): Uint8Array {
    const { first, ends, bytes } = this.#find(index);
    const local = index - first;
    return bytes.subarray(local === 0 ? 0 : ends[local - 1], ends[local]);
  }

  #find(index: number): StringChunk {
    let chunk = this.#chunk;
    if (index >= chunk.first && index < chunk.first + chunk.ends.length) return chunk;
    let low = 0;
    for (let high = this.chunks.length - 1; low < high;) {
      const middle = (low + high + 1) >> 1;
      if (this.chunks[middle]!.first <= index) low = middle;
      else high = middle - 1;
    }
    chunk = this.chunks[low]!;
    this.#chunk = chunk;
    return chunk;
  }
}
