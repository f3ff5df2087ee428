import { numberRun, NUMBERS } from '../../../reading/sink-methods.ts';
import type { Sink } from '../../../reading/sink.ts';
import { CLOSE_BRACKET, COMMA, MINUS, OPEN_BRACKET, SPACE, skipWhite, ZERO } from './characters.ts';
import { INT32, type NumberValue, readNumber } from './number.ts';

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
    const next = readNumber(found, bytes, view, at, to) | 0;
    if (next === 0) break;
    if (found.form === INT32) NUMBERS[count] = found.int[0]!;
    else {
      NUMBERS[count] = found.float[0]!;
      integers = false;
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
