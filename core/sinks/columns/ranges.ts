import type { DecodeError } from '../../errors.ts';
import { invalidUtf8, validateUtf8 } from '../../bytes/text/text.ts';
import { ByteList, HIGH_BITS, MASKS } from '../../bytes/byte-list.ts';

/**
 * Maximum number of rows whose strings wait to be encoded: few enough that their ranges and bytes are still in the
 * processor's caches. A power of two.
 */
export const RANGE_ROWS = 256;
export const RANGE_MASK = RANGE_ROWS - 1;
/**
 * End of the range of a row whose dictionary index is known. Ranges in the copies have ends below 0 too, but also
 * starts below 0.
 */
const KNOWN = -(2 ** 31);

/** Bytes that ranges of strings refer to: the sink's window, and copies of strings that were outside it. */
export class StringSource {
  bytes: Uint8Array = new Uint8Array(0);
  view = new DataView(this.bytes.buffer);
  /** Offset of the window in the input. */
  base = 0;
  copies = new ByteList(64, 1);
  /** Bytes that the next event refers to, if they are not part of the input. */
  scratch: Uint8Array | undefined;

  /** The error for a range of the window; undefined if it is UTF-8. */
  invalid(from: number, to: number): DecodeError | undefined {
    const bad = validateUtf8(this.bytes, from, to);
    return bad < 0 ? undefined : invalidUtf8(bad, this.base);
  }

  /** Throws unless a range of the window is UTF-8. */
  check(from: number, to: number): void {
    const error = this.invalid(from, to);
    if (error) throw error;
  }

  /** Throws unless a range of the current event's bytes is UTF-8. */
  checkEvent(from: number, to: number): void {
    if (this.scratch === undefined) this.check(from, to);
    else if (validateUtf8(this.scratch, from, to) >= 0) throw invalidUtf8(from, -1);
  }
}

/**
 * Positions of the strings of a column's rows until they are encoded column by column: that keeps each column in the
 * processor's caches, and the loops tight. A range with a negative start lies in the copies, at `~start`; one that
 * stops before its start means that there is no string. Row `r` is at `r & RANGE_MASK`.
 */
export class Ranges {
  /** Two words per row: start and stop of its string. */
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

  /** Marks a row whose dictionary index is known, so that it needs no range. */
  setKnown(row: number): void {
    this.set(row, 0, KNOWN);
  }

  isKnown(row: number): boolean {
    return this.words[((row & RANGE_MASK) << 1) + 1] === KNOWN;
  }

  /** Copies a range of other bytes, which must be WTF-8. */
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
   * Appends the strings of the rows `from..to` to a list, and sets the list's `ends` by row; a row without a string has
   * an empty range.
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
          // As in `ByteList.copy`, the last word may exceed the string; the next string overwrites the excess.
          let position = start;
          let target = at;
          for (const lastWord = start + length - 3; position < lastWord; position += 4, target += 4) {
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

  /** Removes the strings of all rows. */
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

  /** The error for a row's string; undefined if it is UTF-8. */
  invalid(row: number): DecodeError | undefined {
    const start = this.words[(row & RANGE_MASK) << 1]!;
    return start < 0 ? undefined : this.#source.invalid(start, this.words[((row & RANGE_MASK) << 1) + 1]!);
  }

  /** Copies a row's string to the next copies, so that it outlives the window. */
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
