import { out, view } from '../../../bytes/output.ts';
import { fitsFloat32 } from '../../../bytes/numbers.ts';

const TWO_32 = 2 ** 32;

/** Settings for numbers. */
export interface NumberSetting {
  /** See `MessagePackWriteOptions.float32`; undefined means `never`. */
  readonly float32: 'exact' | 'decimal' | 'always' | undefined;
  /** Writes integers past 32 bits as floats. */
  readonly floatsForInt64: boolean;
  /** The largest positive fixint; greater ones may be ids of records. */
  readonly lastFixint: number;
}

/** Writes a number as the shortest integer that holds it, or as a float. Returns the position after it. */
export function writeNumber(value: number, setting: NumberSetting, at: number): number {
  const integer = value | 0;
  const target = view;
  if (integer === value) {
    if (integer >= 0) {
      if (integer <= setting.lastFixint) {
        if (integer === 0 && Object.is(value, -0)) return writeDouble(value, at);
        out[at] = integer;
        return at + 1;
      }
      if (integer < 0x100) {
        target.setUint16(at, 0xcc00 | integer);
        return at + 2;
      }
      if (integer < 0x1_0000) {
        out[at] = 0xcd;
        target.setUint16(at + 1, integer);
        return at + 3;
      }
      out[at] = 0xce;
      target.setUint32(at + 1, integer);
      return at + 5;
    }
    if (integer >= -0x20) {
      out[at] = integer;
      return at + 1;
    }
    if (integer >= -0x80) {
      out[at] = 0xd0;
      out[at + 1] = integer;
      return at + 2;
    }
    if (integer >= -0x8000) {
      out[at] = 0xd1;
      target.setInt16(at + 1, integer);
      return at + 3;
    }
    out[at] = 0xd2;
    target.setInt32(at + 1, integer);
    return at + 5;
  }
  if (!Number.isSafeInteger(value)) return setting.float32 === undefined ? writeDouble(value, at) : writeFloat(value, setting.float32, at);
  if (value > 0 && value < TWO_32) {
    out[at] = 0xce;
    target.setUint32(at + 1, value);
    return at + 5;
  }
  if (setting.floatsForInt64) return writeDouble(value, at);
  const high = Math.floor(value / TWO_32);
  out[at] = value < 0 ? 0xd3 : 0xcf;
  target.setInt32(at + 1, high);
  target.setUint32(at + 5, value - high * TWO_32);
  return at + 9;
}

/** Writes a float 64. Returns the position after it. */
export function writeDouble(value: number, at: number): number {
  out[at] = 0xcb;
  view.setFloat64(at + 1, value);
  return at + 9;
}

/** Writes a number as float 32 or float 64, depending on `mode`: see `MessagePackWriteOptions.float32`. */
export function writeFloat(value: number, mode: 'exact' | 'decimal' | 'always', at: number): number {
  if (mode === 'exact') {
    if (!Object.is(Math.fround(value), value)) return writeDouble(value, at);
  } else if (!(value < TWO_32 && value >= -(2 ** 31)) || Number.isInteger(value)) return writeDouble(value, at);
  out[at] = 0xca;
  view.setFloat32(at + 1, value);
  if (mode === 'decimal' && !fitsFloat32(value, view.getUint16(at + 1))) return writeDouble(value, at);
  return at + 5;
}
