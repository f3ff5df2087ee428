import { writeBytes } from '../../../writing/binary-values.ts';
import { refuseSurrogate } from '../../../writing/thrown.ts';
import { out, room, soft, view } from '../../../bytes/output.ts';
import { LONG, utf8Length, writePieces, writeUtf8 } from '../../../bytes/text/utf8.ts';
import { EncodeError } from '../../../errors.ts';
import { ARRAY8, BIN8, CONSTRUCTOR8, FLOAT64, INT16, INT32, INT8, INTN, REF8, STRING8, UINT16, UINT32, UINT8, UINTN, UTFZ } from '../types.ts';

const TWO_32 = 2 ** 32;
/** UTF-16 units of the longest string written as utfz, as in the package. */
const MAX_UTFZ_LENGTH = 59;
const INT64 = INT8 + 3;
const UINT64 = UINT8 + 3;

/** Writes a type of a family, given by its first type, and a length or number. Returns the position after it. */
function head(first: number, length: number, at: number): number {
  if (length < 0x100) {
    view.setUint16(at, (first << 8) | length);
    return at + 2;
  }
  out[at] = length < 0x1_0000 ? first + 1 : first + 2;
  if (length < 0x1_0000) {
    view.setUint16(at + 1, length, true);
    return at + 3;
  }
  if (length >= TWO_32) throw new EncodeError('range', `the length ${length} exceeds 32 bits`);
  view.setUint32(at + 1, length, true);
  return at + 5;
}

/** Writes the head of an array of `count` items. Returns the position after it. */
export function arrayHead(count: number, at: number): number {
  return head(ARRAY8, count, at);
}

/** Writes a reference to the key with a number. Returns the position after it. */
export function writeReference(number: number, at: number): number {
  return head(REF8, number, at);
}

/** Writes the head of a constructor. Returns the position after it, for its arguments. */
export function constructorHead(code: number, at: number): number {
  if (!Number.isInteger(code) || code < 0 || code >= TWO_32) throw new EncodeError('range', `invalid constructor code ${code}`);
  return head(CONSTRUCTOR8, code, at > soft ? room(at, 0) : at);
}

/** Writes bytes. Returns the position after them. */
export function writeBinary(bytes: Uint8Array, at: number): number {
  return writeBytes(bytes, head(BIN8, bytes.length, at > soft ? room(at, 0) : at));
}

/**
 * Writes a number: as an integer of up to 32 bits, otherwise as a float, or a 64-bit integer. Returns the position
 * after it.
 */
export function writeNumber(value: number, writesInt64: boolean, at: number): number {
  const integer = value | 0;
  if (integer === value) {
    if (integer >= 0) {
      if (integer < 0x100) {
        if (integer === 0 && Object.is(value, -0)) return writeFloat(value, at);
        view.setUint16(at, (UINT8 << 8) | integer);
        return at + 2;
      }
      out[at] = integer < 0x1_0000 ? UINT16 : UINT32;
      if (integer < 0x1_0000) {
        view.setUint16(at + 1, integer, true);
        return at + 3;
      }
    } else {
      if (integer >= -0x80) {
        out[at] = INT8;
        out[at + 1] = integer;
        return at + 2;
      }
      out[at] = integer >= -0x8000 ? INT16 : INT32;
      if (integer >= -0x8000) {
        view.setInt16(at + 1, integer, true);
        return at + 3;
      }
    }
    view.setInt32(at + 1, integer, true);
    return at + 5;
  }
  if (value > 0 && value < TWO_32 && Number.isInteger(value)) {
    out[at] = UINT32;
    view.setUint32(at + 1, value, true);
    return at + 5;
  }
  return writesInt64 && Number.isSafeInteger(value) ? writeBigint(BigInt(value), at) : writeFloat(value, at);
}

function writeFloat(value: number, at: number): number {
  out[at] = FLOAT64;
  view.setFloat64(at + 1, value, true);
  return at + 9;
}

/** Writes a bigint as a 64-bit integer, or in as many bytes as it needs, up to 255. Returns the position after it. */
export function writeBigint(value: bigint, at: number): number {
  if (BigInt.asIntN(64, value) === value) {
    out[at] = INT64;
    view.setBigInt64(at + 1, value, true);
    return at + 9;
  }
  if (BigInt.asUintN(64, value) === value) {
    out[at] = UINT64;
    view.setBigUint64(at + 1, value, true);
    return at + 9;
  }
  const digits = (value < 0n ? ~value : value).toString(16);
  // One byte more, so that the highest bit is the sign.
  const size = (digits.length >> 1) + 1;
  if (size > 0xff) throw new EncodeError('range', `the bigint takes ${size} bytes; Sia allows 255`);
  if (at > soft) at = room(at, 0);
  out[at] = value < 0n ? INTN : UINTN;
  out[at + 1] = size;
  const all = BigInt.asUintN(size * 8, value)
    .toString(16)
    .padStart(size * 2, '0');
  for (let index = 0; index < size; index += 1) out[at + 1 + size - index] = Number.parseInt(all.slice(index * 2, index * 2 + 2), 16);
  return at + 2 + size;
}

/** Writes a string. Returns the position after it. */
export function writeString(text: string, at: number): number {
  const { length } = text;
  if (length <= MAX_UTFZ_LENGTH) {
    if (at > soft) at = room(at, 0);
    let end = writeAscii(text, length, at + 2);
    if (end < 0) end = writeUtfz(text, length, at + 2);
    view.setUint16(at, (UTFZ << 8) | (end - at - 2));
    return end;
  }
  // As in the package, the size of the length is that for the longest possible encoding.
  const most = 3 * length;
  const size = most < 0x100 ? 1 : most < 0x1_0000 ? 2 : 4;
  if (length > LONG) return writeLong(text, at);
  if (at + most > soft) at = room(at, most);
  const end = writeUtf8(text, at + 1 + size);
  if (end < 0) refuseSurrogate();
  out[at] = STRING8 + (size >> 1);
  const bytes = end - at - 1 - size;
  if (size === 1) out[at + 1] = bytes;
  else if (size === 2) view.setUint16(at + 1, bytes, true);
  else view.setUint32(at + 1, bytes, true);
  return end;
}

function writeLong(text: string, at: number): number {
  const bytes = utf8Length(text);
  if (bytes >= TWO_32) throw new EncodeError('range', `the string has ${bytes} bytes, more than Sia allows`);
  at = room(at, 5);
  out[at] = STRING8 + 2;
  view.setUint32(at + 1, bytes, true);
  const end = writePieces(text, at + 5);
  return end < 0 ? refuseSurrogate() : end;
}

/** Writes an ASCII string without a zero, four units at a time; −1 for other strings. */
function writeAscii(text: string, length: number, at: number): number {
  const target = view;
  let odd = 0;
  let index = 0;
  for (const end = length & ~3; index < end; index += 4) {
    const a = text.charCodeAt(index);
    const b = text.charCodeAt(index + 1);
    const c = text.charCodeAt(index + 2);
    const d = text.charCodeAt(index + 3);
    // If a unit is zero, one less has the high bits.
    odd |= a | b | c | d | (a - 1) | (b - 1) | (c - 1) | (d - 1);
    target.setUint32(at + index, a | (b << 8) | (c << 16) | (d << 24), true);
  }
  const bytes = out;
  for (; index < length; index += 1) {
    const unit = text.charCodeAt(index);
    odd |= unit | (unit - 1);
    bytes[at + index] = unit;
  }
  return (odd & ~0x7f) === 0 ? at + length : -1;
}

/** Writes what `decodeUtfz` reads. Surrogates may be unpaired. */
function writeUtfz(text: string, length: number, at: number): number {
  let high = 0;
  let next = at;
  for (let index = 0; index < length; index += 1) {
    const unit = text.charCodeAt(index);
    const low = unit & 0xff;
    if (unit >> 8 !== high) {
      high = unit >> 8;
      out[next++] = 0;
      out[next++] = high;
    }
    out[next++] = low;
    if (low === 0) out[next++] = high;
  }
  return next;
}
