import { out, room, soft } from '../output.ts';
import { ILL_FORMED, LONG, SHORT, utf8Length, writeAscii, writePieces, writeUtf8 } from './utf8.ts';
import { varintSize, writeVarint } from '../varint.ts';

/**
 * Writes a string as UTF-8 with its byte length before it, as a varint shifted left by `shift`; a shift of 1 gives the
 * zig-zag code of the length. Makes room itself, and keeps most of the slack. Returns the position after it, or
 * ILL_FORMED.
 */
export function writeSizedText(text: string, at: number, shift: 0 | 1): number {
  const { length } = text;
  // The common case: a one-byte length, and the slack has room.
  if (length < SHORT && at <= soft) {
    const end = writeAscii(text, at + 1, length);
    if (end >= 0) {
      out[at] = length << shift;
      return end;
    }
  }
  if (length > LONG) return writePieces(text, writeVarint((utf8Length(text) << shift) >>> 0, room(at, 5)));
  let start = at;
  if (at + 3 * length > soft) start = room(at, 3 * length);
  // The size of the length if the string is ASCII.
  const guess = varintSize(length << shift);
  let end = writeUtf8(text, start + guess);
  if (end < 0) return ILL_FORMED;
  const bytes = (end - start - guess) << shift;
  if (bytes < 0x80) {
    out[start] = bytes;
    return end;
  }
  const size = varintSize(bytes);
  if (size !== guess) {
    out.copyWithin(start + size, start + guess, end);
    end += size - guess;
  }
  writeVarint(bytes, start);
  return end;
}
