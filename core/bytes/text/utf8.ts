import { out, room, soft, view } from '../output.ts';

/** Strings shorter than this many UTF-16 units are encoded by hand: a call of the engine's encoder costs more. */
export const SHORT = 64;
/** Longer strings are encoded in pieces, so that no chunk has to hold all of one. */
export const LONG = 1 << 15;

const encoder = new TextEncoder();

/** Returned by the functions of this file for a string with a lone surrogate, which UTF-8 cannot encode. */
export const ILL_FORMED = -2;

/**
 * Writes a string as UTF-8 at `at`, where there must be room for three bytes per unit. Returns the position after it,
 * or ILL_FORMED.
 */
export function writeUtf8(text: string, at: number): number {
  const length = text.length;
  if (length >= SHORT) {
    const { read, written } = encoder.encodeInto(text, out.subarray(at));
    if (written !== length && !isWellFormed(text)) return ILL_FORMED;
    return read === length ? at + written : ILL_FORMED;
  }
  const end = writeAscii(text, at, length);
  return end >= 0 ? end : writeShort(text, at);
}

/** Writes a string as bytes, four units at a time. Returns the position after it, or −1 if it is not ASCII. */
export function writeAscii(text: string, at: number, length: number): number {
  const target = view;
  let all = 0;
  let index = 0;
  for (const end = length & ~3; index < end; index += 4) {
    const a = text.charCodeAt(index);
    const b = text.charCodeAt(index + 1);
    const c = text.charCodeAt(index + 2);
    const d = text.charCodeAt(index + 3);
    all |= a | b | c | d;
    target.setUint32(at + index, a | (b << 8) | (c << 16) | (d << 24), true);
  }
  const bytes = out;
  for (; index < length; index += 1) {
    const unit = text.charCodeAt(index);
    all |= unit;
    bytes[at + index] = unit;
  }
  return all < 0x80 ? at + length : -1;
}

function writeShort(text: string, at: number): number {
  const bytes = out;
  const length = text.length;
  let next = at;
  for (let index = 0; index < length; index += 1) {
    let code = text.charCodeAt(index);
    if (code < 0x80) bytes[next++] = code;
    else if (code < 0x800) {
      bytes[next++] = 0xc0 | (code >> 6);
      bytes[next++] = 0x80 | (code & 0x3f);
    } else if ((code & 0xf800) === 0xd800) {
      index += 1;
      const low = code < 0xdc00 && index < length ? text.charCodeAt(index) : 0;
      if ((low & 0xfc00) !== 0xdc00) return ILL_FORMED;
      code = 0x1_0000 + (((code & 0x3ff) << 10) | (low & 0x3ff));
      bytes[next++] = 0xf0 | (code >> 18);
      bytes[next++] = 0x80 | ((code >> 12) & 0x3f);
      bytes[next++] = 0x80 | ((code >> 6) & 0x3f);
      bytes[next++] = 0x80 | (code & 0x3f);
    } else {
      bytes[next++] = 0xe0 | (code >> 12);
      bytes[next++] = 0x80 | ((code >> 6) & 0x3f);
      bytes[next++] = 0x80 | (code & 0x3f);
    }
  }
  return next;
}

/**
 * Writes a string of any length, across chunks. Returns the position after it, or ILL_FORMED after a partial write if
 * it has a lone surrogate.
 */
export function writePieces(text: string, at: number): number {
  const length = text.length;
  let next = at;
  for (let from = 0; from < length;) {
    let to = Math.min(from + LONG, length);
    // Keeps a surrogate pair together.
    if (to < length && (text.charCodeAt(to - 1) & 0xfc00) === 0xd800) to -= 1;
    if (to === from) return ILL_FORMED;
    const piece = text.slice(from, to);
    next = writeUtf8(piece, next + 3 * piece.length > soft ? room(next, 3 * piece.length) : next);
    if (next < 0) return next;
    from = to;
  }
  return next;
}

/** Bytes of a string as UTF-8. */
export function utf8Length(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x80) continue;
    length += code < 0x800 ? 1 : 2;
    // A surrogate pair takes four bytes, not twice three.
    if ((code & 0xf800) === 0xd800) length -= 1;
  }
  return length;
}

const LONE_SURROGATE = /\p{Surrogate}/u;

/** True if a string has no lone surrogate. */
export function isWellFormed(text: string): boolean {
  const native = (text as { isWellFormed?: () => boolean }).isWellFormed;
  return native === undefined ? !LONE_SURROGATE.test(text) : native.call(text);
}
