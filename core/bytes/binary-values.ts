import { recordsOf } from '../reading/record-list.ts';
import { countOf } from './count.ts';
import { out, room, soft } from './output.ts';

/** Bytes are copied in pieces, so that no chunk has to hold all of them. */
const PIECE = 1 << 16;

/** The bytes of an ArrayBuffer or of any view of one; undefined for everything else. */
export function bytesOf(value: unknown): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value;
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  return ArrayBuffer.isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : undefined;
}

/** A value with ordered items, read by index. */
export type Items = ArrayLike<unknown> & object;

/** An array, a typed array, the items of a Set or the records of `Rows`; undefined for everything else. */
export function itemsOf(value: unknown): Items | undefined {
  if (Array.isArray(value)) {
    countOf(value);
    return value;
  }
  if (ArrayBuffer.isView(value)) return value instanceof DataView ? undefined : (value as unknown as Items);
  return value instanceof Set ? [...value] : recordsOf(value);
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
