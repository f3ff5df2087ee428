import {
  CARRIAGE_RETURN,
  isWhite,
  LETTER_E,
  LINE_FEED,
  MINUS,
  PLUS,
  POINT,
  RECORD_SEPARATOR,
  SPACE,
  TAB,
  ZERO,
} from '../../../bytes/text/json-bytes.ts';

/** The position of the first byte in `at..to` that is not white space, or `to`. */
export function skipWhite(bytes: Uint8Array, view: DataView, at: number, to: number): number {
  while (at < to && isWhite(bytes[at])) {
    at += 1;
    // Indentation, four spaces at a time.
    while (at + 4 <= to && view.getInt32(at, true) === 0x20202020) at += 4;
  }
  return at;
}

/** `skipWhite` between the values of a sequence, where a record separator (RFC 7464) counts as white space. */
export function skipSeparators(bytes: Uint8Array, at: number, to: number): number {
  while (at < to && (isWhite(bytes[at]) || bytes[at] === RECORD_SEPARATOR)) at += 1;
  return at;
}

/** True if a byte can occur in a number. */
export function isNumberByte(byte: number): boolean {
  return (byte ^ ZERO) <= 9 || byte === POINT || byte === MINUS || byte === PLUS || (byte | 0x20) === LETTER_E;
}

/** Names a byte in an error message. */
export function nameByte(byte: number): string {
  if (byte === LINE_FEED || byte === CARRIAGE_RETURN) return 'a line break';
  if (byte === TAB) return 'a tab';
  if (byte > SPACE && byte < 0x7f) return byte === 0x27 ? `"'"` : `'${String.fromCharCode(byte)}'`;
  return byte === SPACE ? 'a space' : `the byte 0x${byte.toString(16).padStart(2, '0')}`;
}

/** The words `true`, `null` and `alse`, little-endian. */
export const TRUE = 0x65757274;
export const NULL = 0x6c6c756e;
export const ALSE = 0x65736c61;
