import { refuseSurrogate } from '../../../writing/thrown.ts';
import { out, room, soft } from '../../../bytes/output.ts';
import { LONG, utf8Length, writeAscii, writePieces, writeUtf8 } from '../../../bytes/text/utf8.ts';
import { head, headSize, TEXT } from './heads.ts';

/** Writes a text string. Returns the position after it. */
export function writeString(text: string, at: number): number {
  const { length } = text;
  // Most strings fit in the slack.
  if (length < 24 && at <= soft) {
    const end = writeAscii(text, at + 1, length);
    if (end >= 0) {
      out[at] = TEXT | length;
      return end;
    }
  }
  if (length > LONG) return writeLong(text, at);
  if (at + 3 * length > soft) at = room(at, 3 * length);
  // The size of the head if all characters are ASCII.
  const guess = length < 24 ? 1 : length < 0x100 ? 2 : 3;
  let end = writeUtf8(text, at + guess);
  if (end < 0) refuseSurrogate();
  const bytes = end - at - guess;
  if (bytes < 24) {
    out[at] = TEXT | bytes;
    return end;
  }
  const size = headSize(bytes);
  if (size !== guess) {
    out.copyWithin(at + size, at + guess, end);
    end += size - guess;
  }
  head(TEXT, bytes, at);
  return end;
}

function writeLong(text: string, at: number): number {
  const end = writePieces(text, head(TEXT, utf8Length(text), room(at, 5)));
  return end < 0 ? refuseSurrogate() : end;
}
