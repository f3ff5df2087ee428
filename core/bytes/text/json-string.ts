import { BACKSLASH, QUOTE } from './json-bytes.ts';

/** Bytes that are checked one by one before falling back to the engine's `indexOf`. */
const NEAR = 48;

/** Position after the JSON string whose first character is at `from`; −1 if `bytes` end before its closing quotation mark. */
export function stringEnd(bytes: Uint8Array, from: number): number {
  const to = bytes.length;
  let at = from;
  for (;;) {
    for (const near = Math.min(at + NEAR, to); at < near; at += 1) {
      const byte = bytes[at];
      if (byte === QUOTE) return at + 1;
      if (byte === BACKSLASH) at += 1;
    }
    if (at >= to) return -1;
    const quote = bytes.indexOf(QUOTE, at);
    if (quote < 0) return -1;
    let before = quote;
    while (before > at && bytes[before - 1] === BACKSLASH) before -= 1;
    at = quote + 1;
    if ((quote - before) % 2 === 0) return at;
  }
}
