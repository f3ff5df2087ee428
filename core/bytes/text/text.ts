import { DecodeError } from '../../errors.ts';
import { mediumText } from './medium-text.ts';
import { shortAscii } from './short-ascii.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const char = String.fromCharCode;
/** Up to this many bytes a string is made by hand; a longer one costs less through the TextDecoder. */
const MEDIUM = 256;
/** One argument list for each length: a call with an array of the right length copies it in one go. */
const units: number[][] = [];

/**
 * The string that the UTF-8 in `from..end` encodes. `base` is the offset of `bytes[0]` in the whole input, −1 where it
 * has none. Throws `invalid-utf8` with the offset of the first byte that is not UTF-8; a byte order mark is kept.
 */
export function decodeUtf8(bytes: Uint8Array, from: number, end: number, base: number): string {
  const length = end - from;
  if (length <= MEDIUM) {
    if (length === 0) return '';
    let all = 0;
    for (let at = from; at < end; at += 1) all |= bytes[at]!;
    if (all < 0x80) return shortAscii(bytes, from, length) ?? mediumAscii(bytes, from, length);
  }
  return decodeAny(bytes, from, end, base);
}

/** As `decodeUtf8`, and faster, where there is a view of the same bytes. */
export function decodeText(bytes: Uint8Array, view: DataView, from: number, end: number, base: number): string {
  const length = end - from;
  if (length < 4 || length > MEDIUM) return decodeUtf8(bytes, from, end, base);
  const last = end - 4;
  // The last four bytes may have been looked at.
  let all = view.getInt32(last);
  for (let at = from; at < last; at += 4) all |= view.getInt32(at);
  if ((all & 0x80808080) !== 0) return decodeAny(bytes, from, end, base);
  return shortAscii(bytes, from, length) ?? mediumAscii(bytes, from, length);
}

function decodeAny(bytes: Uint8Array, from: number, end: number, base: number): string {
  if (end - from <= MEDIUM && validateUtf8(bytes, from, end) < 0) return mediumText(bytes, from, end);
  try {
    return decoder.decode(bytes.subarray(from, end));
  } catch (error) {
    const bad = validateUtf8(bytes, from, end);
    if (bad < 0) throw error;
    throw invalidUtf8(bad, base);
  }
}

/** The error for the byte at `position` of a window that starts at `base`. */
export function invalidUtf8(position: number, base: number): DecodeError {
  const offset = base < 0 ? undefined : base + position;
  return new DecodeError('invalid-utf8', 'a string is not valid UTF-8', { offset });
}

/**
 * The position of the first byte in `from..end` that is no part of well-formed UTF-8 (Unicode 15.0, table 3-7), −1
 * where there is none. Of a sequence that is cut or broken it is the first byte.
 */
export function validateUtf8(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end) {
    const lead = bytes[at]!;
    if (lead < 0x80) {
      at += 1;
      continue;
    }
    let size: number;
    // The second byte's range, which excludes overlong forms, surrogates and what is past U+10FFFF.
    let low = 0x80;
    let high = 0xbf;
    if (lead < 0xc2) return at;
    if (lead < 0xe0) {
      size = 2;
    } else if (lead < 0xf0) {
      size = 3;
      if (lead === 0xe0) low = 0xa0;
      else if (lead === 0xed) high = 0x9f;
    } else if (lead < 0xf5) {
      size = 4;
      if (lead === 0xf0) low = 0x90;
      else if (lead === 0xf4) high = 0x8f;
    } else {
      return at;
    }
    if (at + size > end) return at;
    const second = bytes[at + 1]!;
    if (second < low || second > high) return at;
    if (size > 2 && (bytes[at + 2]! & 0xc0) !== 0x80) return at;
    if (size > 3 && (bytes[at + 3]! & 0xc0) !== 0x80) return at;
    at += size;
  }
  return -1;
}

/** Whether every byte in `from..end` is ASCII. */
export function isAscii(bytes: Uint8Array, view: DataView, from: number, end: number): boolean {
  let at = from;
  for (const stop = end - 8; at <= stop; at += 8) {
    if (((view.getInt32(at) | view.getInt32(at + 4)) & 0x80808080) !== 0) return false;
  }
  for (; at < end; at += 1) {
    if (bytes[at]! >= 0x80) return false;
  }
  return true;
}

function mediumAscii(bytes: Uint8Array, from: number, length: number): string {
  const list = (units[length] ??= Array.from({ length }, () => 0));
  for (let i = 0; i < length; i += 1) list[i] = bytes[from + i]!;
  return char.apply(null, list);
}
