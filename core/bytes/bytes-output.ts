import { out, room, soft } from './output.ts';

/** Longer bytes are copied in pieces, so that no chunk has to hold all of them. */
const PIECE = 1 << 16;

/** Writes bytes, across chunks if there are many. Returns the position after them. */
export function writeBytes(bytes: Uint8Array, at: number): number {
  const { length } = bytes;
  if (length <= PIECE) {
    const start = at + length > soft ? room(at, length) : at;
    out.set(bytes, start);
    return start + length;
  }
  let next = at;
  for (let from = 0; from < length; from += PIECE) next = writeBytes(bytes.subarray(from, Math.min(from + PIECE, length)), next);
  return next;
}
