import { DecodeError, LimitError } from '../../errors.ts';
import { nodeText } from '../../engine/node-text.ts';
import { shortAscii as unrolled } from '../../engine/short-ascii.ts';
import { OFF } from '../../engine/switches.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const shortAscii: typeof unrolled = OFF.shortAscii ? () => undefined : unrolled;
const char = String.fromCharCode;
/** Longest string, in bytes, that is decoded by hand; the TextDecoder is faster for longer ones. */
const MEDIUM = 256;
/** One argument list per length: a call with an array of the exact length copies it at once. */
const units: number[][] = [];
/** Codes of `mediumText`. */
const codes: number[] = [];

/**
 * Decodes the UTF-8 in `from..end`. `base` is the offset of `bytes[0]` in the input, −1 if it has none. Throws
 * `invalid-utf8` with the offset of the first byte that is not UTF-8; keeps a byte order mark.
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

/** Like `decodeUtf8`, and faster, if a view of the same bytes is at hand. */
export function decodeText(bytes: Uint8Array, view: DataView, from: number, end: number, base: number): string {
  const length = end - from;
  if (length < 4 || length > MEDIUM) return decodeUtf8(bytes, from, end, base);
  const last = end - 4;
  // The last word may overlap the one before.
  let all = view.getInt32(last);
  for (let at = from; at < last; at += 4) all |= view.getInt32(at);
  if ((all & 0x80808080) !== 0) return decodeAny(bytes, from, end, base);
  return shortAscii(bytes, from, length) ?? mediumAscii(bytes, from, length);
}

function decodeAny(bytes: Uint8Array, from: number, end: number, base: number): string {
  if (end - from <= MEDIUM && validateUtf8(bytes, from, end) < 0) return mediumText(bytes, from, end);
  try {
    return decoder.decode(bytes.subarray(from, end));
  } catch {
    const bad = validateUtf8(bytes, from, end);
    // Strings of the engine are shorter.
    throw bad < 0 ? new LimitError('stringLength', `stringLength limit exceeded: a string of ${end - from} bytes`) : invalidUtf8(bad, base);
  }
}

/** The error for the byte at `position` of a window that starts at `base`. */
export function invalidUtf8(position: number, base: number): DecodeError {
  const offset = base < 0 ? undefined : base + position;
  return new DecodeError('invalid-utf8', 'a string is not valid UTF-8', { offset });
}

/**
 * Position of the first byte in `from..end` that is not part of well-formed UTF-8 (Unicode 15.0, table 3-7), −1 if all
 * are. For a cut or broken sequence, that is its first byte.
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
    // The range of the second byte excludes overlong forms, surrogates and codes past U+10FFFF.
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

/** True if every byte in `from..end` is ASCII. */
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
  if (nodeText) return nodeText.latin1Slice.call(bytes, from, from + length);
  const list = (units[length] ??= Array.from({ length }, () => 0));
  for (let i = 0; i < length; i += 1) list[i] = bytes[from + i]!;
  return char.apply(null, list);
}

/** Decodes a short range of well-formed UTF-8 faster than the TextDecoder. */
function mediumText(bytes: Uint8Array, from: number, end: number): string {
  if (nodeText) return nodeText.utf8Slice.call(bytes, from, end);
  let make = String.fromCharCode;
  let count = 0;
  let code = 0;
  for (let at = from; at < end; at += 1) {
    const byte = bytes[at]!;
    if (byte >> 6 === 2) {
      // A continuation byte, 10xxxxxx.
      code = (code << 6) | (byte & 0x3f);
    } else {
      count += 1;
      code = byte < 0x80 ? byte : byte & 0x1f;
      if (byte >= 0xf0) make = String.fromCodePoint;
    }
    // The lead byte of a four-byte sequence contributes one bit too many.
    codes[count - 1] = code & 0x1f_ff_ff;
  }
  return make.apply(null, codes.slice(0, count));
}
