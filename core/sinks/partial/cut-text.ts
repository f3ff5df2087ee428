import { BACKSLASH } from '../../bytes/text/json-bytes.ts';
import { decodeUtf8, validateUtf8 } from '../../bytes/text/text.ts';

const LETTER_U = 0x75;

/**
 * The text so far of a string that the input cuts. Grows by whole code points and whole escapes, and decodes each byte once,
 * however often it is asked for.
 */
export class CutText {
  text = '';
  /** Bytes of the token that are in `text`, or before it. */
  #at: number;
  readonly #escaped: boolean;

  /** `start` is the position of the text in the token; `escaped` is true for strings of JSON. */
  constructor(start: number, escaped: boolean) {
    this.#at = start;
    this.#escaped = escaped;
  }

  /** Takes in the bytes that have arrived. Stops at a byte that is not valid, which the reader reports. */
  grow(token: Uint8Array): void {
    const from = this.#at;
    if (from >= token.length) return;
    const escape = this.#escaped ? token.indexOf(BACKSLASH, from) : -1;
    const end = escape < 0 ? token.length : endOfEscapes(token, escape);
    const bad = validateUtf8(token, from, end);
    this.#at = bad < 0 ? end : bad;
    const text = decodeUtf8(token, from, this.#at, -1);
    this.text += escape < 0 ? text : (JSON.parse(`"${text}"`) as string);
  }
}

/** End of the token, or the position of the escape that it cuts. `first` is that of the first escape. */
function endOfEscapes(token: Uint8Array, first: number): number {
  for (let escape = first; escape >= 0;) {
    const length = escapeLength(token, escape);
    if (length === 0) return escape;
    escape = token.indexOf(BACKSLASH, escape + length);
  }
  return token.length;
}

/** Bytes of the escape at `at` (RFC 8259 section 7), two for a surrogate pair together; 0 if it is cut. */
function escapeLength(token: Uint8Array, at: number): number {
  const missing = token.length - at;
  if (missing < 2) return 0;
  if (token[at + 1] !== LETTER_U) return 2;
  if (missing < 6) return 0;
  if (unitAt(token, at) >> 10 !== 0x36) return 6;
  // A high surrogate: what follows shows whether it is half of a pair.
  if (missing < 7 || (token[at + 6] === BACKSLASH && missing < 8)) return 0;
  if (token[at + 6] !== BACKSLASH || token[at + 7] !== LETTER_U) return 6;
  if (missing < 12) return 0;
  return unitAt(token, at + 6) >> 10 === 0x37 ? 12 : 6;
}

/** The code unit of the escape at `at`, whose digits the reader has checked. */
function unitAt(token: Uint8Array, at: number): number {
  return Number.parseInt(String.fromCharCode(...token.subarray(at + 2, at + 6)), 16);
}
