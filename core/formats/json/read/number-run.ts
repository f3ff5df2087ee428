import { numberRun, NUMBERS } from '../../../reading/sink-methods.ts';
import type { Sink } from '../../../reading/sink.ts';
import { CLOSE_BRACKET, COMMA, LETTER_E, MINUS, OPEN_BRACKET, POINT, SPACE, skipWhite, ZERO } from './characters.ts';
import { INT32, INT_DIGITS, type NumberValue, POWERS, readNumber } from './number.ts';

/** Digits of an integer that a double holds whatever they are. */
const EXACT_DIGITS = 15;

/**
 * Reads numbers with commas between them from `from` on into `NUMBERS`, at most `most`. Returns their count; `numberRun.end` is the
 * position after the last one. Stops before numbers that `readNumber` does not read.
 */
export function readNumberRun(found: NumberValue, bytes: Uint8Array, view: DataView, from: number, to: number, most: number): number {
  let at = from | 0;
  let count = 0;
  let integers = true;
  numberRun.end = from;
  while (count < most) {
    const byte = bytes[at]!;
    if (byte !== MINUS && (byte ^ ZERO) > 9) break;
    let next = readDecimal(bytes, view, at, to, count) | 0;
    if (next !== 0) integers = false;
    else {
      next = readNumber(found, bytes, view, at, to) | 0;
      if (next === 0) break;
      if (found.form === INT32) NUMBERS[count] = found.int[0]!;
      else {
        NUMBERS[count] = found.float[0]!;
        integers = false;
      }
    }
    count = (count + 1) | 0;
    numberRun.end = next;
    at = bytes[next]! <= SPACE ? skipWhite(bytes, view, next, to) : next;
    if (at >= to || bytes[at] !== COMMA) break;
    at = (at + 1) | 0;
    if (at < to && bytes[at]! <= SPACE) at = skipWhite(bytes, view, at, to);
    if (at >= to) break;
  }
  numberRun.integers = integers;
  return count;
}

/**
 * Reads a number with a fraction and at most 15 digits, such as a coordinate, into `NUMBERS[index]`: the digits and the power of ten
 * are exact, so that one division rounds them. Returns the position after it; 0 for other numbers, and if it may continue at `to`.
 */
function readDecimal(bytes: Uint8Array, view: DataView, at: number, to: number, index: number): number {
  const negative = bytes[at] === MINUS;
  const first = negative ? (at + 1) | 0 : at | 0;
  const limit = Math.min(first + INT_DIGITS, to) | 0;
  let next = first;
  let digit = 0;
  let whole = 0;
  while (next < limit && (digit = bytes[next]! ^ ZERO) <= 9) {
    whole = (whole * 10 + digit) | 0;
    next = (next + 1) | 0;
  }
  const digits = (next - first) | 0;
  if (digits === 0 || digit !== (POINT ^ ZERO) || (digits > 1 && bytes[first] === ZERO)) return 0;
  next = (next + 1) | 0;
  const point = next;
  const last = Math.min(point + EXACT_DIGITS + 1 - digits, to) | 0;
  let value = whole;
  const words = (last - 4) | 0;
  while (next <= words) {
    const four = view.getInt32(next, true) ^ 0x30303030;
    if ((((four + 0x76767676) | four) & 0x80808080) !== 0) break;
    const sums = (Math.imul(four, 10) + (four >>> 8)) & 0x00ff00ff;
    value = value * 10_000 + ((Math.imul(sums, 100) + (sums >>> 16)) & 0xffff);
    next = (next + 4) | 0;
  }
  while (next < last && (digit = bytes[next]! ^ ZERO) <= 9) {
    value = value * 10 + digit;
    next = (next + 1) | 0;
  }
  // Ends with too many digits, without any, at the end of the window, or before an exponent.
  if (next === last || next === point || (bytes[next]! | 0x20) === LETTER_E) return 0;
  value /= POWERS[next - point]!;
  NUMBERS[index] = negative ? -value : value;
  return next;
}

/** Values of the lists that `readNumberLists` has read, the lists included. */
export const listRun = { values: 0 };

/**
 * Reads short lists of numbers with commas between them, such as points, and sends each in one call. The first opens at `from`.
 * Returns the position after the last one, or `from` without any; together they have at most `most` values.
 */
export function readNumberLists(sink: Sink, found: NumberValue, bytes: Uint8Array, view: DataView, from: number, to: number, most: number): number {
  let at = from;
  let end = from;
  let left = most;
  while (at < to && bytes[at] === OPEN_BRACKET) {
    at += 1;
    if (at < to && bytes[at]! <= SPACE) at = skipWhite(bytes, view, at, to);
    if (at >= to) break;
    const count = readNumberRun(found, bytes, view, at, to, Math.min(left - 1, NUMBERS.length));
    at = numberRun.end;
    if (count > 0 && bytes[at]! <= SPACE) at = skipWhite(bytes, view, at, to);
    if (count === 0 || at >= to || bytes[at] !== CLOSE_BRACKET) break;
    sink.numberArray!(NUMBERS, count, numberRun.integers);
    left -= count + 1;
    at += 1;
    end = at;
    if (at < to && bytes[at]! <= SPACE) at = skipWhite(bytes, view, at, to);
    if (at >= to || bytes[at] !== COMMA) break;
    at += 1;
    if (at < to && bytes[at]! <= SPACE) at = skipWhite(bytes, view, at, to);
  }
  listRun.values = most - left;
  return end;
}
