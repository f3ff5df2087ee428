/** Scales by exponent of a 32-bit float: the power of ten that moves its last significant decimal digit to the ones. */
const SCALES = Float64Array.from({ length: 256 }, (_, exponent) => Number(`1e${Math.floor(45.15 - exponent * 0.30103)}`));

/**
 * The decimal number of about seven digits that a 32-bit float stands for, rounded as msgpackr and cbor-x do. Zeros and
 * non-finite numbers are returned unchanged. `high` is the float's first 16 bits.
 */
export function roundFloat32(value: number, high: number): number {
  const exponent = (high >> 7) & 0xff;
  if (exponent === 0xff || value === 0) return value;
  const scale = SCALES[exponent]!;
  return Math.trunc(scale * value + (value > 0 ? 0.5 : -0.5)) / scale;
}

/**
 * True if rounding a number to a 32-bit float and back with `roundFloat32` gives the same number. `high` is the float's
 * first 16 bits.
 */
export function fitsFloat32(value: number, high: number): boolean {
  const shifted = value * SCALES[(high >> 7) & 0xff]!;
  return (shifted | 0) === shifted && roundFloat32(Math.fround(value), high) === value;
}

/** The big-endian 32-bit float at `at`; with `decimal`, the decimal number that it stands for. */
export function readFloat32(view: DataView, at: number, decimal: boolean): number {
  const value = view.getFloat32(at);
  return decimal ? roundFloat32(value, view.getUint16(at)) : value;
}

/**
 * The number that a half-precision float stands for (IEEE 754 binary16):
 *
 *     1 bit sign, 5 bits exponent, 10 bits fraction
 */
export function readFloat16(bits: number): number {
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  let value: number;
  if (exponent === 0) value = fraction * 2 ** -24;
  else if (exponent === 31) value = fraction === 0 ? Infinity : NaN;
  else value = (1024 + fraction) * 2 ** (exponent - 25);
  return bits < 0x8000 || Number.isNaN(value) ? value : -value;
}

const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Bytes of the longest integer: engines need quadratic time to format one as decimal digits. */
export const MAX_INTEGER_LENGTH = 4_096;

/** The big-endian unsigned integer in `from..end`. */
export function readBigInteger(bytes: Uint8Array, from: number, end: number): bigint {
  let hex = '0x0';
  for (let at = from; at < end; at += 1) hex += DIGITS[bytes[at]!]!;
  return BigInt(hex);
}
