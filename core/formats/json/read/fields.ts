import type { Sink } from '../../../reading/sink.ts';
import { COMMA, LETTER_F, MINUS, QUOTE, ZERO } from '../../../bytes/text/json-bytes.ts';
import { ALSE, NULL, TRUE } from './characters.ts';
import { ENTRY_BITS, FOLLOWER, type KnownKeys, LENGTH, WORDS } from './known-keys.ts';
import { FLOAT, INT32, type NumberValue, readNumber } from './number.ts';

/** State of `readFields`. */
export interface FieldState {
  /** Supports `listedKey`. */
  readonly sink: Sink;
  readonly keys: KnownKeys;
  readonly number: NumberValue;
  /** Length limit of strings, in bytes. */
  readonly longest: number;
  /** Reads a number that `readNumber` declined, and sends it to the sink. Negative if it is cut. */
  readonly readLong: (bytes: Uint8Array, at: number, to: number) => number;
  /** How many further objects of the list may be read; decremented for each one read. */
  objects: number;
  /** How many more values the limit allows. */
  left: number;
  /** State at the position returned: one of the constants below. */
  next: number;
}

/** A key other than the expected one, or the end of the object. */
export const OTHER_KEY = 0;
/** `OTHER_KEY` right after the opening brace. */
export const OTHER_FIRST_KEY = 1;
/** A value whose key was sent. */
export const OTHER_VALUE = 2;
/** The byte after a value. */
export const NO_KEY = 3;

/**
 * Reads the keys of an object that arrive in the expected order, each with a scalar in a common form, starting where a
 * key may begin; continues with the next objects of a list up to `stretch`. Returns the position of the first token
 * that is different or cut. The format's speed depends mostly on this loop.
 */
export function readFields(state: FieldState, bytes: Uint8Array, view: DataView, from: number, end: number, stretch: number): number {
  const { sink, keys, number, longest } = state;
  const { table, words } = keys;
  const to = end | 0;
  const last = (to - 4) | 0;
  const pause = Math.min(stretch, last) | 0;
  let at = from | 0;
  let left = state.left | 0;
  let key = keys.last | 0;
  let next = OTHER_KEY;
  for (;;) {
    const expected = table[key + FOLLOWER]! | 0;
    if (expected === 0) break;
    let start = (at + table[expected + LENGTH]!) | 0;
    if (start >= to) break;
    let word = table[expected + WORDS]! | 0;
    const stop = (start - 4) | 0;
    let position = at;
    while (position < stop && view.getInt32(position, true) === words[word]) {
      position = (position + 4) | 0;
      word = (word + 1) | 0;
    }
    if (position < stop || view.getInt32(stop, true) !== words[word]) break;
    key = expected;
    sink.listedKey!(keys, expected >> ENTRY_BITS);

    next = OTHER_VALUE;
    at = start;
    if (left <= 0) break;
    const byte = bytes[at]!;
    if (byte === QUOTE) {
      start = (at + 1) | 0;
      // Four bytes at a time, as in findSpecial.
      let found = 0;
      position = start;
      while (position <= last) {
        const word = view.getInt32(position, true);
        found = (((word ^ 0x02020202) - 0x21212121) | ((word ^ 0x5c5c5c5c) - 0x01010101)) & ~word & 0x80808080;
        if (found !== 0) {
          position = (position + ((31 - Math.clz32(found & -found)) >> 3)) | 0;
          break;
        }
        position = (position + 4) | 0;
      }
      if (found === 0 || bytes[position] !== QUOTE || position - start > longest) break;
      sink.string(at, start, position);
      at = (position + 1) | 0;
    } else if (byte === MINUS || (byte ^ ZERO) <= 9) {
      position = readNumber(number, bytes, view, at, to);
      if (position === 0) {
        position = state.readLong(bytes, at, to) | 0;
        if (position < 0) break;
      } else if (number.form === INT32) sink.integer(number.int[0]!, at, position);
      else if (number.form === FLOAT) sink.float(number.float[0]!, at, position);
      else sink.integer(number.float[0]!, at, position);
      at = position;
    } else {
      if (at + 5 > to) break;
      const word = view.getInt32(at, true);
      if (word === NULL) {
        sink.null(at, at + 4);
        at = (at + 4) | 0;
      } else if (word === TRUE) {
        sink.boolean(true, at, at + 4);
        at = (at + 4) | 0;
      } else if (byte === LETTER_F && view.getInt32(at + 1, true) === ALSE) {
        sink.boolean(false, at, at + 5);
        at = (at + 5) | 0;
      } else break;
    }
    left = (left - 1) | 0;
    next = NO_KEY;
    if (at >= to) break;
    if (bytes[at] === COMMA) {
      at = (at + 1) | 0;
      next = OTHER_KEY;
    } else {
      // The bytes `},{` without white space.
      if (state.objects <= 0 || at > pause || left <= 0 || (view.getInt32(at, true) & 0xffffff) !== 0x7b2c7d) break;
      state.objects -= 1;
      sink.endObject(at + 1);
      sink.beginObject(-1, at + 2, at + 3);
      left = (left - 1) | 0;
      at = (at + 3) | 0;
      next = OTHER_FIRST_KEY;
    }
  }
  keys.last = key;
  state.left = left;
  state.next = next;
  return at;
}
