import { out, room, soft } from '../output.ts';
import { ILL_FORMED, LONG, SHORT, utf8Length, writeAscii, writePieces, writeUtf8 } from './utf8.ts';
import { varintSize, writeVarint } from '../varint.ts';

/**
 * Writes a string as UTF-8 with the number of its bytes before it, as a varint, shifted to the left by `shift`: 1 is the
 * zig-zag code of the number. Makes room itself, and leaves most of the slack. Returns the position after it, or ILL_FORMED.
 */
export function writeSizedText(text: string, at: number, shift: 0 | 1): number {
  const { length } = text;
  // Most strings: the number takes one byte, and the slack has room for them.
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
  // Where all is ASCII, the number has this size.
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
