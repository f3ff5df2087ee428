import { bytesOf, writeBytes } from '../../../writing/binary-values.ts';
import { out, view } from '../../../bytes/output.ts';
import { writeSizedText } from '../../../bytes/text/sized-text.ts';
import { writeVarint, writeVarint64, writeZigZag } from '../../../bytes/varint.ts';
import { EncodeError, outOfRange } from '../../../errors.ts';
import { kindOf } from '../../../writing/writer.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  ENUM,
  FIXED32,
  FIXED64,
  FLOAT,
  INT32,
  INT64,
  SFIXED32,
  SFIXED64,
  SINT32,
  SINT64,
  STRING,
  TYPE_NAMES,
  UINT32,
  UINT64,
} from '../schema/schema.ts';
import type { EnumNode } from './plan.ts';

const TWO_32 = 0x1_0000_0000;
const TWO_63 = 2 ** 63;
const TWO_64 = 2 ** 64;

/** Types whose map keys are bigints. */
const LONG_TYPES = new Set([INT64, UINT64, SINT64, FIXED64, SFIXED64]);

/** Writes a scalar without its tag. Strings and bytes make room themselves and leave the output's slack free. */
export function writeScalar(type: number, value: unknown, enumType: EnumNode | undefined, at: number): number {
  switch (type) {
    case STRING:
      return writeText(value, at);
    case DOUBLE:
      if (typeof value !== 'number') throw wrongType(type, value);
      view.setFloat64(at, value, true);
      return at + 8;
    case INT64:
    case UINT64:
      return writeInt64(type, value, at);
    case INT32:
      return writeInt32(checkInt32(type, value), at);
    case UINT32:
      return writeVarint(checkUint32(type, value), at);
    case BOOL:
      if (typeof value !== 'boolean') throw wrongType(type, value);
      out[at] = value ? 1 : 0;
      return at + 1;
    case ENUM:
      return writeInt32(numberOf(enumType!, value), at);
    case SINT32:
      return writeZigZag(checkInt32(type, value), at);
    case FLOAT:
      if (typeof value !== 'number') throw wrongType(type, value);
      if (Math.abs(Math.fround(value)) === Infinity && Math.abs(value) !== Infinity) throw outOfRange(value, TYPE_NAMES[type]!);
      view.setFloat32(at, value, true);
      return at + 4;
    case BYTES: {
      const bytes = bytesOf(value);
      if (bytes === undefined) throw wrongType(type, value);
      return writeBytes(bytes, writeVarint(bytes.length, at));
    }
    case FIXED32:
      view.setUint32(at, checkUint32(type, value), true);
      return at + 4;
    case SFIXED32:
      view.setInt32(at, checkInt32(type, value), true);
      return at + 4;
    default:
      return writeInt64(type, value, at);
  }
}

/** True if a value is zero or empty, so a field without presence omits it. False for −0. */
export function isZero(type: number, value: unknown, enumType: EnumNode | undefined): boolean {
  switch (typeof value) {
    case 'number':
      return value === 0 && ((type !== DOUBLE && type !== FLOAT) || !Object.is(value, -0));
    case 'string':
      if (type === STRING) return value.length === 0;
      return type === ENUM ? enumType!.byName.get(value) === 0 : value === '0';
    case 'boolean':
      return !value && type === BOOL;
    case 'bigint':
      return value === 0n;
    default:
      return type === BYTES ? bytesOf(value)?.length === 0 : value === null && type === ENUM && enumType!.isNull;
  }
}

/** Converts an object's key to the key type of a map in the schema. */
export function mapKeyOf(type: number, key: string): string | number | bigint | boolean {
  if (type === STRING) return key;
  if (type === BOOL) {
    if (key !== 'true' && key !== 'false') throw new EncodeError('type', 'a key that is neither true nor false');
    return key === 'true';
  }
  if (!/^-?\d{1,20}$/.test(key)) throw new EncodeError('type', 'a key that is not an integer');
  return LONG_TYPES.has(type) ? BigInt(key) : Number(key);
}

function writeText(value: unknown, at: number): number {
  if (typeof value !== 'string') throw wrongType(STRING, value);
  const end = writeSizedText(value, at, 0);
  if (end < 0) throw new EncodeError('text', 'the string has a lone surrogate');
  return end;
}

/** Writes a 32-bit integer; a negative one takes ten bytes, like a 64-bit integer. */
function writeInt32(value: number, at: number): number {
  return value >= 0 ? writeVarint(value, at) : writeVarint64(value, 0xffff_ffff, at);
}

function writeInt64(type: number, value: unknown, at: number): number {
  if (typeof value === 'number') {
    if (!Number.isInteger(value)) throw outOfRange(value, TYPE_NAMES[type]!);
    const isSigned = type !== UINT64 && type !== FIXED64;
    if (value >= (isSigned ? TWO_63 : TWO_64) || value < (isSigned ? -TWO_63 : 0)) throw outOfRange(value, TYPE_NAMES[type]!);
    if (type === SINT64) return writeZigZag(value, at);
    return write64(type, value >>> 0, Math.floor(value / TWO_32) >>> 0, at);
  }
  const big = checkInt64(type, value);
  const bits = BigInt.asUintN(64, type === SINT64 ? (big << 1n) ^ (big >> 63n) : big);
  return write64(type, Number(bits & 0xffff_ffffn), Number(bits >> 32n), at);
}

/** A 64-bit integer that is given as a number, a bigint or text. */
export function checkInt64(type: number, value: unknown): bigint {
  if (typeof value === 'number' && !Number.isInteger(value)) throw outOfRange(value, TYPE_NAMES[type]!);
  const isText = typeof value === 'string' && /^-?\d{1,20}$/.test(value);
  if (typeof value !== 'bigint' && typeof value !== 'number' && !isText) throw wrongType(type, value);
  const big = BigInt(value);
  const isSigned = type !== UINT64 && type !== FIXED64;
  if (big !== (isSigned ? BigInt.asIntN(64, big) : BigInt.asUintN(64, big))) throw outOfRange(big, TYPE_NAMES[type]!);
  return big;
}

function write64(type: number, low: number, high: number, at: number): number {
  if (type !== FIXED64 && type !== SFIXED64) return writeVarint64(low, high, at);
  view.setUint32(at, low, true);
  view.setUint32(at + 4, high, true);
  return at + 8;
}

export function checkInt32(type: number, value: unknown): number {
  if (typeof value !== 'number') throw wrongType(type, value);
  if ((value | 0) !== value) throw outOfRange(value, TYPE_NAMES[type]!);
  return value;
}

export function checkUint32(type: number, value: unknown): number {
  if (typeof value !== 'number') throw wrongType(type, value);
  if (value >>> 0 !== value) throw outOfRange(value, TYPE_NAMES[type]!);
  return value;
}

/** Number of an enum's value, which is given as a number or a name. */
export function numberOf(type: EnumNode, value: unknown): number {
  if (typeof value === 'string') {
    const number = type.byName.get(value);
    if (number === undefined) throw new EncodeError('range', `${JSON.stringify(value)} is not a value of ${type.name}`);
    return number;
  }
  if (value === null && type.isNull) return 0;
  if (typeof value !== 'number') throw new EncodeError('type', `${kindOf(value)} where a value of ${type.name} is expected`);
  if ((value | 0) !== value || (type.closed !== undefined && !type.closed.has(value)))
    throw new EncodeError('range', `${value} is not a value of ${type.name}`);
  return value;
}

export function wrongType(type: number, value: unknown): EncodeError {
  return new EncodeError('type', `${kindOf(value)} where ${TYPE_NAMES[type]} is expected`);
}
