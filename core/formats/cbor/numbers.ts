import { readBigInteger } from '../../bytes/numbers.ts';
import type { Int64Mode } from '../../reading/int64.ts';

/**
 * The integer whose 8-byte argument is at `at`: the argument (major type 0) or −1 minus it (major type 1). `auto`
 * yields a number within ±(2⁵³ − 1), and a bigint beyond.
 */
export function readInt64(view: DataView, at: number, negative: boolean, mode: Int64Mode): number | bigint | string {
  const high = view.getUint32(at);
  if (mode === 'auto' || mode === 'number') {
    const near = high * 0x1_0000_0000 + view.getUint32(at + 4);
    const value = negative ? -1 - near : near;
    // Beyond, −1 − `near` would be rounded twice.
    if (Number.isSafeInteger(value) || (mode === 'number' && !negative)) return value;
  }
  const argument = view.getBigUint64(at);
  return convertBigInt(negative ? -1n - argument : argument, mode);
}

/** Converts a bigint as `mode` says; `auto` keeps it. */
export function convertBigInt(value: bigint, mode: Int64Mode): number | bigint | string {
  if (mode === 'number') return Number(value);
  return mode === 'string' ? value.toString() : value;
}

/** Reads a bignum's byte string, most significant byte first (RFC 8949 section 3.4.3). */
export function readBignum(bytes: Uint8Array, from: number, end: number, negative: boolean): bigint {
  const value = readBigInteger(bytes, from, end);
  return negative ? -1n - value : value;
}

/** The number nearest to `mantissa` × 10 to the power of `exponent` (a decimal fraction, RFC 8949 section 3.4.4). */
export function decimalFraction(exponent: number | bigint, mantissa: number | bigint): number {
  // Larger and smaller exponents overflow or underflow with any mantissa.
  const power = Math.min(Math.max(Number(exponent), -1e6), 1e6);
  return Number(`${mantissa}e${power}`) + 0;
}

/** Bits of a mantissa that can affect the rounding of a number, with a margin. */
const DECISIVE = 128;

/** The number nearest to `mantissa` × 2 to the power of `exponent` (a bigfloat, RFC 8949 section 3.4.4). */
export function bigFloat(exponent: number | bigint, mantissa: number | bigint): number {
  let digits = BigInt(mantissa);
  if (digits === 0n) return 0;
  const sign = digits < 0n ? -1 : 1;
  if (digits < 0n) digits = -digits;
  const bits = digits.toString(16).length * 4;
  let power = Number(exponent);
  if (bits > DECISIVE) {
    // It only matters whether any of the bits cut off is set.
    const cut = BigInt(bits - DECISIVE);
    const top = digits >> cut;
    digits = top << cut === digits ? top : top | 1n;
    power += bits - DECISIVE;
  }
  if (power > 1024) return sign * Infinity;
  if (power < -1075 - DECISIVE) return sign < 0 ? -0 : 0;
  if (power >= 0) return sign * Number(digits << BigInt(power));
  // n × 2^−k = n × 5^k × 10^−k, a decimal number without loss, which is then rounded.
  return sign * Number(`${digits * 5n ** BigInt(-power)}e${power}`);
}

/**
 * Converts a number of seconds or days to the nearest millisecond, so that every Date written as such a number is
 * restored. NaN beyond the range of a Date, 100,000,000 days either side of 1970.
 */
export function readTime(value: number, unit: number): number {
  const whole = Math.floor(value);
  const milliseconds = whole * unit + Math.round((value - whole) * unit);
  return Math.abs(milliseconds) <= 8.64e15 ? milliseconds + 0 : NaN;
}
