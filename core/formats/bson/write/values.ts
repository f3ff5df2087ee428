import { writeBytes } from '../../../writing/binary-values.ts';
import { refuseSurrogate } from '../../../writing/thrown.ts';
import { out, room, soft, view } from '../../../bytes/output.ts';
import { LONG, utf8Length, writePieces, writeUtf8 } from '../../../bytes/text/utf8.ts';
import { EncodeError } from '../../../errors.ts';
import { classOf } from '../../../values/class-of.ts';
import { bytesOf } from '../../../writing/written-classes.ts';
import { OLD_BINARY, VECTOR } from '../types.ts';

const TWO_32 = 2 ** 32;

/** Writes a string after its length, and a zero. Returns the position after it. */
export function writeString(text: string, at: number): number {
  const { length } = text;
  if (length > LONG) return writeLong(text, at);
  if (at + 3 * length > soft) at = room(at, 3 * length);
  const end = writeUtf8(text, at + 4);
  if (end < 0) refuseSurrogate();
  view.setInt32(at, end - at - 3, true);
  out[end] = 0;
  return end + 1;
}

function writeLong(text: string, at: number): number {
  const bytes = utf8Length(text) + 1;
  if (bytes > 0x7fff_ffff) throw new EncodeError('range', `the string has ${bytes} bytes, more than BSON allows`);
  at = room(at, 4);
  view.setInt32(at, bytes, true);
  const end = writePieces(text, at + 4);
  if (end < 0) refuseSurrogate();
  out[end] = 0;
  return end + 1;
}

/** Writes a string that ends with a zero, and so must not contain one. Returns the position after it. */
export function writeName(text: string, at: number): number {
  if (text.includes('\0')) throw new EncodeError('text', 'a key or a regular expression must not contain a zero character');
  if (text.length > LONG) at = writePieces(text, at);
  else {
    if (at + 3 * text.length > soft) at = room(at, 3 * text.length);
    at = writeUtf8(text, at);
  }
  if (at < 0) refuseSurrogate();
  out[at] = 0;
  return at + 1;
}

/** Writes a 64-bit integer from a number. Returns the position after it. */
export function writeInt64(value: number, at: number): number {
  const high = Math.floor(value / TWO_32);
  view.setUint32(at, value - high * TWO_32, true);
  view.setInt32(at + 4, high, true);
  return at + 8;
}

/** Writes a bigint. Returns the position after it. */
export function writeBigint(value: bigint, at: number): number {
  if (BigInt.asIntN(64, value) !== value) throw new EncodeError('range', 'the bigint does not fit 64 bits');
  view.setBigInt64(at, value, true);
  return at + 8;
}

/** Writes a binary after its length and subtype. Returns the position after it. */
export function writeBinary(bytes: Uint8Array, subtype: number, at: number): number {
  if (at > soft) at = room(at, 0);
  if (subtype === OLD_BINARY) {
    // This subtype repeats the length.
    view.setInt32(at, bytes.length + 4, true);
    out[at + 4] = subtype;
    view.setInt32(at + 5, bytes.length, true);
    return writeBytes(bytes, at + 9);
  }
  view.setInt32(at, bytes.length, true);
  out[at + 4] = subtype;
  return writeBytes(bytes, at + 5);
}

/** Data types of vectors by class (https://github.com/mongodb/specifications/blob/master/source/bson-binary-vector). */
const VECTORS: Readonly<Record<string, number>> = { Int8Array: 0x03, Float32Array: 0x27 };

/** Writes bytes, or an Int8Array or Float32Array as a vector. Returns the position after it. */
export function writeView(value: ArrayBufferView | ArrayBufferLike, at: number): number {
  const bytes = bytesOf(value);
  const name = classOf(value);
  const type = VECTORS[name];
  if (type !== undefined) {
    const vector = new Uint8Array(bytes.length + 2);
    vector[0] = type;
    vector.set(bytes, 2);
    return writeBinary(vector, VECTOR, at);
  }
  if (!BYTES.has(name)) throw new EncodeError('unsupported', `cannot encode a ${name}`);
  return writeBinary(bytes, 0, at);
}

const BYTES: ReadonlySet<string> = new Set(['Uint8Array', 'Uint8ClampedArray', 'DataView', 'ArrayBuffer', 'SharedArrayBuffer']);

/** BSON's options for JavaScript's flags: the flag `s` becomes the option `s`. */
export function regExpOptions(flags: string, s: string): string {
  let options = '';
  for (const flag of flags) {
    if (flag === s) options += 's';
    else if (flag === 'i' || flag === 'm' || flag === 'u') options += flag;
    else throw new EncodeError('unsupported', `cannot encode a RegExp with the flag ${flag}`);
  }
  return Array.from(options).toSorted().join('');
}

/** Writes an integer as its digits: the key of an array's item. */
export function writeDigits(value: number, at: number): number {
  const digits = String(value);
  for (let index = 0; index < digits.length; index += 1) out[at + index] = digits.charCodeAt(index);
  return at + digits.length;
}
