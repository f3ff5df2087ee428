import { POWERS, scale } from '../../../formats/json/read/number.ts';
import { CLOSE_BRACKET, COMMA, isWhite, MINUS } from '../../../bytes/text/json-bytes.ts';

/** Maximum count of numbers in one run. */
const MAX_NUMBERS = 8 * 1024;

/**
 * Buffer for the numbers of one run, consumed before the next run. An array of doubles without holes, which engines
 * slice faster than they convert a typed array.
 */
export const NUMBERS: number[] = [];
for (let count = 0; count < MAX_NUMBERS; count += 1) NUMBERS.push(0.5);

/** End of the last run, and whether it holds only 32-bit integers. */
export const numberRun: { end: number; integers: boolean } = { end: 0, integers: false };

const POINT = 0x2e;
const ZERO = 0x30;

/** Largest 32-bit integer. */
const MAX_INT32 = 2 ** 31 - 1;

/**
 * Reads comma-separated numbers from `from` on into `NUMBERS`. Returns their count; `numberRun.end` is the comma or
 * bracket after the last one. There must be a comma or bracket at `last`. Stops at anything that is not a number, at
 * exponents, and at numbers of more than 18 digits.
 */
export function readNumbers(bytes: Uint8Array, view: DataView, from: number, last: number): number {
  const words = (last - 3) | 0;
  let at = from | 0;
  let count = 0;
  let integers = true;
  numberRun.end = from;
  while (count < MAX_NUMBERS && at < last) {
    let byte = bytes[at]!;
    while (isWhite(byte)) byte = bytes[(at = (at + 1) | 0)]!;
    const isNegative = byte === MINUS;
    if (isNegative) byte = bytes[(at = (at + 1) | 0)]!;
    let digit = (byte - ZERO) | 0;
    if (digit >>> 0 > 9) break;
    // All digits as one integer: the nearest double, and the lowest 32 bits.
    let high = digit;
    let low = digit;
    byte = bytes[(at = (at + 1) | 0)]!;
    if (digit > 0) {
      while ((digit = (byte - ZERO) | 0) >>> 0 <= 9) {
        high = high * 10 + digit;
        low = (Math.imul(low, 10) + digit) | 0;
        byte = bytes[(at = (at + 1) | 0)]!;
      }
    }
    let decimals = 0;
    if (byte === POINT) {
      const point = at;
      at = (at + 1) | 0;
      while (at < words) {
        const four = view.getInt32(at, true) ^ 0x30303030;
        if ((((four + 0x76767676) | four) & 0x80808080) !== 0) break;
        const pairs = (Math.imul(four, 10) + (four >>> 8)) & 0x00ff00ff;
        digit = (Math.imul(pairs, 100) + (pairs >>> 16)) & 0xffff;
        high = high * 10_000 + digit;
        low = (Math.imul(low, 10_000) + digit) | 0;
        at = (at + 4) | 0;
      }
      byte = bytes[at]!;
      while ((digit = (byte - ZERO) | 0) >>> 0 <= 9) {
        high = high * 10 + digit;
        low = (Math.imul(low, 10) + digit) | 0;
        byte = bytes[(at = (at + 1) | 0)]!;
      }
      decimals = (at - point - 1) | 0;
      integers = false;
      if (decimals === 0 || decimals >= POWERS.length) break;
    }
    while (isWhite(byte)) byte = bytes[(at = (at + 1) | 0)]!;
    if (byte !== COMMA && byte !== CLOSE_BRACKET) break;
    let value = decimals === 0 ? high : high / POWERS[decimals]!;
    if (high > Number.MAX_SAFE_INTEGER) {
      value = scale(high, low, -decimals);
      if (Number.isNaN(value)) break;
    }
    if (high > MAX_INT32 || (isNegative && value === 0)) integers = false;
    NUMBERS[count] = isNegative ? -value : value;
    count = (count + 1) | 0;
    numberRun.end = at;
    if (byte === CLOSE_BRACKET) break;
    at = (at + 1) | 0;
  }
  numberRun.integers = integers;
  return count;
}
