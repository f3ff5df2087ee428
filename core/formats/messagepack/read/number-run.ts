import { roundFloat32 } from '../../../bytes/numbers.ts';
import { numberRun, NUMBERS } from '../../../reading/sink-methods.ts';

/**
 * Reads the 32-bit float at `at`; with `decimal`, the decimal number it stands for, with −0 read as 0, as msgpackr does.
 */
export function readFloat32(view: DataView, at: number, decimal: boolean): number {
  const value = view.getFloat32(at);
  return decimal ? roundFloat32(value, view.getUint16(at)) + 0 : value;
}

/**
 * Reads up to `most` consecutive numbers from `from` into `NUMBERS`. Returns how many, and sets `numberRun`. Stops at
 * 64-bit integers and ids of `records`, and at 32-bit floats if these are `rounded`.
 */
export function readNumberRun(
  bytes: Uint8Array,
  view: DataView,
  from: number,
  to: number,
  most: number,
  rounded: boolean,
  records: ArrayLike<number>,
): number {
  const room = Math.min(most, NUMBERS.length);
  let at = from | 0;
  let count = 0;
  let floats = 0;
  for (; count < room && at < to; count += 1) {
    const token = bytes[at]!;
    let next = at + 1;
    let value: number;
    if (token === 0xcb) {
      next += 8;
      if (next > to) break;
      value = view.getFloat64(at + 1);
      floats = 1;
    } else if (token < 0x80) {
      if (token >= 0x40 && records[token - 0x40] !== 0) break;
      value = token;
    } else if (token >= 0xe0) {
      value = token - 0x100;
    } else {
      next += SIZES[token & 31]!;
      if (token < 0xca || token > 0xd2 || SIZES[token & 31] === 0 || next > to || (token === 0xca && rounded)) break;
      value = other(view, token, at + 1);
      if (token === 0xca) floats = 1;
    }
    NUMBERS[count] = value;
    at = next;
  }
  numberRun.end = at;
  numberRun.integers = floats === 0;
  return count;
}

/** True if a run may begin with the token. */
export function beginsRun(token: number): boolean {
  return token < 0x80 || token >= 0xe0 || (token >= 0xca && token <= 0xd2);
}

/** Bytes after a token from 0xc0 that `other` reads. */
const SIZES = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 1, 2, 4, 0, 1, 2, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];

function other(view: DataView, token: number, at: number): number {
  switch (token) {
    case 0xca: // float 32
      return view.getFloat32(at);
    case 0xcc: // uint 8
      return view.getUint8(at);
    case 0xcd: // uint 16
      return view.getUint16(at);
    case 0xce: // uint 32
      return view.getUint32(at);
    case 0xd0: // int 8
      return view.getInt8(at);
    case 0xd1: // int 16
      return view.getInt16(at);
    default: // int 32
      return view.getInt32(at);
  }
}
