import { writeBytes } from '../../../writing/binary-values.ts';
import { out, room, soft, view } from '../../../bytes/output.ts';
import { EncodeError } from '../../../errors.ts';
import { bytesOf } from '../../../writing/written-classes.ts';
import { binaryHead, extensionHead } from './heads.ts';
import { TYPED_ARRAYS } from '../typed-arrays.ts';

const TWO_32 = 2 ** 32;
const TWO_34 = 2 ** 34;

/** Result of `writeBigint` for an integer of more than 64 bits. */
export const TOO_LARGE = -2;

/** Writes a bigint as int 64 or uint 64. Returns the position after it, or TOO_LARGE. */
export function writeBigint(value: bigint, at: number): number {
  if (BigInt.asIntN(64, value) === value) {
    out[at] = 0xd3;
    view.setBigInt64(at + 1, value);
  } else if (BigInt.asUintN(64, value) === value) {
    out[at] = 0xcf;
    view.setBigUint64(at + 1, value);
  } else return TOO_LARGE;
  return at + 9;
}

/** Writes a bigint of any size as msgpackr's extension. Returns the position after it. */
export function writeLargeBigint(value: bigint, at: number): number {
  const bytes = bigintBytes(value);
  return writeBytes(bytes, extensionHead(bytes.length, 0x42, at > soft ? room(at, 0) : at));
}

/** Encodes a bigint in two's complement, most significant byte first, in a multiple of 8 bytes. */
function bigintBytes(value: bigint): Uint8Array {
  const digits = (value < 0n ? ~value : value).toString(16);
  // The highest bit is the sign.
  const bits = (digits.length - 1) * 4 + (32 - Math.clz32(Number.parseInt(digits[0]!, 16))) + 1;
  const bytes = new Uint8Array(Math.ceil(bits / 64) * 8);
  const all = BigInt.asUintN(bytes.length * 8, value)
    .toString(16)
    .padStart(bytes.length * 2, '0');
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = Number.parseInt(all.slice(index * 2, index * 2 + 2), 16);
  return bytes;
}

/**
 * Writes a timestamp of 32, 64 or 96 bits, the smallest that fits: see `readTimestamp`. Returns the position after it.
 */
export function writeTimestamp(milliseconds: number, at: number): number {
  const seconds = Math.floor(milliseconds / 1000);
  const nanoseconds = (milliseconds - seconds * 1000) * 1e6;
  if (nanoseconds === 0 && seconds >= 0 && seconds < TWO_32) {
    view.setUint16(at, 0xd6ff);
    view.setUint32(at + 2, seconds);
    return at + 6;
  }
  const high = Math.floor(seconds / TWO_32);
  if (seconds >= 0 && seconds < TWO_34) {
    view.setUint16(at, 0xd7ff);
    view.setUint32(at + 2, nanoseconds * 4 + high);
    view.setUint32(at + 6, seconds - high * TWO_32);
    return at + 10;
  }
  const next = extensionHead(12, -1, at);
  view.setUint32(next, nanoseconds);
  view.setInt32(next + 4, high);
  view.setUint32(next + 8, seconds - high * TWO_32);
  return next + 12;
}

/**
 * Writes a typed array, an ArrayBuffer or a DataView of the class `className` as a binary, or as msgpackr's extension,
 * which names the class. Returns the position after it.
 */
export function writeBinary(value: ArrayBufferView | ArrayBufferLike, className: string, isMsgpackr: boolean, at: number): number {
  const bytes = bytesOf(value);
  if (at > soft) at = room(at, 0);
  if (className !== 'Uint8Array') {
    const code = TYPED_ARRAYS.indexOf((className === 'SharedArrayBuffer' ? 'ArrayBuffer' : className) as 'ArrayBuffer');
    if (isMsgpackr && code >= 0) return writeTypedArray(code, bytes, at);
    if (!PLAIN_BYTES.has(className)) throw new EncodeError('unsupported', `cannot encode a ${className}`);
  }
  return writeBytes(bytes, binaryHead(bytes.length, at));
}

/** Classes written as binaries if there are no extensions. */
const PLAIN_BYTES: ReadonlySet<string> = new Set(['Uint8ClampedArray', 'DataView', 'ArrayBuffer', 'SharedArrayBuffer']);

function writeTypedArray(code: number, bytes: Uint8Array, at: number): number {
  // msgpackr never writes a fixext for typed arrays.
  const length = bytes.length + 1;
  if (length < 0x100) {
    view.setUint16(at, 0xc700 | length);
    out[at + 2] = 0x74;
    at += 3;
  } else at = extensionHead(length, 0x74, at);
  out[at] = code;
  return writeBytes(bytes, at + 1);
}
