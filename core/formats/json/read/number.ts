import { LETTER_E, MINUS, PLUS, POINT, ZERO } from '../../../bytes/text/json-bytes.ts';

/** Powers of ten that a double holds exactly. */
export const POWERS = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/** Digits that an int32 holds whatever they are. */
export const INT_DIGITS = 9;

/** Largest integer that a double and a 32-bit remainder represent exactly. */
const MAX_EXACT = 1e18;

/** Factor that splits a double into two halves whose products are exact. */
const SPLITTER = 2 ** 27 + 1;

/** Largest exponent for which no product or error term below over- or underflows. */
const MAX_EXPONENT = 270;

/** 10^e as the sum of two doubles, at `2 * (e + MAX_EXPONENT)`; filled on first use, 0 until then. */
const pairs = new Float64Array(2 * (2 * MAX_EXPONENT + 1));

/** Forms of a number: a 32-bit integer, another safe integer, and all else. */
export const INT32 = 0;
export const INTEGER = 1;
export const FLOAT = 2;

/** Result of `readNumber`. */
export class NumberValue {
  form = INT32;
  /** Value if it is a 32-bit integer. */
  readonly int = new Int32Array(1);
  /** Value otherwise. */
  readonly float = new Float64Array(1);
}

/**
 * Reads a number of up to 18 digits (RFC 8259 section 6). Returns the position after it; 0 if it is longer, invalid, may
 * continue at `to`, or lies so close to halfway between two doubles that only the engine can round it.
 *
 * number = [ "-" ] ( "0" / "1".."9" *digit ) [ "." 1*digit ] [ ( "e" / "E" ) [ "+" / "-" ] 1*digit ]
 */
export function readNumber(found: NumberValue, bytes: Uint8Array, view: DataView, at: number, to: number): number {
  const negative = bytes[at] === MINUS;
  const first = negative ? (at + 1) | 0 : at | 0;
  const limit = Math.min(first + INT_DIGITS, to) | 0;
  let next = first;
  let digit = 0;
  // The low 32 bits of the integer that all digits form; `high` is the nearest double, or one close to it.
  let low = 0;
  while (next < limit && (digit = bytes[next]! ^ ZERO) <= 9) {
    low = (low * 10 + digit) | 0;
    next = (next + 1) | 0;
  }
  if (next >= to || next === first) return 0;
  if (next === limit) digit = bytes[next]! ^ ZERO;
  const isShort = digit > 9;
  if (isShort && digit !== (POINT ^ ZERO) && (digit | 0x20) !== ((LETTER_E ^ ZERO) | 0x20)) {
    if (bytes[first] === ZERO && next > first + 1) return 0;
    if (negative && low === 0) {
      found.form = FLOAT;
      found.float[0] = -0;
    } else {
      found.form = INT32;
      found.int[0] = negative ? -low : low;
    }
    return next;
  }
  let high = low;
  while (next < to && (digit = bytes[next]! ^ ZERO) <= 9) {
    high = high * 10 + digit;
    low = (Math.imul(low, 10) + digit) | 0;
    next = (next + 1) | 0;
  }
  if (bytes[first] === ZERO && next > first + 1) return 0;
  let exponent = 0;
  let form = INTEGER;
  if (digit === (POINT ^ ZERO)) {
    form = FLOAT;
    next = (next + 1) | 0;
    const point = next;
    const words = (to - 4) | 0;
    while (next <= words) {
      const four = view.getInt32(next, true) ^ 0x30303030;
      if ((((four + 0x76767676) | four) & 0x80808080) !== 0) break;
      const sums = (Math.imul(four, 10) + (four >>> 8)) & 0x00ff00ff;
      digit = (Math.imul(sums, 100) + (sums >>> 16)) & 0xffff;
      high = high * 10_000 + digit;
      low = (Math.imul(low, 10_000) + digit) | 0;
      next = (next + 4) | 0;
    }
    while (next < to && (digit = bytes[next]! ^ ZERO) <= 9) {
      high = high * 10 + digit;
      low = (Math.imul(low, 10) + digit) | 0;
      next = (next + 1) | 0;
    }
    exponent = (point - next) | 0;
    if (exponent === 0) return 0;
  }
  if (next >= to) return 0;
  if ((bytes[next]! | 0x20) === LETTER_E) {
    form = FLOAT;
    next = (next + 1) | 0;
    const sign = bytes[next];
    if (sign === MINUS || sign === PLUS) next = (next + 1) | 0;
    const start = next;
    let written = 0;
    while (next < to && (digit = bytes[next]! ^ ZERO) <= 9) {
      written = Math.min(written * 10 + digit, 10_000);
      next = (next + 1) | 0;
    }
    if (next === start || next >= to) return 0;
    exponent = (exponent + (sign === MINUS ? -written : written)) | 0;
  }
  const value = scale(high, low, exponent);
  if (Number.isNaN(value) || (form === INTEGER && value > Number.MAX_SAFE_INTEGER)) return 0;
  found.form = form;
  found.float[0] = negative ? -value : value;
  return next;
}

/**
 * The double nearest to digits × 10^exponent; NaN where only the engine can tell. `low` is the low 32 bits of the integer that
 * the digits form, `high` a double within 2^31 of it.
 */
export function scale(high: number, low: number, exponent: number): number {
  if (high <= Number.MAX_SAFE_INTEGER && exponent >= -22 && exponent <= 22) {
    return exponent < 0 ? high / POWERS[-exponent]! : high * POWERS[exponent]!;
  }
  if (high === 0) return 0;
  if (high > MAX_EXACT || exponent < -MAX_EXPONENT || exponent > MAX_EXPONENT) return NaN;
  const error = (low - (high | 0)) | 0;
  const head = high + error;
  if (exponent === 0) return head;
  const slot = 2 * (exponent + MAX_EXPONENT);
  if (pairs[slot] === 0) fillPair(exponent);
  const powerHead = pairs[slot]!;
  const powerTail = pairs[slot + 1]!;
  const product = head * powerHead;
  const rest = productError(head, powerHead, product) + (head * powerTail + (error - (head - high)) * powerHead);
  // The sum of two doubles is good to about 2^-103, so the rounding is seldom left open.
  const tolerance = product * 7.9e-31;
  const value = product + (rest - tolerance);
  return value === product + (rest + tolerance) ? value : NaN;
}

/** a * b - product, exactly (Dekker's product with Veltkamp's split into halves of 26 bits). */
function productError(a: number, b: number, product: number): number {
  const aHigh = upperHalf(a);
  const aLow = a - aHigh;
  const bHigh = upperHalf(b);
  const bLow = b - bHigh;
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
}

/** Upper half of a double's digits. */
function upperHalf(value: number): number {
  const spread = value * SPLITTER;
  return spread - (spread - value);
}

/** Computes 10^exponent to 106 bits: the nearest double, and the nearest to what that leaves. */
function fillPair(exponent: number): void {
  const slot = 2 * (exponent + MAX_EXPONENT);
  const head = Number(`1e${exponent}`);
  pairs[slot] = head;
  if (exponent >= 0) {
    pairs[slot + 1] = Number(10n ** BigInt(exponent) - BigInt(head));
    return;
  }
  // head = scaled / 2^shift, so 10^exponent - head = (2^shift - scaled * 10^-exponent) / 2^shift * 10^exponent.
  const shift = 54 - Math.floor(Math.log2(head));
  const scaled = BigInt(head * 2 ** shift);
  const rest = 2n ** BigInt(shift) - scaled * 10n ** BigInt(-exponent);
  pairs[slot + 1] = (Number(rest) / 2 ** shift) * head;
}
