import * as fixed from '../../../bytes/fixed-scalars.ts';
import { out, room, soft, view } from '../../../bytes/output.ts';
import { LONG, utf8Length, writePieces, writeUtf8 } from '../../../bytes/text/utf8.ts';
import { EncodeError } from '../../../errors.ts';
import { kindOf } from '../../../writing/writer.ts';
import type { EnumNode, FieldNode, ValueNode } from './plan.ts';

/** True if a scalar equals its default and is left out. −0 does not equal 0. */
export function isDefault(field: FieldNode, value: unknown): boolean {
  const { fallback, enumType, kind } = field;
  if (typeof value === 'number') return value === fallback && (value !== 0 || !Object.is(value, -0));
  if (typeof value === 'boolean') return kind === fixed.BOOL && Number(value) === fallback;
  if (typeof fallback === 'number' && !Number.isInteger(fallback)) return false;
  if (enumType !== undefined && typeof value === 'string') return numberOf(enumType, value) === BigInt(fallback!);
  return (typeof value === 'bigint' || typeof value === 'string') && String(fallback) === String(value);
}

/** Writes an enum's value, which is given as a number or a name. */
export function writeEnum({ kind, enumType }: ValueNode, value: unknown, at: number): void {
  let number: unknown = value;
  if (typeof value === 'string') {
    const found = enumNumber(kind, enumType!, value);
    const isLong = kind === fixed.INT64 || kind === fixed.UINT64;
    if (found === undefined) {
      if (!isLong || !/^-?\d{1,20}$/.test(value)) throw new EncodeError('range', `${JSON.stringify(value)} is not a value of ${enumType!.name}`);
    } else number = isLong ? found : kind === fixed.BOOL ? found !== 0n : Number(found);
  }
  fixed.writeFixed(kind, number, at);
}

/** Number of a name or names. A schema's values are signed, even for unsigned enums. */
export function enumNumber(kind: number, enumType: EnumNode, name: string): bigint | undefined {
  const number = numberOf(enumType, name);
  return number !== undefined && kind === fixed.UINT64 ? BigInt.asUintN(64, number) : number;
}

/** Number of a name or, for flags, of several names separated by spaces. */
function numberOf({ byName, isFlags }: EnumNode, name: string): bigint | undefined {
  const number = byName.get(name);
  if (number !== undefined || !isFlags) return number;
  const bits = name.split(' ').map((one) => byName.get(one));
  return bits.includes(undefined) ? undefined : bits.reduce<bigint>((all, bit) => all | bit!, 0n);
}

/** Number of a union's type. */
export function unionTypeOf(union: EnumNode, type: unknown): number {
  if (type === undefined || type === null) throw new EncodeError('missing', `the type of a value of the union ${union.name} is missing`);
  const number = typeof type === 'string' ? union.byName.get(type) : type;
  if (typeof number !== 'number' && typeof number !== 'bigint')
    throw new EncodeError('type', `${kindOf(type)} where a type of the union ${union.name} is expected`);
  if (number === 0n || number === 0) return 0;
  if (!union.members.has(Number(number))) throw new EncodeError('range', `${number} is not a type of the union ${union.name}`);
  return Number(number);
}

/** Four bytes, lowest first. */
export function uint32(value: number): Uint8Array {
  return Uint8Array.of(value, value >>> 8, value >>> 16, value >>> 24);
}

/** Words of four bytes, lowest first. */
export function littleEndian(values: Uint32Array<ArrayBuffer>): Uint8Array {
  const bytes = new DataView(values.buffer);
  for (let index = 0; index < values.length; index += 1) bytes.setUint32(4 * index, values[index]!, true);
  return new Uint8Array(values.buffer);
}

/** Writes a string: the number of its bytes, the bytes, and a zero byte. */
export function writeText(item: unknown, at: number): number {
  if (typeof item !== 'string') throw new EncodeError('type', `${kindOf(item)} where a string is expected`);
  const { length } = item;
  let start = at;
  let end: number;
  if (length > LONG) {
    view.setUint32(start, utf8Length(item), true);
    end = writePieces(item, start + 4);
  } else {
    // A new chunk begins at the same output offset.
    if (start + 3 * length + 5 > soft) start = room(start, 3 * length + 5);
    end = writeUtf8(item, start + 4);
    view.setUint32(start, end - start - 4, true);
  }
  if (end < 0) throw new EncodeError('text', 'the string has a lone surrogate');
  out[end] = 0;
  return end + 1;
}
