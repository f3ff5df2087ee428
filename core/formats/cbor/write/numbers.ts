import { writeBytes } from '../../../writing/binary-values.ts';
import { out, room, soft, view } from '../../../bytes/output.ts';
import { fitsFloat32 } from '../../../bytes/numbers.ts';
import { BYTES, head, NEGATIVE, TAG, UNSIGNED } from './heads.ts';

const TWO_32 = 2 ** 32;
const TWO_64 = 2n ** 64n;

/** Floats that are written with fewer than 64 bits: see `CborWriteOptions.float32`. */
export type FloatMode = 'shortest' | 'never' | 'exact' | 'decimal' | 'always';

/** Settings for numbers. */
export interface NumberSetting {
  readonly floats: FloatMode;
  /** Writes integers past 32 bits as floats. */
  readonly floatsForInt64: boolean;
}

/** Writes a number: as an integer if it is a safe integer other than −0. Returns the position after it. */
export function writeNumber(value: number, setting: NumberSetting, at: number): number {
  const integer = value | 0;
  if (integer === value) {
    if (integer >= 0) {
      if (integer < 24) {
        if (integer === 0 && Object.is(value, -0)) return writeFloat(value, setting.floats, at);
        out[at] = integer;
        return at + 1;
      }
      return head(UNSIGNED, integer, at);
    }
    return head(NEGATIVE, ~integer, at);
  }
  if (!Number.isSafeInteger(value)) {
    // Most floats need all of their bits.
    return setting.floats === 'shortest' && Math.fround(value) !== value && !Number.isNaN(value)
      ? writeDouble(value, at)
      : writeFloat(value, setting.floats, at);
  }
  if (setting.floatsForInt64 && (value >= TWO_32 || value < -TWO_32)) return writeFloat(value, setting.floats, at);
  return value < 0 ? head(NEGATIVE, -1 - value, at) : head(UNSIGNED, value, at);
}

/**
 * Writes the seconds of a Date. Integers past 32 bits are written as floats like in cbor-x, which reads no Dates with
 * 64-bit integers; RFC 8949 section 3.4.2 allows either. A deterministic encoding uses the shortest float.
 */
export function writeSeconds(seconds: number, setting: NumberSetting, isDeterministic: boolean, at: number): number {
  const isLong = Number.isInteger(seconds) && (seconds >= TWO_32 || seconds < -TWO_32);
  if (!isLong) return writeNumber(seconds, setting, at);
  return isDeterministic ? writeFloat(seconds, setting.floats, at) : writeDouble(seconds, at);
}

/** Writes a number as a float. Returns the position after it. */
export function writeFloat(value: number, mode: FloatMode, at: number): number {
  if (mode === 'never') return writeDouble(value, at);
  if (mode === 'shortest' || mode === 'exact') {
    if (!Object.is(Math.fround(value), value)) return writeDouble(value, at);
    return mode === 'exact' ? writeSingle(value, at) : writeShort(value, at);
  }
  if (!(value < TWO_32 && value >= -(2 ** 31)) || Number.isInteger(value)) return writeDouble(value, at);
  const end = writeSingle(value, at);
  return mode === 'decimal' && !fitsFloat32(value, view.getUint16(at + 1)) ? writeDouble(value, at) : end;
}

function writeDouble(value: number, at: number): number {
  out[at] = 0xfb;
  view.setFloat64(at + 1, value);
  return at + 9;
}

function writeSingle(value: number, at: number): number {
  out[at] = 0xfa;
  view.setFloat32(at + 1, value);
  return at + 5;
}

/** Writes a float that fits 32 bits, in 16 bits if possible: 1 bit sign, 5 bits exponent, 10 bits fraction. */
function writeShort(value: number, at: number): number {
  if (Number.isNaN(value)) return writeHalf(0x7e00, at);
  const end = writeSingle(value, at);
  const bits = view.getUint32(at + 1);
  const sign = (bits >>> 16) & 0x8000;
  const exponent = (bits >>> 23) & 0xff;
  const fraction = bits & 0x7f_ffff;
  if (exponent === 0) return fraction === 0 ? writeHalf(sign, at) : end;
  if (exponent === 0xff) return writeHalf(sign | 0x7c00, at);
  if (exponent > 142 || exponent < 103) return end;
  if (exponent >= 113) return (fraction & 0x1fff) === 0 ? writeHalf(sign | ((exponent - 112) << 10) | (fraction >> 13), at) : end;
  // Below 2^−14, the fraction has no implicit leading one, and fewer bits.
  const lost = 126 - exponent;
  const whole = fraction | 0x80_0000;
  return (whole & ((1 << lost) - 1)) === 0 ? writeHalf(sign | (whole >> lost), at) : end;
}

function writeHalf(bits: number, at: number): number {
  out[at] = 0xf9;
  view.setUint16(at + 1, bits);
  return at + 3;
}

/** Writes a bigint: as an integer if it fits 64 bits, otherwise as a bignum (RFC 8949 section 3.4.3). */
export function writeBigint(value: bigint, at: number): number {
  const argument = value < 0n ? -1n - value : value;
  if (argument < TWO_64) {
    const major = value < 0n ? NEGATIVE : UNSIGNED;
    if (argument <= Number.MAX_SAFE_INTEGER) return head(major, Number(argument), at);
    out[at] = major | 27;
    view.setBigUint64(at + 1, argument);
    return at + 9;
  }
  let digits = argument.toString(16);
  if (digits.length % 2 !== 0) digits = `0${digits}`;
  const bytes = Uint8Array.from({ length: digits.length / 2 }, (_, index) => Number.parseInt(digits.slice(index * 2, index * 2 + 2), 16));
  if (at > soft) at = room(at, 0);
  out[at] = TAG | (value < 0n ? 3 : 2);
  return writeBytes(bytes, head(BYTES, bytes.length, at + 1));
}

/** True if CBOR represents a bigint as an integer of up to 64 bits. */
export function isInt64(value: bigint): boolean {
  return value < TWO_64 && value >= -TWO_64;
}
