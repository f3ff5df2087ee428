import { EncodeError, outOfRange } from '../errors.ts';
import { view } from './output.ts';

// Kinds of fixed-size scalars, little-endian.
export const INT8 = 1;
export const UINT8 = 2;
export const INT16 = 3;
export const UINT16 = 4;
export const INT32 = 5;
export const UINT32 = 6;
export const INT64 = 7;
export const UINT64 = 8;
export const FLOAT32 = 9;
export const FLOAT64 = 10;
export const BOOL = 11;

const TWO_32 = 0x1_0000_0000;
const NAMES = ['', 'int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'int64', 'uint64', 'float32', 'float64', 'a boolean'];

/**
 * Writes a scalar at a position. 64-bit integers may be numbers, bigints or decimal text. Throws an EncodeError if the
 * value has another type or is out of range.
 */
export function writeFixed(kind: number, value: unknown, at: number): void {
  writeFixedIn(view, kind, value, at);
}

/** Writes a scalar into any chunk, current or not. */
export function writeFixedIn(target: DataView, kind: number, value: unknown, at: number): void {
  if (kind === INT64 || kind === UINT64) {
    write64(target, kind, value, at);
    return;
  }
  if (kind === BOOL) {
    if (typeof value !== 'boolean') throw wrongType(kind, value);
    target.setUint8(at, value ? 1 : 0);
    return;
  }
  if (typeof value !== 'number') throw wrongType(kind, value);
  switch (kind) {
    case FLOAT64:
      target.setFloat64(at, value, true);
      return;
    case FLOAT32:
      if (Math.abs(Math.fround(value)) === Infinity && Math.abs(value) !== Infinity) throw outOfRange(value, NAMES[kind]!);
      target.setFloat32(at, value, true);
      return;
    case INT32:
      if ((value | 0) !== value) throw outOfRange(value, NAMES[kind]!);
      target.setInt32(at, value, true);
      return;
    case UINT32:
      if (value >>> 0 !== value) throw outOfRange(value, NAMES[kind]!);
      target.setUint32(at, value, true);
      return;
    case INT16:
      if ((value << 16) >> 16 !== value) throw outOfRange(value, NAMES[kind]!);
      target.setInt16(at, value, true);
      return;
    case UINT16:
      if ((value & 0xffff) !== value) throw outOfRange(value, NAMES[kind]!);
      target.setUint16(at, value, true);
      return;
    case INT8:
      if ((value << 24) >> 24 !== value) throw outOfRange(value, NAMES[kind]!);
      target.setUint8(at, value);
      return;
    case UINT8:
      if ((value & 0xff) !== value) throw outOfRange(value, NAMES[kind]!);
      target.setUint8(at, value);
      return;
    default:
      throw new TypeError(`unknown scalar ${kind}`);
  }
}

function write64(target: DataView, kind: number, value: unknown, at: number): void {
  if (typeof value === 'number') {
    const least = kind === INT64 ? -(2 ** 63) : 0;
    if (!Number.isInteger(value) || value < least || value >= least + 2 ** 64) throw outOfRange(value, NAMES[kind]!);
    target.setUint32(at, value >>> 0, true);
    target.setUint32(at + 4, Math.floor(value / TWO_32) >>> 0, true);
    return;
  }
  const big = typeof value === 'bigint' ? value : typeof value === 'string' && /^-?\d{1,20}$/.test(value) ? BigInt(value) : undefined;
  if (big === undefined) throw wrongType(kind, value);
  if (big !== (kind === INT64 ? BigInt.asIntN(64, big) : BigInt.asUintN(64, big))) throw outOfRange(big, NAMES[kind]!);
  target.setBigUint64(at, BigInt.asUintN(64, big), true);
}

function wrongType(kind: number, value: unknown): EncodeError {
  return new EncodeError('type', `${value === null ? 'null' : `a value of type ${typeof value}`} where ${NAMES[kind]} is expected`);
}
