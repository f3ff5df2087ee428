/** Bytes with a meaning in JSON (RFC 8259), and the record separator of sequences (RFC 7464). */
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

/** Bit that turns a bracket into the brace of the same side. */
export const BRACE_BIT = 0x20;

/** True for white space (RFC 8259 section 2). */
export function isWhite(byte: number | undefined): boolean {
  return byte === SPACE || byte === LINE_FEED || byte === CARRIAGE_RETURN || byte === TAB;
}
