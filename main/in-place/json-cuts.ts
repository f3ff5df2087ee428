import {
  BACKSLASH,
  BRACE_BIT,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  MINUS,
  OPEN_BRACE,
  QUOTE,
  skipWhite,
  skipWhiteBack,
} from './json-bytes.ts';

/** The longest key, and the longest beginning of an item, that is compared. */
const LONGEST = 256;

/** A bracket has another two above it: the one that closes it. */
const TO_CLOSING = 2;

/** Kinds of scalars in a list that can be told apart by one byte. */
const OTHER = 0;
const NUMBER = 1;
const STRING = 2;

/**
 * Guesses where an item ends, as far behind `at` as there is one in `at..to`, but for its first part: the position of a
 * comma or closing bracket, or −1. `at` is the beginning of an item of a list, or of a member of an object.
 *
 * The guess is a place where the next item begins as this one does: with the same brackets, and the same first key. A
 * quotation mark in a string has a backslash before it, so what looks like a key is seldom part of a string; it may be in
 * a list of another depth. A caller that cuts there must check that the piece parses.
 */
export function guessCut(bytes: Uint8Array, at: number, to: number, inObject: boolean): number {
  const least = at + ((to - at) >> 3);
  const value = inObject ? valueOfMember(bytes, at, to) : at;
  if (value < 0) return -1;
  const end = headEnd(bytes, value, to);
  if (end === value) return inObject ? -1 : guessScalar(bytes, at, to, least);
  const first = bytes[value]!;
  const length = end - value;
  for (let start = to - length - 1; start > least; start -= 1) {
    if (bytes[start] !== first || !repeats(bytes, value, end, start)) continue;
    const comma = inObject ? commaBeforeKey(bytes, start, least) : skipWhiteBack(bytes, start - 1, least);
    if (comma <= least || bytes[comma] !== COMMA) continue;
    const close = skipWhiteBack(bytes, comma - 1, least);
    if (bytes[close] === first + TO_CLOSING) return comma;
  }
  return -1;
}

/** The position of the value of the member at `at`; −1 where its key is long, or this is no member. */
export function valueOfMember(bytes: Uint8Array, at: number, to: number): number {
  const most = Math.min(at + LONGEST, to);
  const quote = keyEnd(bytes, at, most);
  if (quote < 0) return -1;
  const colon = skipWhite(bytes, quote + 1, to);
  return bytes[colon] === COLON ? skipWhite(bytes, colon + 1, to) : -1;
}

/** The position of the quotation mark that ends the key at `at`; −1 where there is none before `to`, nor in keys with escapes. */
function keyEnd(bytes: Uint8Array, at: number, to: number): number {
  if (bytes[at] !== QUOTE) return -1;
  for (let next = at + 1; next < to; next += 1) {
    if (bytes[next] === QUOTE) return next;
    if (bytes[next] === BACKSLASH) return -1;
  }
  return -1;
}

/** Where the beginning of the item at `at` ends: the brackets that it opens at once, and the first key of the last. */
function headEnd(bytes: Uint8Array, at: number, to: number): number {
  const most = Math.min(at + LONGEST, to);
  let end = at;
  let last = 0;
  let next = at;
  while (next < most && (bytes[next]! | BRACE_BIT) === OPEN_BRACE) {
    last = bytes[next]!;
    end = next + 1;
    next = skipWhite(bytes, end, most);
  }
  if (last !== OPEN_BRACE) return end;
  const quote = keyEnd(bytes, next, most);
  return quote < 0 ? end : quote + 1;
}

/** Whether what stands at `from..to` stands at `start` too, and no further bracket opens there. */
function repeats(bytes: Uint8Array, from: number, to: number, start: number): boolean {
  const shift = start - from;
  for (let at = from + 1; at < to; at += 1) if (bytes[at] !== bytes[at + shift]) return false;
  return (bytes[to + shift]! | BRACE_BIT) !== OPEN_BRACE;
}

/** The position of what stands before the key of the value at `start`: a comma, if this is a member that is not the first. */
function commaBeforeKey(bytes: Uint8Array, start: number, from: number): number {
  const colon = skipWhiteBack(bytes, start - 1, from);
  const quote = skipWhiteBack(bytes, colon - 1, from);
  if (bytes[colon] !== COLON || bytes[quote] !== QUOTE) return -1;
  for (let at = quote - 1, first = Math.max(from, quote - LONGEST); at > first; at -= 1) {
    if (bytes[at] === QUOTE && bytes[at - 1] !== BACKSLASH) return skipWhiteBack(bytes, at - 1, from);
  }
  return -1;
}

/** The end of the list, or a comma between two numbers or two strings, if the scalar at `at` is one of those. */
function guessScalar(bytes: Uint8Array, at: number, to: number, least: number): number {
  const kind = kindOf(bytes[at]);
  if (kind === OTHER) return -1;
  const part = bytes.subarray(0, to);
  const close = part.indexOf(CLOSE_BRACKET, at);
  if (close >= 0) return close;
  for (let comma = part.lastIndexOf(COMMA); comma > least; comma = part.lastIndexOf(COMMA, comma - 1)) {
    const after = skipWhite(bytes, comma + 1, to);
    const before = skipWhiteBack(bytes, comma - 1, least);
    if (kindOf(bytes[before]) === kind && kindOf(part[after]) === kind && bytes[before - 1] !== BACKSLASH) return comma;
  }
  return -1;
}

function kindOf(byte: number | undefined): number {
  if (byte === undefined) return OTHER;
  if (byte === QUOTE) return STRING;
  return byte === MINUS || (byte >= 0x30 && byte <= 0x39) ? NUMBER : OTHER;
}
