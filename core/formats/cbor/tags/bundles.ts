import { isAscii } from '../../../bytes/text/text.ts';
import { textFor } from '../../../bytes/text/text-for.ts';
import type { Input } from '../read/input.ts';

/**
 * cbor-x's bundled strings. Strings of 4 to 1,023 characters are collected in two long strings after the values, the
 * first for those that are not ASCII, the second for those that are. Each is replaced by a reference
 *
 *     0xce (tag 14), unsigned n     the next n characters of the first string
 *     0xcf (tag 15), unsigned n     the next n characters of the second
 *
 * and the first reference is inside a tag that points to the bundle, with a distance from the integer's own head:
 *
 *     0xd9dff9, 0x82, 0x1a uint32 distance, the first reference
 *
 * After an earlier bundle, 0x84 replaces 0x82, and that bundle's two strings follow the distance. Characters are UTF-16
 * code units. Positions are in the reader's window.
 */
export class BundledStrings {
  /** True while the strings of a bundle are being used. */
  active = false;
  /** Where the bundle begins, and the position after it. */
  start = 0;
  #after = 0;
  #wide = '';
  #wideAt = 0;
  #ascii = 0;
  #asciiEnd = 0;
  readonly #input: Input;

  constructor(input: Input) {
    this.#input = input;
  }

  /** Reads the array after tag 0xdff9, at `at`, and the bundle. False if either is cut. */
  begin(at: number): boolean {
    const input = this.#input;
    if (!input.head(at)) return false;
    const count = input.value;
    const place = input.next;
    if (input.bytes[at]! >> 5 !== 4 || (count !== 2 && count !== 4)) input.fail('malformed', 'invalid pointer to bundled strings', at);
    if (!input.head(place)) return false;
    const distance = input.value;
    let behind = input.next;
    if (input.bytes[place]! >> 5 !== 0) input.fail('malformed', 'invalid pointer to bundled strings', place);
    if (count === 4) {
      // The bundle stays active until the next one has arrived, and is then checked again.
      if (!this.active) input.fail('malformed', 'bundled strings have no pointer to them', behind);
      behind = this.finish(behind);
      this.active = true;
    } else if (this.active) {
      input.fail('malformed', 'bundled strings are not used', at);
    }
    if (place + distance < behind) input.fail('malformed', 'bundled strings have a negative offset', place);
    if (!this.#load(place + distance)) return false;
    input.next = behind;
    return true;
  }

  /**
   * Reads the reference at `at`. False if it is cut. The string is `text` or, if that is undefined, the ASCII range
   * `from..end`.
   */
  read(at: number): boolean {
    const input = this.#input;
    const place = at + 1;
    if (!input.head(place)) return false;
    const count = input.value;
    if (input.next > this.start || input.bytes[place]! >> 5 !== 0) input.fail('malformed', 'reference to a missing bundled string', at);
    if (input.bytes[at] === 0xce) {
      const end = this.#wideAt + count;
      if (end > this.#wide.length) input.fail('malformed', 'reference to a missing bundled string', at);
      this.text = this.#wide.slice(this.#wideAt, end);
      this.#wideAt = end;
    } else {
      const end = this.#ascii + count;
      if (end > this.#asciiEnd) input.fail('malformed', 'reference to a missing bundled string', at);
      this.text = undefined;
      this.from = this.#ascii;
      this.end = this.#ascii = end;
    }
    return true;
  }

  text: string | undefined = undefined;
  from = 0;
  end = 0;

  /** Ends the bundle, whose references end at `at`. Returns the position after it. */
  finish(at: number): number {
    if (at !== this.start || this.#ascii !== this.#asciiEnd || this.#wideAt !== this.#wide.length) {
      this.#input.fail('malformed', 'bundled strings are not used', at);
    }
    this.active = false;
    return this.#after;
  }

  /** Adjusts the positions to a window that has moved on by `bytes`. */
  shift(bytes: number): void {
    this.start -= bytes;
    this.#after -= bytes;
    this.#ascii -= bytes;
    this.#asciiEnd -= bytes;
  }

  #load(at: number): boolean {
    const input = this.#input;
    if (!this.#string(at)) return false;
    const { from, next } = input;
    if (!this.#string(next)) return false;
    const { bytes, view, base } = input;
    // Characters of the second string are counted as bytes.
    if (!isAscii(bytes, view, input.from, input.next)) input.fail('malformed', 'bundled strings that are not ASCII', next);
    this.#wide = textFor(input, bytes, from, next, base);
    this.#wideAt = 0;
    this.#ascii = input.from;
    this.#asciiEnd = this.#after = input.next;
    this.start = at;
    this.active = true;
    return true;
  }

  #string(at: number): boolean {
    const input = this.#input;
    if (at < input.to && (input.bytes[at]! >> 5 !== 3 || input.bytes[at] === 0x7f)) {
      input.fail('malformed', 'invalid target of a pointer to bundled strings', at);
    }
    return input.string(at, 'stringLength');
  }
}
