import { isDate } from '../../../values/class-of.ts';
import { refuseSurrogate } from '../../../writing/thrown.ts';
import { bytesOf, writeBytes } from '../../../writing/binary-values.ts';
import { out, room, soft, view } from '../../../bytes/output.ts';
import { LONG, SHORT, utf8Length, writeAscii, writePieces, writeUtf8 } from '../../../bytes/text/utf8.ts';
import { EncodeError, outOfRange } from '../../../errors.ts';
import { kindOf } from '../../../writing/writer.ts';
import { BOOL, BYTE, BYTES, DATE, ENUM, FLOAT32, FLOAT64, GUID, INT16, INT32, INT64, STRING, UINT16, UINT32, UINT64 } from '../schema/schema.ts';
import type { WriteNode } from './plan.ts';

const TWO_32 = 0x1_0000_0000;
/** 1970 in milliseconds since the year 1. */
const EPOCH = 62_135_596_800_000;
/** Milliseconds from which ticks of 100 ns have more than 62 bits. */
const LAST_DATE = 2 ** 62 / 10_000;
const GUID_TEXT = /^[\da-f]{8}-?(?:[\da-f]{4}-?){3}[\da-f]{12}$/i;
const DIGITS = /^-?\d{1,20}$/;
/** Output position of each byte of a guid, by its position in the text. */
const GUID_ORDER = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15];
/** Names of the scalar types, for errors. */
const NAMES = [
  '',
  'bool',
  'byte',
  'uint16',
  'int16',
  'uint32',
  'int32',
  'uint64',
  'int64',
  'float32',
  'float64',
  'string',
  'guid',
  'date',
  '',
  '',
  '',
  '',
  '',
  '',
  'byte[]',
];

/**
 * Writes a scalar, an enum's value or an array of bytes. Makes room for text and bytes itself, and leaves most of the
 * slack.
 */
export function writeScalar(node: WriteNode, value: unknown, at: number): number {
  const { kind } = node;
  switch (kind) {
    case STRING:
      return writeString(value, at);
    case FLOAT64:
      if (typeof value !== 'number') throw wrongType(kind, value);
      view.setFloat64(at, value, true);
      return at + 8;
    case DATE:
      return writeDate(value, at);
    case GUID:
      return writeGuid(value, at);
    case BOOL:
      if (typeof value !== 'boolean') throw wrongType(kind, value);
      out[at] = value ? 1 : 0;
      return at + 1;
    case FLOAT32:
      if (typeof value !== 'number') throw wrongType(kind, value);
      if (Math.abs(Math.fround(value)) === Infinity && Math.abs(value) !== Infinity) throw outOfRange(value, NAMES[kind]!);
      view.setFloat32(at, value, true);
      return at + 4;
    case ENUM:
      return writeInteger(node.base, numberOf(node, value), at);
    case BYTES: {
      const bytes = bytesOf(value);
      if (bytes === undefined) throw wrongType(kind, value);
      view.setUint32(at, bytes.length, true);
      return writeBytes(bytes, at + 4);
    }
    default:
      return writeInteger(kind, value, at);
  }
}

function writeInteger(kind: number, value: unknown, at: number): number {
  if (kind === UINT64 || kind === INT64) return writeInt64(kind, value, at);
  if (typeof value !== 'number') throw wrongType(kind, value);
  switch (kind) {
    case BYTE:
      if ((value & 0xff) !== value) throw outOfRange(value, NAMES[kind]!);
      out[at] = value;
      return at + 1;
    case UINT16:
      if ((value & 0xffff) !== value) throw outOfRange(value, NAMES[kind]!);
      view.setUint16(at, value, true);
      return at + 2;
    case INT16:
      if ((value << 16) >> 16 !== value) throw outOfRange(value, NAMES[kind]!);
      view.setInt16(at, value, true);
      return at + 2;
    case UINT32:
      if (value >>> 0 !== value) throw outOfRange(value, NAMES[kind]!);
      view.setUint32(at, value, true);
      return at + 4;
    case INT32:
      if ((value | 0) !== value) throw outOfRange(value, NAMES[kind]!);
      view.setInt32(at, value, true);
      return at + 4;
    default:
      throw new TypeError(`unknown scalar ${kind}`);
  }
}

function writeInt64(kind: number, value: unknown, at: number): number {
  if (typeof value === 'number') {
    const least = kind === INT64 ? -(2 ** 63) : 0;
    if (!Number.isInteger(value) || value < least || value >= least + 2 ** 64) throw outOfRange(value, NAMES[kind]!);
    view.setUint32(at, value >>> 0, true);
    view.setUint32(at + 4, Math.floor(value / TWO_32) >>> 0, true);
    return at + 8;
  }
  const big = typeof value === 'bigint' ? value : typeof value === 'string' && DIGITS.test(value) ? BigInt(value) : undefined;
  if (big === undefined) throw wrongType(kind, value);
  if (big !== (kind === INT64 ? BigInt.asIntN(64, big) : BigInt.asUintN(64, big))) throw outOfRange(big, NAMES[kind]!);
  view.setBigUint64(at, BigInt.asUintN(64, big), true);
  return at + 8;
}

/** Writes UTF-8 after its length in bytes. Makes room itself, and leaves most of the slack. */
export function writeString(value: unknown, at: number): number {
  if (typeof value !== 'string') throw wrongType(STRING, value);
  const { length } = value;
  // Most strings fit in the slack.
  if (length < SHORT && at <= soft) {
    const after = writeAscii(value, at + 4, length);
    if (after >= 0) {
      view.setInt32(at, length, true);
      return after;
    }
  }
  let start = at;
  let end: number;
  if (length > LONG) {
    start = room(at, 4);
    view.setUint32(start, utf8Length(value), true);
    end = writePieces(value, start + 4);
  } else {
    if (at + 3 * length > soft) start = room(at, 3 * length);
    end = writeUtf8(value, start + 4);
    view.setUint32(start, end - start - 4, true);
  }
  if (end < 0) refuseSurrogate();
  return end;
}

/** Writes ticks of 100 ns since the year 1. */
function writeDate(value: unknown, at: number): number {
  if (!isDate(value)) throw wrongType(DATE, value);
  const milliseconds = value.getTime() + EPOCH;
  if (Number.isNaN(milliseconds)) throw new EncodeError('range', 'an invalid Date');
  if (milliseconds < 0 || milliseconds >= LAST_DATE)
    throw new EncodeError('range', 'the Date is out of range: ticks count from the year 1 and have 62 bits');
  const high = Math.floor(milliseconds / TWO_32);
  const low = (milliseconds - high * TWO_32) * 10_000;
  view.setUint32(at, low >>> 0, true);
  view.setUint32(at + 4, high * 10_000 + Math.floor(low / TWO_32), true);
  return at + 8;
}

function writeGuid(value: unknown, at: number): number {
  if (typeof value !== 'string' || !GUID_TEXT.test(value)) throw wrongType(GUID, value);
  const digits = value.length === 32 ? value : value.replaceAll('-', '');
  if (digits.length !== 32) throw wrongType(GUID, value);
  const bytes = out;
  for (let index = 0; index < 16; index += 1) bytes[at + GUID_ORDER[index]!] = Number.parseInt(digits.slice(2 * index, 2 * index + 2), 16);
  return at + 16;
}

/** The number of an enum's value, given as a number, by its name, or for flags by several names separated by spaces. */
function numberOf(node: WriteNode, value: unknown): unknown {
  const { base, name, values, isFlags } = node;
  if (typeof value !== 'string') return value;
  let number = values.get(value);
  if (number === undefined && isFlags) {
    const bits = value.split(' ').map((one) => values.get(one));
    if (!bits.includes(undefined)) number = bits.reduce<bigint>((all, bit) => all | bit!, 0n);
  }
  const isLong = base === UINT64 || base === INT64;
  if (number === undefined && isLong && DIGITS.test(value)) return value;
  if (number === undefined) throw new EncodeError('range', `${JSON.stringify(value)} is not a value of ${name}`);
  return isLong ? number : Number(number);
}

/** Converts the key of an object to the key type of a map. */
export function mapKeyOf({ kind, base }: WriteNode, key: string): unknown {
  switch (kind) {
    case STRING:
    case GUID:
    case UINT64:
    case INT64:
      return key;
    case ENUM:
      return base !== UINT64 && base !== INT64 && DIGITS.test(key) ? Number(key) : key;
    case BOOL:
      return key === 'true' ? true : key === 'false' ? false : key;
    case DATE:
      return new Date(key);
    default:
      return key.trim() === '' ? key : Number(key);
  }
}

function wrongType(kind: number, value: unknown): EncodeError {
  return new EncodeError('type', `${kindOf(value)} where ${NAMES[kind]} is expected`);
}
