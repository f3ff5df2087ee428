import { writeBytes } from '../../../writing/binary-values.ts';
import { refuseSurrogate } from '../../../writing/thrown.ts';
import { out, room, soft, view } from '../../../bytes/output.ts';
import { LONG, SHORT, utf8Length, writeAscii, writePieces, writeUtf8 } from '../../../bytes/text/utf8.ts';
import { EncodeError } from '../../../errors.ts';
import { classOf } from '../../../values/class-of.ts';
import { bytesOf, textOf } from '../../../writing/written-classes.ts';

const TWO_32 = 2 ** 32;
/**
 * Values below these need one, two and four bytes (see `JsBinaryReader`); those of an int, from minus to plus half of
 * them.
 */
const ONE = 2 ** 7;
const TWO = 2 ** 14;
const FOUR = 2 ** 29;
const EIGHT = 2n ** 61n;

/** Writes an unsigned integer. Returns the position after it. */
export function writeUint(value: unknown, at: number): number {
  if (typeof value === 'bigint') return writeLong(value, 0n, EIGHT, at);
  if (typeof value !== 'number') return failType('an unsigned integer', value);
  if (!(value >= 0) || value > 2 ** 53 || !Number.isInteger(value)) return failRange('unsigned integer', value);
  return writeLength(value, at);
}

/** Writes a valid unsigned integer. Returns the position after it. */
function writeLength(value: number, at: number): number {
  if (value < ONE) {
    out[at] = value;
    return at + 1;
  }
  if (value < TWO) {
    view.setUint16(at, value | 0x8000);
    return at + 2;
  }
  if (value < FOUR) {
    view.setUint32(at, value | 0xc000_0000);
    return at + 4;
  }
  view.setUint32(at, Math.floor(value / TWO_32) | 0xe000_0000);
  view.setUint32(at + 4, value >>> 0);
  return at + 8;
}

/** Writes a signed integer in two's complement. Returns the position after it. */
export function writeInt(value: unknown, at: number): number {
  if (typeof value === 'bigint') return writeLong(value, -EIGHT / 2n, EIGHT / 2n, at);
  if (typeof value !== 'number') return failType('an integer', value);
  if (Math.abs(value) > 2 ** 53 || !Number.isInteger(value)) return failRange('integer', value);
  if (value >= -ONE / 2 && value < ONE / 2) {
    out[at] = value & 0x7f;
    return at + 1;
  }
  if (value >= -TWO / 2 && value < TWO / 2) {
    view.setUint16(at, (value & 0x3fff) | 0x8000);
    return at + 2;
  }
  if (value >= -FOUR / 2 && value < FOUR / 2) {
    view.setUint32(at, (value & 0x1fff_ffff) | 0xc000_0000);
    return at + 4;
  }
  const high = Math.floor(value / TWO_32);
  view.setUint32(at, (high & 0x1fff_ffff) | 0xe000_0000);
  view.setUint32(at + 4, value - high * TWO_32);
  return at + 8;
}

/** Writes a bigint in `from..to`, without `to`, in as many bytes as a number would take. */
function writeLong(value: bigint, from: bigint, to: bigint, at: number): number {
  if (value < from || value >= to) return failRange('integer', value);
  const number = Number(value);
  if (Number.isSafeInteger(number)) return from === 0n ? writeLength(number, at) : writeInt(number, at);
  view.setBigUint64(at, BigInt.asUintN(61, value) | (7n << 61n));
  return at + 8;
}

/** Writes the number of an array's items. Returns the position after it. */
export function writeCount(count: number, at: number): number {
  return writeLength(count, at > soft ? room(at, 0) : at);
}

/** Writes a string. Returns the position after it. */
export function writeString(text: unknown, at: number): number {
  if (typeof text !== 'string') return failType('a string', text);
  const { length } = text;
  // Most strings have a length of one byte and fit in the slack.
  if (length < SHORT && at <= soft) {
    const end = writeAscii(text, at + 1, length);
    if (end >= 0) {
      out[at] = length;
      return end;
    }
  }
  if (length > LONG) {
    const end = writePieces(text, writeLength(utf8Length(text), room(at, 8)));
    return end < 0 ? refuseSurrogate() : end;
  }
  if (at + 3 * length > soft) at = room(at, 3 * length);
  // The size of the length if all characters are ASCII.
  const guess = length < ONE ? 1 : length < TWO ? 2 : 4;
  let end = writeUtf8(text, at + guess);
  if (end < 0) refuseSurrogate();
  const bytes = end - at - guess;
  const size = bytes < ONE ? 1 : bytes < TWO ? 2 : 4;
  if (size !== guess) {
    out.copyWithin(at + size, at + guess, end);
    end += size - guess;
  }
  writeLength(bytes, at);
  return end;
}

/** Writes bytes. Returns the position after them. */
export function writeBuffer(value: unknown, at: number): number {
  if (typeof value !== 'object' || value === null || !BYTES.has(classOf(value))) return failType('bytes', value);
  const bytes = bytesOf(value as ArrayBuffer);
  return writeBytes(bytes, writeCount(bytes.length, at));
}

const BYTES: ReadonlySet<string> = new Set(['Uint8Array', 'Uint8ClampedArray', 'DataView', 'ArrayBuffer', 'SharedArrayBuffer']);
const OBJECT_ID = /^[0-9a-f]{24}$/i;

/**
 * Writes an ObjectId: 24 hexadecimal digits, or an object whose `toString` returns them. Returns the position after it.
 */
export function writeObjectId(value: unknown, at: number): number {
  // oxlint-disable-next-line typescript/no-base-to-string -- Returns the digits of an ObjectId.
  const digits = typeof value === 'object' && value !== null ? String(value) : value;
  if (typeof digits !== 'string') return failType('an ObjectId', value);
  if (!OBJECT_ID.test(digits)) return failRange('ObjectId', digits);
  for (let index = 0; index < 12; index += 1) out[at + index] = Number.parseInt(digits.slice(index * 2, index * 2 + 2), 16);
  return at + 12;
}

/** Bit of each flag. */
const FLAGS: Readonly<Record<string, number>> = { g: 1, i: 2, m: 4 };

/** Writes a regular expression. Returns the position after it. */
export function writeRegex(value: unknown, at: number): number {
  if (typeof value !== 'object' || value === null || classOf(value) !== 'RegExp') return failType('a RegExp', value);
  const [source, flags] = [textOf(value, 'source'), textOf(value, 'flags')];
  let bits = 0;
  for (const flag of flags) {
    const bit = FLAGS[flag];
    if (bit === undefined) throw new EncodeError('unsupported', `cannot encode a RegExp with the flag ${flag}`);
    bits |= bit;
  }
  const end = writeString(source, at);
  out[end] = bits;
  return end + 1;
}

/** True for a Date of any realm. */
function isDate(value: unknown): value is Date {
  return value instanceof Date || (typeof value === 'object' && value !== null && classOf(value) === 'Date');
}

/** Writes a Date. Returns the position after it. */
export function writeDate(value: unknown, at: number): number {
  if (!isDate(value)) return failType('a Date', value);
  const milliseconds = value.getTime();
  if (!(milliseconds >= 0)) throw new EncodeError('range', Number.isNaN(milliseconds) ? 'an invalid Date' : 'the Date must not be before 1970');
  return writeLength(milliseconds, at);
}

/** Writes a value as JSON text. Returns the position after it. */
export function writeJson(value: unknown, at: number): number {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? failType('a value that JSON has', value) : writeString(text, at);
}

/** Throws the error for a value of another type than the schema says. */
export function failType(expected: string, value: unknown): never {
  if (value === undefined) throw new EncodeError('missing', `${expected} is missing`);
  throw new EncodeError(
    'type',
    `expected ${expected}, got ${value === null ? 'null' : typeof value === 'object' ? `a value of the class ${classOf(value)}` : `a ${typeof value}`}`,
  );
}

function failRange(what: string, value: unknown): never {
  throw new EncodeError('range', `invalid ${what}: ${String(value)}`);
}
