import { LETTER_E, MINUS, PLUS, POINT, ZERO } from './characters.ts';

/** Powers of ten that a double represents exactly. */
export const EXACT_POWERS = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));
const WORD_POWERS = Int32Array.of(1, 10, 100, 1000);
/** Decimal digits that always fit an int32. */
export const PART_DIGITS = 9;

/** Result of `readShort`. */
export class ShortNumber {
  /** Digits after the decimal point; −1 for an integer, 0 for −0. */
  places = -1;
  /** The value if it is an integer. */
  readonly int = new Int32Array(1);
  /** The value if it is not an integer. */
  readonly float = new Float64Array(1);
  /** Where a longer number was left (0 for a number of another form), and its digits up to there. */
  middle = 0;
  whole = 0;
  fraction = 0;
}

/**
 * Reads [-]digits[.digits] with up to 9 digits in each part and up to 15 in total: exact in a double, so only one
 * rounding remains. Returns the position after it; 0 if the number has another form, or may continue at `to`.
 */
export function readShort(found: ShortNumber, bytes: Uint8Array, at: number, to: number): number {
  const negative = bytes[at] === MINUS;
  const first = negative ? (at + 1) | 0 : at;
  let limit = Math.min(first + PART_DIGITS, to);
  let digit = 0;
  let whole = 0;
  let next = first;
  while (next < limit && (digit = bytes[next]! ^ ZERO) <= 9) {
    whole = (whole * 10 + digit) | 0;
    next = (next + 1) | 0;
  }
  if (next === limit && next < to) digit = bytes[next]! ^ ZERO;
  const digits = (next - first) | 0;
  let fraction = 0;
  let places = -1;
  if (digit === (POINT ^ ZERO)) {
    next = (next + 1) | 0;
    limit = Math.min(next + PART_DIGITS, to);
    while (next < limit && (digit = bytes[next]! ^ ZERO) <= 9) {
      fraction = (fraction * 10 + digit) | 0;
      next = (next + 1) | 0;
    }
    if (next === limit && next < to) digit = bytes[next]! ^ ZERO;
    places = (next - first - digits - 1) | 0;
  }
  if (next === to || digits === 0 || (digits > 1 && bytes[first] === ZERO)) {
    found.middle = 0;
    return 0;
  }
  found.places = places;
  if (digit <= 9 || places === 0 || digits + places > 15 || (digit | 0x20) === ((LETTER_E ^ ZERO) | 0x20)) {
    found.middle = next;
    found.whole = whole;
    found.fraction = fraction;
    return 0;
  }
  if (places > 0) {
    const power = EXACT_POWERS[places]!;
    const value = (whole * power + fraction) / power;
    found.float[0] = negative ? -value : value;
  } else setInteger(found, whole, negative);
  return next;
}

/**
 * `readShort`, four bytes at a time, for numbers with up to 7 digits before the decimal point and up to 11 after it.
 * Returns 0 for others, without a result, and if fewer than 24 bytes are left.
 */
export function readWords(found: ShortNumber, view: DataView, at: number, to: number): number {
  if (at + 24 > to) return 0;
  let digits = view.getInt32(at, true) | 0;
  const negative = (digits & 0xff) === MINUS;
  let next = at | 0;
  if (negative) {
    next = (next + 1) | 0;
    digits = view.getInt32(next, true);
  }
  digits ^= 0x30303030;
  const begins = digits & 0xff;
  let value = 0;
  let other = ((digits + 0x76767676) | digits) & 0x80808080;
  let count = 0;
  const first = next;
  if (other === 0) {
    value = fourDigits(digits);
    next = (next + 4) | 0;
    digits = view.getInt32(next, true) ^ 0x30303030;
    other = ((digits + 0x76767676) | digits) & 0x80808080;
    if (other === 0) return 0;
  }
  // How many of the four bytes are digits. They are shifted to the end, after zeros.
  count = (31 - Math.clz32(other & -other)) >> 3;
  value = (value * WORD_POWERS[count]! + fourDigits((digits << (24 - 8 * count)) << 8)) | 0;
  next = (next + count) | 0;
  const whole = (next - first) | 0;
  if (whole === 0 || (begins === 0 && whole > 1)) return 0;
  let byte = (digits >> (8 * count)) & 0xff;
  if (byte !== (POINT ^ ZERO)) {
    if ((byte | 0x20) === ((LETTER_E ^ ZERO) | 0x20)) return 0;
    found.places = -1;
    setInteger(found, value, negative);
    return next;
  }
  next = (next + 1) | 0;
  const point = next;
  let fraction = 0;
  digits = view.getInt32(next, true) ^ 0x30303030;
  other = ((digits + 0x76767676) | digits) & 0x80808080;
  if (other === 0) {
    fraction = fourDigits(digits);
    next = (next + 4) | 0;
    digits = view.getInt32(next, true) ^ 0x30303030;
    other = ((digits + 0x76767676) | digits) & 0x80808080;
    if (other === 0) {
      fraction = (fraction * 10000 + fourDigits(digits)) | 0;
      next = (next + 4) | 0;
      digits = view.getInt32(next, true) ^ 0x30303030;
      other = ((digits + 0x76767676) | digits) & 0x80808080;
      if (other === 0) return 0;
    }
  }
  count = (31 - Math.clz32(other & -other)) >> 3;
  next = (next + count) | 0;
  const places = (next - point) | 0;
  byte = (digits >> (8 * count)) & 0xff;
  if (places === 0 || whole + places > 15 || (byte | 0x20) === ((LETTER_E ^ ZERO) | 0x20)) return 0;
  const power = EXACT_POWERS[places]!;
  const result = (value * power + (fraction * WORD_POWERS[count]! + fourDigits((digits << (24 - 8 * count)) << 8))) / power;
  found.places = places;
  found.float[0] = negative ? -result : result;
  return next;
}

function setInteger(found: ShortNumber, value: number, negative: boolean): void {
  if (negative && value === 0) {
    found.places = 0;
    found.float[0] = -0;
  } else found.int[0] = negative ? -value : value;
}

/** The number formed by four digits, the first in the lowest byte. */
function fourDigits(digits: number): number {
  const pairs = (Math.imul(digits, 10) + (digits >>> 8)) | 0;
  return ((pairs & 0xff) * 100 + ((pairs >>> 16) & 0xff)) | 0;
}

/** The range of exponents in which no product or error term below overflows or underflows. */
const LARGEST = 270;
/** 10^e as the sum of two doubles, at `2 * (e + LARGEST)`; filled on first use, 0 before. */
const powers = new Float64Array(2 * (2 * LARGEST + 1));

/**
 * A number as written: (high * 10^lowDigits + low) * 10^exponent, without the sign and the digits after the eighteenth.
 * `scan` replaces the number, so that one object serves all numbers of an input.
 */
export class Decimal {
  /** The number has neither a fraction nor an exponent. */
  integer = false;
  #negative = false;
  #high = 0;
  #highDigits = 0;
  #low = 0;
  #lowDigits = 0;
  #exponent = 0;
  /** Nonzero digits were dropped. */
  #inexact = false;

  /**
   * Scans the number at `start` and returns the position after it; -1 if it does not follow the grammar, or may
   * continue at `to`.
   *
   * number = [ "-" ] ( "0" / "1".."9" *digit ) [ "." 1*digit ] [ ( "e" / "E" ) [ "+" / "-" ] 1*digit ]
   */
  scan(bytes: Uint8Array, start: number, to: number): number {
    const negative = bytes[start] === MINUS;
    const first = negative ? start + 1 : start;
    this.#negative = negative;
    this.#high = 0;
    this.#highDigits = 0;
    this.#low = 0;
    this.#lowDigits = 0;
    this.#exponent = 0;
    this.#inexact = false;
    this.integer = true;

    let at = first < to && bytes[first] === ZERO ? first + 1 : first;
    const whole = at;
    at = this.#digits(bytes, at, to);
    if (at === first || (whole > first && at > whole)) return -1;
    // Digits of the integer part that were not kept.
    const dropped = at - whole - this.#highDigits - this.#lowDigits;
    if (at < to && bytes[at] === POINT) {
      this.integer = false;
      const fraction = at + 1;
      at = fraction;
      if (this.#highDigits === 0) while (at < to && bytes[at] === ZERO) at += 1;
      const kept = this.#highDigits + this.#lowDigits;
      const zeros = at - fraction;
      at = this.#digits(bytes, at, to);
      if (at === fraction) return -1;
      this.#exponent = kept - zeros - this.#highDigits - this.#lowDigits;
    }
    this.#exponent += dropped;
    if (at < to && (bytes[at]! | 0x20) === LETTER_E) {
      this.integer = false;
      at = this.#addExponent(bytes, at + 1, to);
    }
    return at < to ? at : -1;
  }

  /**
   * The double nearest to the number, as `Number(text)` returns it; NaN if only `Number(text)` can tell.
   *
   * Up to 15 digits and a power of ten up to 10^22, both exact in a double, need one rounding (Clinger's fast path).
   * Others are computed as the unevaluated sum of two doubles, accurate to about 2^-103, which rarely leaves the
   * rounding undecided.
   */
  value(): number {
    const power = EXACT_POWERS[this.#lowDigits]!;
    // 10^9 = 2^9 * 5^9, and 5^9 has 21 bits: the product is exact.
    const product = this.#high * power;
    const head = product + this.#low;
    const exponent = this.#exponent;
    let value: number;
    if (this.#highDigits + this.#lowDigits <= 15 && exponent >= -22 && exponent <= 22) {
      value = exponent < 0 ? head / EXACT_POWERS[-exponent]! : head * EXACT_POWERS[exponent]!;
    } else if (head === 0) {
      value = 0;
    } else {
      value = scale(head, this.#low - (head - product), exponent, this.#inexact);
    }
    return this.#negative ? -value : value;
  }

  /** Scans digits and returns the position after the last. */
  #digits(bytes: Uint8Array, start: number, to: number): number {
    let at = start;
    let digit = 0;
    let digits = this.#highDigits;
    if (digits < PART_DIGITS) {
      const limit = Math.min(at + PART_DIGITS - digits, to);
      let part = this.#high;
      digits -= at;
      while (at < limit && (digit = bytes[at]! ^ ZERO) <= 9) {
        part = (part * 10 + digit) | 0;
        at += 1;
      }
      this.#high = part;
      digits += at;
      this.#highDigits = digits;
      if (digits < PART_DIGITS) return at;
    }
    digits = this.#lowDigits;
    if (digits < PART_DIGITS) {
      const limit = Math.min(at + PART_DIGITS - digits, to);
      let part = this.#low;
      digits -= at;
      while (at < limit && (digit = bytes[at]! ^ ZERO) <= 9) {
        part = (part * 10 + digit) | 0;
        at += 1;
      }
      this.#low = part;
      digits += at;
      this.#lowDigits = digits;
      if (digits < PART_DIGITS) return at;
    }
    while (at < to && (digit = bytes[at]! ^ ZERO) <= 9) {
      if (digit > 0) this.#inexact = true;
      at += 1;
    }
    return at;
  }

  /** [+-]digits. Stops early once further digits cannot change the result. */
  #addExponent(bytes: Uint8Array, start: number, to: number): number {
    let at = start;
    const negative = at < to && bytes[at] === MINUS;
    if (negative || (at < to && bytes[at] === PLUS)) at += 1;
    const first = at;
    let exponent = 0;
    let digit = 0;
    while (at < to && (digit = bytes[at]! ^ ZERO) <= 9) {
      if (exponent < 1e9) exponent = exponent * 10 + digit;
      at += 1;
    }
    this.#exponent += negative ? -exponent : exponent;
    return at > first ? at : to;
  }
}

/**
 * The double nearest to whole.fraction|rest, where `fraction` has nine digits, `rest` has `digits` (up to nine) and
 * `whole` up to six. NaN if only `Number(text)` can tell.
 */
export function composeDecimal(whole: number, fraction: number, rest: number, digits: number): number {
  const power = EXACT_POWERS[digits]!;
  const high = whole * 1e9 + fraction;
  const product = high * power;
  const tail = productError(high, power, product) + rest;
  const head = product + tail;
  return scale(head, tail - (head - product), -PART_DIGITS - digits, false);
}

/** (head + tail) * 10^exponent, rounded once; NaN if the pair does not decide the rounding. */
function scale(head: number, tail: number, exponent: number, inexact: boolean): number {
  if (exponent < -LARGEST || exponent > LARGEST) return NaN;
  const slot = 2 * (exponent + LARGEST);
  if (powers[slot] === 0) fillPower(exponent);
  const powerHead = powers[slot]!;
  const powerTail = powers[slot + 1]!;

  const product = head * powerHead;
  const rest = productError(head, powerHead, product) + (head * powerTail + tail * powerHead);
  // Error bound: the digits dropped after the eighteenth, or else 2^-100.
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

/** Computes 10^exponent to 106 bits: the nearest double, and the double nearest to the remainder. */
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
