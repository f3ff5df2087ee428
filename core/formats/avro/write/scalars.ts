import { view } from '../../../bytes/output.ts';
import { writeSizedText } from '../../../bytes/text/sized-text.ts';
import { writeVarint64, writeZigZag } from '../../../bytes/varint.ts';
import { EncodeError, outOfRange } from '../../../errors.ts';
import { kindOf } from '../../../writing/writer.ts';

const TWO_63 = 2 ** 63;

/** Writes a long: a 64-bit integer, zig-zag coded. */
export function writeLong(value: unknown, at: number): number {
  if (typeof value === 'number') {
    if (!Number.isInteger(value) || value < -TWO_63 || value >= TWO_63) throw outOfRange(value, 'long');
    return writeZigZag(value, at);
  }
  if (typeof value !== 'bigint') throw new EncodeError('type', `${kindOf(value)} where a long is expected`);
  if (BigInt.asIntN(64, value) !== value) throw outOfRange(value, 'long');
  const coded = BigInt.asUintN(64, (value << 1n) ^ (value >> 63n));
  return writeVarint64(Number(coded & 0xffff_ffffn), Number(coded >> 32n), at);
}

export function writeInt(value: unknown, at: number): number {
  if (typeof value !== 'number') throw new EncodeError('type', `${kindOf(value)} where an int is expected`);
  if ((value | 0) !== value) throw outOfRange(value, 'int');
  return writeZigZag(value, at);
}

export function writeFloat(value: unknown, at: number): number {
  if (typeof value !== 'number') throw new EncodeError('type', `${kindOf(value)} where a float is expected`);
  if (Math.abs(Math.fround(value)) === Infinity && Math.abs(value) !== Infinity) throw outOfRange(value, 'float');
  view.setFloat32(at, value, true);
  return at + 4;
}

/** Writes length-prefixed UTF-8. Makes room itself and leaves most of the output's slack free. */
export function writeString(value: unknown, at: number): number {
  if (typeof value !== 'string') throw new EncodeError('type', `${kindOf(value)} where a string is expected`);
  const end = writeSizedText(value, at, 1);
  if (end < 0) throw new EncodeError('text', 'the string has a lone surrogate');
  return end;
}
