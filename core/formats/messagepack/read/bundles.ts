import { DecodeError, LimitError } from '../../../errors.ts';
import { decodeUtf8, invalidUtf8, isAscii, validateUtf8 } from '../../../bytes/text/text.ts';

/** Result of `load` if more bytes are needed: up to `needed`. */
export const CUT = -1;
/** Result of `load` if there is no bundle at the position. */
export const NOT_A_BUNDLE = -2;

/** Bytes of the longest bundle that is decoded as one string: strings sliced from it keep all of it in memory. */
const MAX_TEXT_LENGTH = 65_536;

/**
 * msgpackr's bundled strings. Strings of 4 to 4,095 characters are collected in two long strings after the values, the
 * first for those that are not ASCII, the second for those that are. Each is replaced by a reference
 *
 *     0xc1, integer n      n > 0: the next n characters of the second string; otherwise the next −n of the first
 *
 * and the first reference follows an extension that points to the bundle, with a distance from the extension's data:
 *
 *     0xd6 0x62 uint32     or, after an earlier bundle,     ext8/16/32 0x62 uint32 (the earlier bundle)
 *
 * Characters are UTF-16 code units; in the second string they are bytes. A second string that is not ASCII therefore
 * either splits a character or is not used up, and both are errors. All positions are in the reader's window.
 */
export class BundledStrings {
  /** True while the strings of a bundle are being used. */
  active = false;
  /** Where the bundle begins, and the position after it. */
  start = 0;
  after = 0;
  /** How far bytes are needed, if `load` returned CUT. */
  needed = 0;
  /** The string found by `read`: a range, or its text if it is not a range of UTF-8. */
  from = 0;
  end = 0;
  text: string | undefined = undefined;

  /** Start of the next ASCII string, and end of the last. */
  ascii = 0;
  asciiEnd = 0;
  #wide = 0;
  #wideEnd = 0;
  /** The previous string ended with the first surrogate of the character at `#wide`. */
  #half = false;
  /** The second string as text, if strings are sliced from it, and the position of its first byte. */
  #text = '';
  #textAt = 0;
  readonly #longest: number;
  readonly #slices: boolean;

  /** `longest` is the length limit in bytes; with `slices`, strings are best sliced from the bundle's text. */
  constructor(longest: number, slices: boolean) {
    this.#longest = longest;
    this.#slices = slices;
  }

  /** Reads the headers of the two strings at `at`. */
  load(bytes: Uint8Array, view: DataView, at: number, to: number): number {
    const wide = this.#header(bytes, view, at, to);
    if (wide < 0) return wide;
    const wideEnd = this.needed;
    const ascii = this.#header(bytes, view, wideEnd, to);
    if (ascii < 0) return ascii;
    this.active = true;
    this.start = at;
    this.after = this.needed;
    this.#wide = wide;
    this.#wideEnd = wideEnd;
    this.ascii = ascii;
    this.asciiEnd = this.needed;
    this.#half = false;
    this.#text = '';
    if (this.#slices && this.after - ascii <= MAX_TEXT_LENGTH && isAscii(bytes, view, ascii, this.after)) {
      this.#text = decodeUtf8(bytes, ascii, this.after, -1);
      this.#textAt = ascii;
    }
    return this.after;
  }

  /** The text of the ASCII string found last, at `from..end`; undefined if only the range is known. */
  get cut(): string | undefined {
    return this.#text === '' ? undefined : this.#text.slice(this.from - this.#textAt, this.end - this.#textAt);
  }

  /**
   * Reads the reference at `at` and finds its string: the range `from..end`, or `text`. Returns the position after the
   * reference; one past `to` if it is cut.
   */
  read(bytes: Uint8Array, view: DataView, at: number, to: number, base: number): number {
    if (!this.active) fail('invalid byte 0xc1', base + at);
    if (at + 1 >= to) return at + 2;
    const token = bytes[at + 1]!;
    let next = at + 2;
    let count: number;
    if (token < 0x80) {
      count = token;
    } else if (token >= 0xe0) {
      count = token - 0x100;
    } else {
      if (token < 0xcc || token > 0xd2 || token === 0xcf) fail('a bundled string has no length', base + at + 1);
      next += 1 << (token & 3);
      if (next > to) return next;
      if (token === 0xcc) count = bytes[at + 2]!;
      else if (token === 0xcd) count = view.getUint16(at + 2);
      else if (token === 0xce) count = view.getUint32(at + 2);
      else if (token === 0xd0) count = view.getInt8(at + 2);
      else if (token === 0xd1) count = view.getInt16(at + 2);
      else count = view.getInt32(at + 2);
    }
    if (next > this.start || !this.#take(bytes, count, base)) {
      const bad = count > 0 ? -1 : validateUtf8(bytes, this.#wide, this.#wideEnd);
      if (bad >= 0) throw invalidUtf8(bad, base);
      fail('reference to a missing bundled string', base + at);
    }
    if (this.end - this.from > this.#longest) {
      throw new LimitError('stringLength', `stringLength limit exceeded: a string of ${this.end - this.from} bytes`, { offset: base + at });
    }
    return next;
  }

  /**
   * Finds the next string of `count` characters like `read`, if it is ASCII and the two-byte reference at `at` is
   * before the bundle. Otherwise changes nothing.
   */
  hasAscii(count: number, at: number): boolean {
    const from = this.ascii;
    const end = from + count;
    if (!this.active || count === 0 || count > this.#longest || end > this.asciiEnd || at + 2 > this.start) return false;
    this.from = from;
    this.end = this.ascii = end;
    return true;
  }

  /** Ends the bundle, whose references end at `at`. Returns the position after it. */
  finish(at: number, base: number): number {
    if (at !== this.start || !this.#spent) fail('bundled strings are not used', base + at);
    this.active = false;
    return this.after;
  }

  get #spent(): boolean {
    return this.ascii === this.asciiEnd && this.#wide === this.#wideEnd && !this.#half;
  }

  #take(bytes: Uint8Array, count: number, base: number): boolean {
    this.text = undefined;
    if (count <= 0) return this.#walk(bytes, -count, base);
    const end = this.ascii + count;
    if (end > this.asciiEnd) return false;
    this.from = this.ascii;
    this.end = this.ascii = end;
    return true;
  }

  /** Adjusts the positions to a window that has moved on by `bytes`. */
  shift(bytes: number): void {
    this.start -= bytes;
    this.after -= bytes;
    this.ascii -= bytes;
    this.asciiEnd -= bytes;
    this.#textAt -= bytes;
    this.#wide -= bytes;
    this.#wideEnd -= bytes;
  }

  /** Steps over characters of one to four bytes. Invalid UTF-8 is reported when the string is read. */
  #walk(bytes: Uint8Array, count: number, base: number): boolean {
    const from = this.#wide;
    let at = from;
    let left = count;
    // A character past U+FFFF counts as two; one shared by two consecutive strings is divided between them.
    const second = this.#half && left > 0;
    if (second) {
      this.#half = false;
      at += 4;
      left -= 1;
    }
    while (left > 0 && at < this.#wideEnd) {
      const lead = bytes[at]!;
      if (lead >= 0xf0 && left === 1) {
        this.#half = true;
        break;
      }
      left -= lead < 0xf0 ? 1 : 2;
      at += lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    }
    const end = this.#half ? at + 4 : at;
    if (end > this.#wideEnd || (left > 0 && !this.#half)) return false;
    if (second || this.#half) {
      this.text = decodeUtf8(bytes, from, end, base).slice(second ? 1 : 0, this.#half ? -1 : undefined);
    }
    this.from = from;
    this.end = this.#wide = at;
    return true;
  }

  /** The position of a string's first byte; sets `needed` to the position after its last. */
  #header(bytes: Uint8Array, view: DataView, at: number, to: number): number {
    this.needed = at + 1;
    if (at >= to) return CUT;
    const token = bytes[at]!;
    let from = at + 1;
    let length = token - 0xa0;
    if (token < 0xa0 || token >= 0xc0) {
      if (token < 0xd9 || token > 0xdb) return NOT_A_BUNDLE;
      from = at + 1 + (1 << (token - 0xd9));
      this.needed = from;
      if (from > to) return CUT;
      length = token === 0xd9 ? bytes[at + 1]! : token === 0xda ? view.getUint16(at + 1) : view.getUint32(at + 1);
    }
    this.needed = from + length;
    return this.needed > to ? CUT : from;
  }
}

function fail(reason: string, offset: number): never {
  throw new DecodeError('malformed', reason, { offset });
}
