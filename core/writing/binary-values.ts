import { recordsOf } from '../values/record-list.ts';
import { classOf, isBuffer, isSet } from '../values/class-of.ts';
import { countOf } from '../bytes/count.ts';
import { out, room, soft } from '../bytes/output.ts';

/** Bytes are copied in pieces, so that no chunk has to hold all of them. */
const PIECE = 1 << 16;

/** The bytes of an ArrayBuffer or of any view of one; undefined for everything else. */
export function bytesOf(value: unknown): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value;
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return isBuffer(value) ? new Uint8Array(value) : undefined;
}

/** True for a Uint8Array, a DataView and a buffer, of any realm. Other typed arrays are lists of numbers. */
export function isBinary(value: unknown): boolean {
  return value instanceof Uint8Array || (ArrayBuffer.isView(value) ? /^(Uint8Array|DataView)$/.test(classOf(value)) : isBuffer(value));
}

/** A value with ordered items, read by index. */
export type Items = ArrayLike<unknown> & object;

/** An array, a typed array, the items of a Set or the records of `Rows`; undefined for everything else. */
export function itemsOf(value: unknown): Items | undefined {
  if (Array.isArray(value)) {
    countOf(value);
    return value;
  }
  if (ArrayBuffer.isView(value)) return classOf(value) === 'DataView' ? undefined : (value as unknown as Items);
  return isSet(value) ? [...value] : recordsOf(value);
}

/** Writes bytes. Makes room itself, and keeps the slack. */
export function writeBytes(bytes: Uint8Array, at: number): number {
  let next = at;
  for (let from = 0; from < bytes.length; from += PIECE) {
    const piece = bytes.length <= PIECE ? bytes : bytes.subarray(from, from + PIECE);
    if (next + piece.length > soft) next = room(next, piece.length);
    out.set(piece, next);
    next += piece.length;
  }
  return next;
}
