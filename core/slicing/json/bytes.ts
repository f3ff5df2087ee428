import { BRACE_BIT, CLOSE_BRACE, COMMA, isWhite, OPEN_BRACE, QUOTE, SPACE } from '../../bytes/text/json-bytes.ts';
import { stringEnd } from '../../bytes/text/json-string.ts';

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
