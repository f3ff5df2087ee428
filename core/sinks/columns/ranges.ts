import type { DecodeError } from '../../errors.ts';
import { invalidUtf8, validateUtf8 } from '../../bytes/text/text.ts';
import { ByteList, HIGH_BITS, MASKS } from './output/byte-list.ts';

/**
 * How many rows may wait to be taken in: few enough for their ranges, and the bytes that they refer to, to be in the
 * processor's caches still. A power of two.
 */
export const RANGE_ROWS = 256;
export const RANGE_MASK = RANGE_ROWS - 1;
/** Where the range of a row ends whose string is known otherwise. A string in the copies ends at −1 or before as well, but begins there too. */
const KNOWN = -(2 ** 31);

/** The bytes that ranges of strings refer to: the sink's window, and copies of strings that were not in it. */
export class StringSource {
  bytes: Uint8Array = new Uint8Array(0);
  view = new DataView(this.bytes.buffer);
  /** Offset of the window in the whole input. */
  base = 0;
  copies = new ByteList(64, 1);
  /** What the next event refers to, where that is no part of the input. */
  scratch: Uint8Array | undefined;

  /** The error for a range of the window that is not UTF-8. */
  invalid(from: number, to: number): DecodeError | undefined {
    const bad = validateUtf8(this.bytes, from, to);
    return bad < 0 ? undefined : invalidUtf8(bad, this.base);
  }

  /** Throws unless a range of the window is UTF-8. */
  check(from: number, to: number): void {
    const error = this.invalid(from, to);
    if (error) throw error;
  }

  /** Throws unless a range of what the event at hand refers to is UTF-8. */
  checkEvent(from: number, to: number): void {
    if (this.scratch === undefined) this.check(from, to);
    else if (validateUtf8(this.scratch, from, to) >= 0) throw invalidUtf8(from, -1);
  }
}

/**
 * Where the strings of a column's rows lie, until they are worked off column by column: one column after another stays
 * in the processor's caches, and the loops over them are tight. A range that begins at a negative `start` lies in the
 * copies, at `~start`; one whose `stop` is less than its `start` is no string. Row `r` is at `r & RANGE_MASK`.
 */
export class Ranges {
  /** Two words a row: where its string starts and stops. */
  readonly words = new Int32Array(2 * RANGE_ROWS);
  readonly #source: StringSource;

  constructor(source: StringSource) {
    this.#source = source;
  }

  get view(): DataView {
    return this.#source.view;
  }

  get copies(): ByteList {
    return this.#source.copies;
  }

  set(row: number, from: number, to: number): void {
    const { words } = this;
    const at = (row & RANGE_MASK) << 1;
    words[at] = from;
    words[at + 1] = to;
  }

  /** The row's string is not a range: its index in the dictionary is known. */
  setKnown(row: number): void {
    this.set(row, 0, KNOWN);
  }

  isKnown(row: number): boolean {
    return this.words[((row & RANGE_MASK) << 1) + 1] === KNOWN;
  }

  /** Keeps a copy of a range of other bytes, which must be WTF-8. */
  copy(row: number, source: DataView, from: number, to: number): void {
    const { copies } = this;
    this.set(row, ~copies.length, ~copies.length + to - from);
    copies.copy(source, from, to);
  }

  /** Appends a row's string to a list. */
  appendTo(row: number, list: ByteList): void {
    const start = this.words[(row & RANGE_MASK) << 1]!;
    const from = start < 0 ? ~start : start;
    const to = from + this.words[((row & RANGE_MASK) << 1) + 1]! - start;
    if (!list.append(start < 0 ? this.copies.view : this.view, from, to) && start >= 0) this.check(from, to);
  }

  /**
   * Appends the strings of the rows `from..to` to a list and writes where each ends into its `ends`, by row; a row without a string
   * has an empty range.
   */
  gather(list: ByteList, from: number, to: number): void {
    const { words, view: window } = this;
    const copies = this.copies.view;
    let total = 4;
    for (let row = from; row < to; row++) total += Math.max(words[((row & RANGE_MASK) << 1) + 1]! - words[(row & RANGE_MASK) << 1]!, 0);
    list.reserve(total);
    const { view, ends } = list;
    const limit = window.byteLength - 4;
    const before = list.length;
    let at = before;
    let seen = 0;
    for (let row = from; row < to; row++) {
      const start = words[(row & RANGE_MASK) << 1]!;
      const length = words[((row & RANGE_MASK) << 1) + 1]! - start;
      if (length > 0) {
        if (start >= 0 && start + length <= limit) {
          // As in `ByteList.copy`; the last word may be read and written past the string, which the next one overwrites.
          let position = start;
          let target = at;
          for (const whole = start + length - 3; position < whole; position += 4, target += 4) {
            const word = window.getInt32(position, true);
            view.setInt32(target, word, true);
            seen |= word;
          }
          const word = window.getInt32(position, true) & MASKS[start + length - position]!;
          view.setInt32(target, word, true);
          seen |= word;
          at += length;
        } else {
          list.length = at;
          if (!list.copy(start < 0 ? copies : window, start < 0 ? ~start : start, (start < 0 ? ~start : start) + length)) seen = HIGH_BITS;
          at = list.length;
        }
      }
      ends[row] = at;
    }
    list.length = at;
    if ((seen & HIGH_BITS) === 0) return;
    list.ascii = false;
    for (let row = from; row < to; row++) {
      const start = words[(row & RANGE_MASK) << 1]!;
      const stop = words[((row & RANGE_MASK) << 1) + 1]!;
      const error = start >= 0 && stop > start ? this.#source.invalid(start, stop) : undefined;
      if (!error) continue;
      list.length = before;
      throw error;
    }
  }

  /** Makes no row have a string. */
  clear(): void {
    for (let at = 0; at < this.words.length; at += 2) {
      this.words[at] = 0;
      this.words[at + 1] = -1;
    }
  }

  /** Throws unless a range of the window is UTF-8. */
  check(from: number, to: number): void {
    this.#source.check(from, to);
  }

  /** The error for a row's string that is not UTF-8. */
  invalid(row: number): DecodeError | undefined {
    const start = this.words[(row & RANGE_MASK) << 1]!;
    return start < 0 ? undefined : this.#source.invalid(start, this.words[((row & RANGE_MASK) << 1) + 1]!);
  }

  /** Lets a row's string outlive the window: copies it to what will be the copies. */
  move(row: number, to: ByteList): void {
    const start = this.words[(row & RANGE_MASK) << 1]!;
    const length = this.words[((row & RANGE_MASK) << 1) + 1]! - start;
    if (length < 0) return;
    const from = start < 0 ? ~start : start;
    const at = to.length;
    if (!to.copy(start < 0 ? this.copies.view : this.view, from, from + length) && start >= 0) this.check(from, from + length);
    this.set(row, ~at, ~at + length);
  }
}
