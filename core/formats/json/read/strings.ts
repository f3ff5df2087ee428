import { BACKSLASH, QUOTE } from '../../../bytes/text/json-bytes.ts';

/**
 * The position of the first byte in `at..to` that cannot occur unescaped in a string: a quotation mark, a backslash or
 * a control character (RFC 8259 section 7). Returns `to` if there is no such byte.
 */
export function findSpecial(bytes: Uint8Array, view: DataView, at: number, to: number): number {
  const stop = (to - 4) | 0;
  while (at <= stop) {
    const word = view.getInt32(at, true);
    // The top bit of a byte is set if (byte ^ 2) < 0x21, thus for 0x00..0x1f and 0x22, or if (byte ^ 0x5c) < 1. A
    // borrow can set it wrongly only above a byte for which it is set rightly, and only the lowest counts.
    const found = (((word ^ 0x02020202) - 0x21212121) | ((word ^ 0x5c5c5c5c) - 0x01010101)) & ~word & 0x80808080;
    if (found !== 0) return at + ((31 - Math.clz32(found & -found)) >> 3);
    at = (at + 4) | 0;
  }
  while (at < to) {
    const byte = bytes[at]!;
    if (byte === QUOTE || byte === BACKSLASH || byte < 0x20) break;
    at += 1;
  }
  return at;
}

/** The value of a hexadecimal digit; 16 for any other byte. */
export function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : 16;
}

/** The character for each escape (RFC 8259 section 7); 0 for none, and for `u`. */
const ESCAPES = new Uint8Array(256);
for (const [escape, character] of Object.entries({ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' })) {
  ESCAPES[escape.charCodeAt(0)] = character.charCodeAt(0);
}

/** True if a backslash and this byte form a complete escape. */
export function isShortEscape(byte: number): boolean {
  return ESCAPES[byte] !== 0;
}

/**
 * Unescapes the string in `from..end`, whose escapes are known to be valid, into `target`, which must be as long as
 * `from..end`. Returns the length; -1 if an escaped surrogate is unpaired, which UTF-8 cannot represent.
 */
export function unescapeTo(target: Uint8Array, bytes: Uint8Array, view: DataView, from: number, end: number): number {
  let at = from;
  let length = 0;
  for (;;) {
    const next = findSpecial(bytes, view, at, end);
    if (next - at < 32) while (at < next) target[length++] = bytes[at++]!;
    else {
      target.set(bytes.subarray(at, next), length);
      length += next - at;
    }
    if (next === end) return length;
    const character = ESCAPES[bytes[next + 1]!]!;
    if (character !== 0) {
      target[length++] = character;
      at = next + 2;
      continue;
    }
    let code = readUnit(bytes, next + 2);
    at = next + 6;
    if (code >= 0xd800 && code < 0xe000) {
      if (code >= 0xdc00 || at === end || bytes[at] !== BACKSLASH || bytes[at + 1] !== 0x75) return -1;
      const low = readUnit(bytes, at + 2);
      if (low < 0xdc00 || low >= 0xe000) return -1;
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
      at += 6;
    }
    length = writeCode(target, length, code);
  }
}

/** Reads four hexadecimal digits: a UTF-16 code unit. */
function readUnit(bytes: Uint8Array, at: number): number {
  return (hexDigit(bytes[at]!) << 12) | (hexDigit(bytes[at + 1]!) << 8) | (hexDigit(bytes[at + 2]!) << 4) | hexDigit(bytes[at + 3]!);
}

/** Writes a code point as UTF-8 and returns the position after it. */
function writeCode(target: Uint8Array, at: number, code: number): number {
  if (code < 0x80) {
    target[at++] = code;
    return at;
  }
  if (code < 0x800) {
    target[at++] = 0xc0 | (code >> 6);
  } else {
    if (code < 0x10000) {
      target[at++] = 0xe0 | (code >> 12);
    } else {
      target[at++] = 0xf0 | (code >> 18);
      target[at++] = 0x80 | ((code >> 12) & 0x3f);
    }
    target[at++] = 0x80 | ((code >> 6) & 0x3f);
  }
  target[at++] = 0x80 | (code & 0x3f);
  return at;
}
