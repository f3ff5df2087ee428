import { MAX_POWER, MIN_POWER } from "./layout";

const HIGH: u64 = 0x8080808080808080;

/** The powers of ten of `layout.ts`, which the driver fills in on demand. */
export const powers: usize = memory.data(16 * 639, 16);
let filled = false;

export function powersAreFilled(): void {
  filled = true;
}

/** Results of `readNumber`: the value, whether it was written without point and exponent, and its signed digits. */
export let value: f64 = 0;
export let integer = false;
export let signedDigits: i64 = 0;
/** True if the last number needs the powers, which are not filled in yet. */
export let wantsPowers = false;

const DOUBLES = memory.data<f64>([1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22]);
const INTEGERS = memory.data<u64>([1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000]);

/** The number of eight decimal digits, one per byte, the first in the lowest. */
@inline function eightDigits(digits: u64): u64 {
  digits = digits * 10 + (digits >> 8);
  return ((digits & 0x000000ff000000ff) * 0x000f424000000064 + ((digits >> 16) & 0x000000ff000000ff) * 0x0000271000000001) >> 32;
}

/** Number of leading bytes, from the lowest, that are from 0 to 9. */
@inline function countDigits(bytes: u64): i32 {
  return <i32>(ctz<u64>(((bytes + 0x7676767676767676) | bytes) & HIGH) >> 3);
}

/** Position of the first byte from `at` on that is not a digit. */
export function skipDigits(at: usize): usize {
  let count = countDigits(load<u64>(at) ^ 0x3030303030303030);
  for (; count == 8; count = countDigits(load<u64>(at) ^ 0x3030303030303030)) at += 8;
  return at + count;
}

@inline function digitAt(at: usize): u32 {
  return load<u8>(at) ^ 0x30;
}

let low: u64 = 0;

/** The high half of a 64 × 64-bit product; sets `low` to the low half. */
@inline function multiply(a: u64, b: u64): u64 {
  const aLow = a & 0xffffffff;
  const aHigh = a >> 32;
  const bLow = b & 0xffffffff;
  const bHigh = b >> 32;
  const lows = aLow * bLow;
  const cross = aLow * bHigh;
  const other = aHigh * bLow;
  const middle = (lows >> 32) + (cross & 0xffffffff) + (other & 0xffffffff);
  low = (middle << 32) | (lows & 0xffffffff);
  return aHigh * bHigh + (cross >> 32) + (other >> 32) + (middle >> 32);
}

/**
 * Sets `value` to the double nearest to `digits` × 10^`power`, after Eisel and Lemire. Returns false if it is
 * subnormal, infinite or uncertain.
 */
function nearest(digits: u64, power: i32): bool {
  if (digits == 0) {
    value = 0;
    return true;
  }
  if (power < MIN_POWER || power > MAX_POWER) return false;
  if (!filled) {
    wantsPowers = true;
    return false;
  }
  const zeros = <i32>clz<u64>(digits);
  digits <<= zeros;
  const at = powers + 16 * (power - MIN_POWER);
  let high = multiply(digits, load<u64>(at));
  let rest = low;
  if ((high & 0x1ff) == 0x1ff) {
    const more = multiply(digits, load<u64>(at, 8));
    rest += more;
    if (more > rest) high++;
  }
  const up = <i32>(high >> 63);
  let mantissa = high >> (up + 9);
  let exponent = ((217706 * power) >> 16) + 63 + up - zeros + 1023;
  if (exponent <= 0 || exponent >= 0x7fe) return false;
  // A tie between two doubles is rounded to the even one.
  if (rest <= 1 && power >= -4 && power <= 23 && (mantissa & 3) == 1 && mantissa << (up + 9) == high) mantissa &= ~(<u64>1);
  mantissa += mantissa & 1;
  mantissa >>= 1;
  if (mantissa >= (<u64>2 << 52)) {
    mantissa = <u64>1 << 52;
    exponent++;
  }
  value = reinterpret<f64>((mantissa & ~(<u64>1 << 52)) | (<u64>exponent << 52));
  return true;
}

/** Number of zeros at the start of a number, on both sides of the point. */
function leadingZeros(at: usize): i32 {
  let zeros = 0;
  for (; load<u8>(at) == 0x30 || load<u8>(at) == 0x2e; at++) if (load<u8>(at) == 0x30) zeros++;
  return zeros;
}

/** Reads a JSON number. Returns the position after it, or 0 if it is invalid or the reader must read it. */
export function readNumber(from: usize): usize {
  let at = from;
  wantsPowers = false;
  const negative = load<u8>(at) == 0x2d;
  at += <usize>negative;
  const first = at;
  let bytes = load<u64>(at) ^ 0x3030303030303030;
  let count = countDigits(bytes);
  if (count == 0 || ((bytes & 0xff) == 0 && count > 1)) return 0;
  let digits = eightDigits(bytes << (64 - 8 * count));
  let places = count;
  let power = 0;
  at += count;
  if (count == 8) {
    for (let digit = digitAt(at); digit <= 9; digit = digitAt(++at)) {
      digits = digits * 10 + digit;
      if (++places > 19) return 0;
    }
  }
  integer = true;
  if (load<u8>(at) == 0x2e) {
    integer = false;
    const point = ++at;
    bytes = load<u64>(at) ^ 0x3030303030303030;
    count = countDigits(bytes);
    if (count == 0) return 0;
    digits = digits * load<u64>(INTEGERS + 8 * count) + eightDigits(bytes << (64 - 8 * count));
    at += count;
    if (count == 8) for (let digit = digitAt(at); digit <= 9; digit = digitAt(++at)) digits = digits * 10 + digit;
    power = -<i32>(at - point);
    places -= power;
    if (places > 19 && places - leadingZeros(first) > 19) return 0;
  }
  if ((load<u8>(at) | 0x20) == 0x65) {
    integer = false;
    const sign = load<u8>(++at);
    if (sign == 0x2d || sign == 0x2b) at++;
    const start = at;
    let exponent = 0;
    for (let digit = digitAt(at); digit <= 9; digit = digitAt(++at)) {
      if (at - start > 4) return 0;
      exponent = exponent * 10 + digit;
    }
    if (at == start) return 0;
    power += sign == 0x2d ? -exponent : exponent;
  }
  signedDigits = negative ? -<i64>digits : <i64>digits;
  // Both operands are exact, so the result is rounded once.
  if (digits <= <u64>1 << 53 && power >= -22 && power <= 22) {
    value = power < 0 ? <f64><i64>digits / load<f64>(DOUBLES + 8 * -power) : <f64><i64>digits * load<f64>(DOUBLES + 8 * power);
  } else if (!nearest(digits, power)) return 0;
  if (negative) value = -value;
  return at;
}
