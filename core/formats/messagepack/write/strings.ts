import { refuseSurrogate } from '../../../writing/thrown.ts';
import { out, room, soft } from '../../../bytes/output.ts';
import { LONG, utf8Length, writeAscii, writePieces, writeUtf8 } from '../../../bytes/text/utf8.ts';
import { stringHead } from './heads.ts';

/** Writes a string. Returns the position after it. */
export function writeString(text: string, at: number): number {
  const { length } = text;
  // Most strings fit in the slack.
  if (length < 32 && at <= soft) {
    const end = writeAscii(text, at + 1, length);
    if (end >= 0) {
      out[at] = 0xa0 | length;
      return end;
    }
  }
  if (length > LONG) return writeLong(text, at);
  if (at + 3 * length > soft) at = room(at, 3 * length);
  // The size of the head if all characters are ASCII.
  const guess = length < 32 ? 1 : length < 0x100 ? 2 : 3;
  let end = writeUtf8(text, at + guess);
  if (end < 0) refuseSurrogate();
  const bytes = end - at - guess;
  if (bytes < 32) {
    out[at] = 0xa0 | bytes;
    return end;
  }
  const size = bytes < 0x100 ? 2 : bytes < 0x1_0000 ? 3 : 5;
  if (size !== guess) {
    out.copyWithin(at + size, at + guess, end);
    end += size - guess;
  }
  stringHead(bytes, at);
  return end;
}

function writeLong(text: string, at: number): number {
  const end = writePieces(text, stringHead(utf8Length(text), room(at, 5)));
  return end < 0 ? refuseSurrogate() : end;
}
