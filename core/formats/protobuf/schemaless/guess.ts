import { validateUtf8 } from '../../../bytes/text/text.ts';
import { EGROUP, I32, I64, LEN, SGROUP, VARINT } from '../schema/schema.ts';

// Classes of bytes in a length-delimited field without a schema.

export const NO_TEXT = 0;
/** Text with line breaks or tabs, which may also be tags of fields. */
const BROKEN_TEXT = 1;
export const PLAIN_TEXT = 2;

/** Classifies bytes as text. */
export function textKind(bytes: Uint8Array, from: number, end: number): number {
  let kind = PLAIN_TEXT;
  for (let at = from; at < end; at += 1) {
    const byte = bytes[at]!;
    if (byte >= 0x20 && byte !== 0x7f) continue;
    if (byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) return NO_TEXT;
    kind = BROKEN_TEXT;
  }
  return validateUtf8(bytes, from, end) < 0 ? kind : NO_TEXT;
}

/** True if bytes form a sequence of fields. Length-delimited payloads are not examined. */
export function isMessage(bytes: Uint8Array, from: number, end: number): boolean {
  const groups: number[] = [];
  let at = from;
  const varint = (bytesAtMost: number): number => {
    let value = 0;
    for (let scale = 1, most = at + bytesAtMost; at < end && at < most; scale *= 128) {
      const byte = bytes[at]!;
      at += 1;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
    return NaN;
  };
  while (at < end) {
    const tag = varint(5);
    if (!(tag >= 8 && tag <= 0xffffffff)) return false;
    switch (tag & 7) {
      case VARINT:
        if (Number.isNaN(varint(10))) return false;
        break;
      case I64:
        at += 8;
        break;
      case LEN: {
        const length = varint(5);
        if (!(length <= end - at)) return false;
        at += length;
        break;
      }
      case SGROUP:
        groups.push(tag >>> 3);
        break;
      case EGROUP:
        if (groups.pop() !== tag >>> 3) return false;
        break;
      case I32:
        at += 4;
        break;
      default:
        return false;
    }
  }
  return at === end && groups.length === 0;
}
