import { out, room, soft } from './output.ts';

/** More bytes than these are copied a piece at a time, so that no chunk is as large as they are. */
const PIECE = 1 << 16;

/** Writes bytes as they are, across the ends of chunks where they are many. Returns the position after them. */
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
