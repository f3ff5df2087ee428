import { readFloat16 } from '../../bytes/numbers.ts';
import type { Sink } from '../../reading/sink.ts';
import type { SiaOptions } from './options.ts';

/** The little-endian integer in `from..end`. */
export function readInteger(bytes: Uint8Array, from: number, end: number, signed: boolean): bigint {
  let digits = '0x0';
  for (let at = end - 1; at >= from; at -= 1) digits += bytes[at]!.toString(16).padStart(2, '0');
  return signed ? BigInt.asIntN((end - from) * 8, BigInt(digits)) : BigInt(digits);
}

/** Sends an integer of any size as `mode` says. */
export function sendInteger(sink: Sink, value: bigint, mode: SiaOptions['int64'], start: number, next: number): void {
  if (mode === 'bigint') {
    sink.bigint(value, start, next);
  } else if (mode === 'string') {
    sink.text(value.toString(), start, next);
  } else {
    const near = Number(value);
    if (Number.isSafeInteger(near)) sink.integer(near, start, next);
    else if (mode === 'number') sink.float(near, start, next);
    else sink.bigint(value, start, next);
  }
}

/** The IEEE 754 binary number of 2, 4, 8 or 16 bytes at `at`, as the nearest double. */
export function readFloat(view: DataView, at: number, size: number): number {
  switch (size) {
    case 2:
      return readFloat16(view.getUint16(at, true));
    case 4:
      return view.getFloat32(at, true);
    case 8:
      return view.getFloat64(at, true);
    default:
      return readFloat128(view.getBigUint64(at + 8, true), view.getBigUint64(at, true));
  }
}

const FRACTION = 112n;

/** Rounds to nearest, ties to even, once. */
function readFloat128(high: bigint, low: bigint): number {
  const negative = high >> 63n === 1n;
  const exponent = Number((high >> 48n) & 0x7fffn);
  const fraction = ((high & 0xffff_ffff_ffffn) << 64n) | low;
  if (exponent === 0x7fff) return fraction !== 0n ? NaN : negative ? -Infinity : Infinity;
  // Subnormal numbers are far smaller than the smallest double.
  let value = 0;
  if (exponent > 0) {
    const significand = fraction | (1n << FRACTION);
    const scale = exponent - 16383;
    if (scale > 1023) {
      value = Infinity;
    } else if (scale >= -1022) {
      // Number() keeps 53 bits; both parts of the factor are exact.
      value = Number(significand) * 2 ** -112 * 2 ** scale;
    } else {
      // A subnormal double counts units of 2^-1074.
      const shift = BigInt(-1074 - scale) + FRACTION;
      value = Number(halfEven(significand, shift)) * 2 ** -1074;
    }
  }
  return negative ? -value : value;
}

function halfEven(value: bigint, shift: bigint): bigint {
  const whole = value >> shift;
  const rest = value - (whole << shift);
  const half = 1n << (shift - 1n);
  return rest > half || (rest === half && (whole & 1n) === 1n) ? whole + 1n : whole;
}
