import { numberRun, NUMBERS } from '../../../reading/sink-methods.ts';
import type { Sink } from '../../../reading/sink.ts';
import { CLOSE_BRACKET, COMMA, LETTER_E, MINUS, OPEN_BRACKET, POINT, SPACE, ZERO } from '../../../bytes/text/json-bytes.ts';
import { skipWhite } from './characters.ts';
import { INT32, type NumberValue, POWERS, readNumber, scale } from './number.ts';

/** Places after the point of the longest number that `readShortNumber` reads. */
const MAX_PLACES = 18;

/** Powers of ten that shift the digits before those of a part of a word. */
const SHIFTS = Int32Array.of(1, 10, 100, 1000);

/**
 * Reads numbers with commas between them from `from` on into `NUMBERS`, from `index` to before `room`. Returns the index after the
 * last one; `numberRun.end` is the position after it. Stops before numbers that `readNumber` does not read.
 */
export function readNumberRun(found: NumberValue, bytes: Uint8Array, view: DataView, from: number, to: number, index: number, room: number): number {
  let at = from | 0;
  let count = index | 0;
  let end = at;
  numberRun.integers = true;
  while (count < room) {
    let next = readShortNumber(bytes, view, at, to, count) | 0;
    if (next === 0) {
      if (bytes[at] !== MINUS && (bytes[at]! ^ ZERO) > 9) break;
      next = readNumber(found, bytes, view, at, to) | 0;
      if (next === 0) break;
      if (found.form === INT32) NUMBERS[count] = found.int[0]!;
      else {
        NUMBERS[count] = found.float[0]!;
        numberRun.integers = false;
      }
    }
    count = (count + 1) | 0;
    end = next;
    at = bytes[next]! <= SPACE ? skipWhite(bytes, view, next, to) : next;
    if (at >= to || bytes[at] !== COMMA) break;
    at = (at + 1) | 0;
    if (at < to && bytes[at]! <= SPACE) at = skipWhite(bytes, view, at, to);
    if (at >= to) break;
  }
  numberRun.end = end;
  return count;
}

/**
 * Reads a number with one to three digits before the point and no exponent, such as a coordinate, into `NUMBERS[index]`. Takes four
 * digits at a time, and a part of four without a loop, whose end a processor could not foresee. Returns the position after the
 * number; 0 for other numbers, and near the end of the window.
 */
function readShortNumber(bytes: Uint8Array, view: DataView, at: number, to: number, index: number): number {
  const words = (to - 4) | 0;
  const negative = bytes[at] === MINUS;
  const first = negative ? (at + 1) | 0 : at | 0;
  if (first > words) return 0;
  let four = view.getInt32(first, true) ^ 0x30303030;
  // The lowest bit that is set belongs to the first byte that is no digit.
  let others = ((four + 0x76767676) | four) & 0x80808080;
  let digits = others === 0 ? 0 : (31 - Math.clz32(others & -others)) >> 3;
  // Also 0 without any digit. Two digits or more do not begin with a zero.
  if (digits === 0 || (digits > 1 && (four & 0xff) === 0)) return 0;
  let next = (first + digits) | 0;
  const after = bytes[next]!;
  let low = fourDigits(four << (32 - 8 * digits));
  if (after !== POINT) {
    if ((after | 0x20) === LETTER_E) return 0;
    if (negative && low === 0) numberRun.integers = false;
    NUMBERS[index] = negative ? -low : low;
    return next;
  }
  next = (next + 1) | 0;
  const point = next;
  // All digits as an integer: the nearest double, or one close to it, and its low 32 bits.
  let high = low;
  for (;;) {
    if (next > words) return 0;
    four = view.getInt32(next, true) ^ 0x30303030;
    others = ((four + 0x76767676) | four) & 0x80808080;
    if (others !== 0) break;
    const value = fourDigits(four);
    high = high * 10_000 + value;
    low = (Math.imul(low, 10_000) + value) | 0;
    next = (next + 4) | 0;
  }
  digits = (31 - Math.clz32(others & -others)) >> 3;
  if (digits > 0) {
    const value = fourDigits(four << (32 - 8 * digits));
    const shift = SHIFTS[digits]!;
    high = high * shift + value;
    low = (Math.imul(low, shift) + value) | 0;
    next = (next + digits) | 0;
  }
  const places = (next - point) | 0;
  if (places === 0 || places > MAX_PLACES || (bytes[next]! | 0x20) === LETTER_E) return 0;
  // Both operands are exact, so that the division rounds once.
  const value = high <= Number.MAX_SAFE_INTEGER ? high / POWERS[places]! : scale(high, low, -places);
  if (value !== value) return 0;
  numberRun.integers = false;
  NUMBERS[index] = negative ? -value : value;
  return next;
}

/** The number of four decimal digits, one in each byte, the first in the lowest. */
function fourDigits(four: number): number {
  const sums = (Math.imul(four, 10) + (four >>> 8)) & 0x00ff00ff;
  return (Math.imul(sums, 100) + (sums >>> 16)) & 0xffff;
}

/** Values of the lists that `readNumberLists` has read, the lists included. */
export const listRun = { values: 0 };

/**
 * Reads short lists of numbers with commas between them, such as points, and sends them: those of one length together, if the sink
 * takes that. The first opens at `from`. Returns the position after the last one, or `from` without any; together they have at most
 * `most` values.
 */
export function readNumberLists(sink: Sink, found: NumberValue, bytes: Uint8Array, view: DataView, from: number, to: number, most: number): number {
  const gathers = sink.numberLists !== undefined;
  let at = from | 0;
  let end = at;
  let left = most;
  // Numbers of the lists that are not sent yet, and of each of them.
  let filled = 0;
  let size = 0;
  while (at < to && bytes[at] === OPEN_BRACKET) {
    const start = at;
    at = (at + 1) | 0;
    if (at < to && bytes[at]! <= SPACE) at = skipWhite(bytes, view, at, to);
    if (at >= to) break;
    const last = readNumberRun(found, bytes, view, at, to, filled, Math.min(filled + left - 1, NUMBERS.length)) | 0;
    const count = (last - filled) | 0;
    at = numberRun.end;
    if (count > 0 && bytes[at]! <= SPACE) at = skipWhite(bytes, view, at, to);
    if (count === 0 || at >= to || bytes[at] !== CLOSE_BRACKET) {
      // Without room for this list, those before it go first.
      if (filled === 0 || last < NUMBERS.length) break;
      sink.numberLists!(NUMBERS, size, filled / size);
      filled = 0;
      at = start;
      continue;
    }
    left -= count + 1;
    if (gathers) {
      if (filled > 0 && count !== size) {
        sink.numberLists!(NUMBERS, size, filled / size);
        NUMBERS.copyWithin(0, filled, last);
        filled = 0;
      }
      size = count;
      filled = (filled + count) | 0;
    } else sink.numberArray!(NUMBERS, count, numberRun.integers);
    at = (at + 1) | 0;
    end = at;
    if (at < to && bytes[at]! <= SPACE) at = skipWhite(bytes, view, at, to);
    if (at >= to || bytes[at] !== COMMA) break;
    at = (at + 1) | 0;
    if (at < to && bytes[at]! <= SPACE) at = skipWhite(bytes, view, at, to);
  }
  if (filled > 0) sink.numberLists!(NUMBERS, size, filled / size);
  listRun.values = most - left;
  return end;
}
