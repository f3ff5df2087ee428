import { LETTER_E, MINUS, POINT, ZERO } from './characters.ts';

/** Powers of ten that a double holds exactly. */
export const EXACT_POWERS = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));
/** Digits that an int32 holds whatever they are. */
const PART_DIGITS = 9;

/** The range in which no product or error term below over- or underflows. */
const LARGEST = 270;
/** 10^e as the sum of two doubles, at `2 * (e + LARGEST)`; filled on first use, 0 until then. */
const powers = new Float64Array(2 * (2 * LARGEST + 1));


/**
 * The double nearest to a decimal, exactly as `Number(text)` gives it. `start..end` must follow the grammar of RFC 8259
 * section 6.
 *
 * Up to 15 digits and a power of ten up to 10^22, both exact in a double, take one rounding (Clinger's fast path).
 * Others are computed as the unevaluated sum of two doubles, which is good to about 2^-103; where that leaves the
 * rounding open, and outside 10^±270, `Number` decides.
 */
export function parseNumber(bytes: Uint8Array, start: number, end: number): number {
  const negative = bytes[start] === MINUS;
  let at = negative ? start + 1 : start;
  let point = end;
  let digit = 0;
  while (at < end && ((digit = bytes[at]! ^ ZERO) === 0 || digit === (POINT ^ ZERO))) {
    if (digit === (POINT ^ ZERO)) point = at;
    at += 1;
  }

  // The first 18 digits, in two integers.
  let high = 0;
  let highDigits = 0;
  for (; at < end; at += 1) {
    digit = bytes[at]! ^ ZERO;
    if (digit <= 9) {
      if (highDigits === PART_DIGITS) break;
      high = (high * 10 + digit) | 0;
      highDigits += 1;
    } else if (digit === (POINT ^ ZERO)) point = at;
    else break;
  }
  if (highDigits === 0) return negative ? -0 : 0;
  let low = 0;
  let lowDigits = 0;
  for (; at < end; at += 1) {
    digit = bytes[at]! ^ ZERO;
    if (digit <= 9) {
      if (lowDigits === PART_DIGITS) break;
      low = (low * 10 + digit) | 0;
      lowDigits += 1;
    } else if (digit === (POINT ^ ZERO)) point = at;
    else break;
  }

  // (high * 10^lowDigits + low) * 10^exponent is the number, but for the digits that are dropped here.
  let exponent = point < at ? point - at + 1 : 0;
  let inexact = false;
  for (; at < end; at += 1) {
    digit = bytes[at]! ^ ZERO;
    if (digit <= 9) {
      if (point === end) exponent += 1;
      inexact = true;
    } else if (digit === (POINT ^ ZERO)) point = at;
    else break;
  }
  if (at < end) exponent += readExponent(bytes, at + 1, end);

  const power = EXACT_POWERS[lowDigits]!;
  let value: number;
  if (highDigits + lowDigits <= 15 && exponent >= -22 && exponent <= 22) {
    const digits = high * power + low;
    value = exponent < 0 ? digits / EXACT_POWERS[-exponent]! : digits * EXACT_POWERS[exponent]!;
  } else {
    // 10^9 = 2^9 * 5^9, and 5^9 has 21 bits: the product is exact. So is what the sum loses.
    const product = high * power;
    const head = product + low;
    value = scale(head, low - (head - product), exponent, inexact);
    if (Number.isNaN(value)) return Number(decodeNumber(bytes, start, end));
  }
  return negative ? -value : value;
}

/** Whether a number has neither fraction nor exponent. */
export function isInteger(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    if (bytes[at] === POINT || (bytes[at]! | 0x20) === LETTER_E) return false;
  }
  return true;
}

/** The text of a number. */
export function decodeNumber(bytes: Uint8Array, start: number, end: number): string {
  return new TextDecoder().decode(bytes.subarray(start, end));
}

/** [+-]digits; so large that it settles the result, it may be cut short. */
function readExponent(bytes: Uint8Array, at: number, end: number): number {
  const sign = bytes[at] === MINUS ? -1 : 1;
  let exponent = 0;
  for (; at < end; at += 1) {
    const digit = bytes[at]! ^ ZERO;
    if (digit <= 9 && exponent < 1e9) exponent = exponent * 10 + digit;
  }
  return sign * exponent;
}

/** (head + tail) * 10^exponent, rounded once; NaN where the pair cannot tell how. */
function scale(head: number, tail: number, exponent: number, inexact: boolean): number {
  if (exponent < -LARGEST || exponent > LARGEST) return NaN;
  const slot = 2 * (exponent + LARGEST);
  if (powers[slot] === 0) fillPower(exponent);
  const powerHead = powers[slot]!;
  const powerTail = powers[slot + 1]!;

  const product = head * powerHead;
  const rest = productError(head, powerHead, product) + (head * powerTail + tail * powerHead);
  // What the digits dropped after 18 may be worth; or else 2^-100.
  const error = product * (inexact ? 1.1e-17 : 7.9e-31);
  const value = product + (rest - error);
  return value === product + (rest + error) ? value : NaN;
}

/** a * b - product, exactly (Dekker's product with Veltkamp's split into halves of 26 bits). */
function productError(a: number, b: number, product: number): number {
  const aSplit = a * 134217729;
  const aHigh = aSplit - (aSplit - a);
  const aLow = a - aHigh;
  const bSplit = b * 134217729;
  const bHigh = bSplit - (bSplit - b);
  const bLow = b - bHigh;
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
}

/** Computes 10^exponent to 106 bits: the nearest double, and the nearest to what that leaves. */
function fillPower(exponent: number): void {
  const slot = 2 * (exponent + LARGEST);
  const head = Number(`1e${exponent}`);
  powers[slot] = head;
  if (exponent >= 0) {
    powers[slot + 1] = Number(10n ** BigInt(exponent) - BigInt(head));
    return;
  }
  // head = scaled / 2^shift, so 10^exponent - head = (2^shift - scaled * 10^-exponent) / 2^shift * 10^exponent.
  const shift = 54 - Math.floor(Math.log2(head));
  const scaled = BigInt(head * 2 ** shift);
  const rest = 2n ** BigInt(shift) - scaled * 10n ** BigInt(-exponent);
  powers[slot + 1] = (Number(rest) / 2 ** shift) * head;
}
