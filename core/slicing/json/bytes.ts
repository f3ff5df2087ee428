import { stringEnd } from '../../bytes/text/json-string.ts';

/** Bytes with a meaning in JSON's grammar (RFC 8259). */
export const TAB = 0x09;
export const LINE_FEED = 0x0a;
export const CARRIAGE_RETURN = 0x0d;
export const RECORD_SEPARATOR = 0x1e;
export const SPACE = 0x20;
export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const MINUS = 0x2d;
export const COLON = 0x3a;
export const OPEN_BRACKET = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_BRACKET = 0x5d;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;

/** Bit that turns a bracket into the brace of the same side. */
export const BRACE_BIT = 0x20;

/** White space of RFC 8259 section 2. */
export function isWhite(byte: number | undefined): boolean {
  return byte === SPACE || byte === LINE_FEED || byte === CARRIAGE_RETURN || byte === TAB;
}

/** Position of the first byte in `at..to` that is not white space; `to` if not found. */
export function skipWhite(bytes: Uint8Array, at: number, to: number): number {
  let next = at;
  while (next < to && isWhite(bytes[next])) next += 1;
  return next;
}

/** Position of the last byte in `from..at` that is not white space; `from` − 1 if not found. */
export function skipWhiteBack(bytes: Uint8Array, at: number, from: number): number {
  let last = at;
  while (last >= from && isWhite(bytes[last])) last -= 1;
  return last;
}

/** Position after the scalar at `from`, which is not checked; −1 if `bytes` end within or right after it. */
export function scalarEnd(bytes: Uint8Array, from: number): number {
  if (bytes[from] === QUOTE) return stringEnd(bytes, from + 1);
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at]!;
    const closes = (byte | BRACE_BIT) === CLOSE_BRACE;
    if (closes || byte === COMMA || byte <= SPACE || byte === QUOTE || (byte | BRACE_BIT) === OPEN_BRACE) return at;
  }
  return -1;
}
