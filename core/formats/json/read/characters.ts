export const TAB = 0x09;
export const LINE_FEED = 0x0a;
export const CARRIAGE_RETURN = 0x0d;
export const RECORD_SEPARATOR = 0x1e;
export const SPACE = 0x20;
export const QUOTE = 0x22;
export const PLUS = 0x2b;
export const COMMA = 0x2c;
export const MINUS = 0x2d;
export const POINT = 0x2e;
export const COLON = 0x3a;
export const OPEN_BRACKET = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_BRACKET = 0x5d;
export const LETTER_E = 0x65;
export const LETTER_F = 0x66;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
/** A byte XORed with this is the value of a digit if it is 0 to 9. */
export const ZERO = 0x30;

/** White space (RFC 8259 section 2). */
export function isWhite(byte: number): boolean {
  return byte === SPACE || byte === LINE_FEED || byte === CARRIAGE_RETURN || byte === TAB;
}

/** The position of the first byte in `at..to` that is not white space, or `to`. */
export function skipWhite(bytes: Uint8Array, view: DataView, at: number, to: number): number {
  while (at < to && isWhite(bytes[at]!)) {
    at += 1;
    // Indentation, four spaces at a time.
    while (at + 4 <= to && view.getInt32(at, true) === 0x20202020) at += 4;
  }
  return at;
}

/** `skipWhite` between the values of a sequence, where a record separator (RFC 7464) counts as white space. */
export function skipSeparators(bytes: Uint8Array, at: number, to: number): number {
  while (at < to && (isWhite(bytes[at]!) || bytes[at] === RECORD_SEPARATOR)) at += 1;
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
