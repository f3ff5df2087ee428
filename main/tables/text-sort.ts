import { KIND_TEXT } from '../../core/block/block.ts';
import type { ColumnData } from '../../core/rows/read-block.ts';
import type { Slicer } from '../../core/slicing/slicer.ts';
import { insertionSort, mergeSort } from './merge-sort.ts';
import { NumberKeys, sortByNumbers } from './radix-sort.ts';

/** Bytes compared in one go: two words of a key. */
const KEY_BYTES = 8;

/** Rows from which a range is sorted by the digits of its keys; shorter ones are sorted by comparison. */
const MIN_RADIX = 2048;

/** Rows up to which ties are sorted in one go. */
const INSERTED = 16;

/** Rows between two looks at the clock. */
const PIECE = 8192;

/** Bytes of text from which it is sorted as strings instead. */
const MAX_BYTES = 2 ** 30;

/**
 * Lead byte of characters beyond U+FFFF. As UTF-16 these are surrogates, which come before U+E000, so that the order of
 * bytes is not that of code units. Everything else has the same order, lone surrogates included.
 */
const ASTRAL = 0xf0;

/** Bytes of one column's strings, and where they lie among those of all columns. */
interface TextSource {
  readonly base: number;
  readonly bytes: Uint8Array;
  /** Position of the byte after a row's string, by row or by code. */
  readonly ends: ArrayLike<number | bigint>;
  /** Codes of a dictionary, by row. */
  readonly codes: ArrayLike<number | bigint> | undefined;
}

/** Strings by row, as ranges of bytes. */
export class TextKeys {
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /** True if the order of bytes is that of code units. */
  sortable = true;
  readonly #sources: TextSource[] = [];
  #length = 0;

  constructor(length: number) {
    this.starts = new Uint32Array(length);
    this.ends = new Uint32Array(length);
  }

  /** Adds the strings of a column. */
  source(column: ColumnData): TextSource {
    if (column.kind === KIND_TEXT) return this.#add(column.bytes, column.ascii, column.data, undefined);
    const { length, chunks } = column.list!;
    const ends = new Uint32Array(length);
    const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.bytes.length, 0));
    let base = 0;
    for (const chunk of chunks) {
      bytes.set(chunk.bytes, base);
      for (let at = 0; at < chunk.ends.length; at++) ends[chunk.first + at] = base + chunk.ends[at]!;
      base += chunk.bytes.length;
    }
    const isAscii = chunks.every(({ ascii }) => ascii);
    return this.#add(bytes, isAscii, ends, column.data);
  }

  /** Sets a row's string: that of `at` in the column. */
  set(row: number, { base, ends, codes }: TextSource, at: number): void {
    const index = codes ? (codes[at] as number) : at;
    this.starts[row] = base + (index === 0 ? 0 : (ends[index - 1] as number));
    this.ends[row] = base + (ends[index] as number);
  }

  /** Joins the bytes of all columns. */
  async join(slicer: Slicer): Promise<Uint8Array> {
    const all = new Uint8Array(this.#length);
    for (const { base, bytes } of this.#sources) {
      all.set(bytes, base);
      if (slicer.due()) await slicer.pause();
    }
    return all;
  }

  #add(bytes: Uint8Array, ascii: boolean, ends: TextSource['ends'], codes: TextSource['codes']): TextSource {
    const source = { base: this.#length, bytes, ends, codes };
    this.#sources.push(source);
    this.#length += bytes.length;
    if (this.#length > MAX_BYTES || !(ascii || bytes.every((byte) => byte < ASTRAL))) this.sortable = false;
    return source;
  }
}

/** Rows with the same first `depth` bytes. */
interface Range {
  readonly from: number;
  readonly to: number;
  readonly depth: number;
}

/** Sorts rows by the bytes of their strings, stably and in slices. Changes `rows`. */
export async function sortByText(rows: Uint32Array, texts: TextKeys, descending: boolean, slicer: Slicer): Promise<Uint32Array> {
  const bytes = await texts.join(slicer);
  const { starts, ends } = texts;
  const keys = new NumberKeys(starts.length);
  const open: Range[] = [{ from: 0, to: rows.length, depth: 0 }];
  const compareFrom = (depth: number): ((one: number, other: number) => number) => {
    const sign = descending ? -1 : 1;
    return (one, other) => sign * compareBytes(bytes, starts[one]! + depth, ends[one]!, starts[other]! + depth, ends[other]!);
  };
  for (let range = open.pop(); range; range = open.pop()) {
    const { from, to, depth } = range;
    const part = rows.subarray(from, to);
    if (part.length < MIN_RADIX) {
      replace(part, await mergeSort(part, compareFrom(depth), slicer));
      continue;
    }
    for (let first = 0; first < part.length; first += PIECE) {
      fillKeys(keys, bytes, texts, depth, part, first, Math.min(first + PIECE, part.length));
      if (slicer.due()) await slicer.pause();
    }
    replace(part, await sortByNumbers(part, keys, descending, slicer));
    for (let first = 0; first < part.length;) {
      const limit = Math.min(first + PIECE, part.length);
      const tie = tieIn(part, keys, first, limit);
      const end = tie < limit ? tieEnd(part, keys, tie) : limit;
      const ties = part.subarray(tie, end);
      if (ties.length > MIN_RADIX) {
        const longer = await byLength(ties, texts, depth, descending, slicer);
        open.push({ from: from + tie + longer.from, to: from + tie + longer.to, depth: depth + KEY_BYTES });
      } else if (ties.length > INSERTED) open.push({ from: from + tie, to: from + end, depth });
      else insertionSort(ties, 0, ties.length, compareFrom(depth));
      if (slicer.due()) await slicer.pause();
      first = end;
    }
  }
  return rows;
}

/** Index of the first row in a range that has the same key as the next row; the end of the range if no two rows tie. */
function tieIn(rows: Uint32Array, { high, low }: NumberKeys, from: number, to: number): number {
  const last = Math.min(to, rows.length - 1);
  for (let at = from; at < last; at++) {
    const [row, next] = [rows[at]!, rows[at + 1]!];
    if (high[row] === high[next] && low[row] === low[next]) return at;
  }
  return to;
}

/** Index after the last of the rows with the same key, which begin at `from`. */
function tieEnd(rows: Uint32Array, { high, low }: NumberKeys, from: number): number {
  const row = rows[from]!;
  let at = from + 1;
  while (at < rows.length && high[rows[at]!] === high[row] && low[rows[at]!] === low[row]) at += 1;
  return at;
}

/** Sets the keys of rows to the bytes from `depth` on, with zeros after the last. */
function fillKeys(
  { high, low }: NumberKeys,
  bytes: Uint8Array,
  { starts, ends }: TextKeys,
  depth: number,
  rows: Uint32Array,
  from: number,
  to: number,
): void {
  for (let at = from; at < to; at++) {
    const row = rows[at]!;
    const start = starts[row]! + depth;
    const left = ends[row]! - start;
    high[row] = wordAt(bytes, start, left);
    low[row] = wordAt(bytes, start + 4, left - 4);
  }
}

function wordAt(bytes: Uint8Array, at: number, left: number): number {
  if (left >= 4) return (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
  let word = 0;
  for (let byte = 0; byte < left; byte++) word |= bytes[at + byte]! << (24 - 8 * byte);
  return word;
}

/**
 * Orders rows with the same key, whose strings may end within it, by how many of its bytes they have: a string with zeros
 * at its end has the key of a shorter one. Returns the range of the rows whose strings go on.
 */
async function byLength(
  rows: Uint32Array,
  { starts, ends }: TextKeys,
  depth: number,
  descending: boolean,
  slicer: Slicer,
): Promise<{ from: number; to: number }> {
  const longer = KEY_BYTES + 1;
  const lengths = new Uint8Array(rows.length);
  const counts = new Uint32Array(longer + 1);
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at]!;
    const length = Math.min(ends[row]! - starts[row]! - depth, longer);
    lengths[at] = length;
    counts[length]! += 1;
    if (at % PIECE === 0 && slicer.due()) await slicer.pause();
  }
  const places = new Uint32Array(counts.length);
  let place = 0;
  for (let at = 0; at < counts.length; at++) {
    const length = descending ? longer - at : at;
    places[length] = place;
    place += counts[length]!;
  }
  const range = { from: places[longer]!, to: places[longer]! + counts[longer]! };
  if (counts.includes(rows.length)) return range;
  const unordered = rows.slice();
  for (let at = 0; at < rows.length; at++) {
    rows[places[lengths[at]!]!++] = unordered[at]!;
    if (at % PIECE === 0 && slicer.due()) await slicer.pause();
  }
  return range;
}

/** Compares two ranges of bytes. */
function compareBytes(bytes: Uint8Array, one: number, oneEnd: number, other: number, otherEnd: number): number {
  const length = Math.min(oneEnd - one, otherEnd - other);
  for (let at = 0; at < length; at++) {
    const difference = bytes[one + at]! - bytes[other + at]!;
    if (difference !== 0) return difference;
  }
  return oneEnd - one - (otherEnd - other);
}

/** Replaces unsorted rows with the sorted ones. */
function replace(rows: Uint32Array, sorted: Uint32Array): void {
  if (sorted !== rows) rows.set(sorted);
}
