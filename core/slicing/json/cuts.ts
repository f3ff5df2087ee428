import { BACKSLASH, BRACE_BIT, CLOSE_BRACKET, COLON, COMMA, MINUS, OPEN_BRACE, QUOTE } from '../../bytes/text/json-bytes.ts';
import { scalarEnd, skipWhite, skipWhiteBack } from './bytes.ts';

/** Longest key, item head and scalar before a key that are compared, in bytes. */
const MAX_LENGTH = 256;

/** Difference between the bytes of a closing and an opening bracket, the same for both kinds. */
const TO_CLOSING = 2;

/** Kinds of scalars that one byte identifies. */
const OTHER = 0;
const NUMBER = 1;
const STRING = 2;

/** Keys compared after the first, as long as scalars separate them. */
const FURTHER_KEYS = 3;

/** Beginning of an item that is a list or an object. */
interface ItemHead {
  /** The leading brackets, and the first key of the innermost object, with its quotation marks. */
  readonly opening: Uint8Array;
  /**
   * For each byte value, its distance from the start of `opening` at its first later occurrence; otherwise the length
   * of `opening`.
   */
  readonly steps: Uint8Array;
  /** The keys that follow. Items of inner lists often share their first key with the outer item. */
  readonly keys: readonly Uint8Array[];
}

/** Upper bound for the white space between an item and the comma before it. */
const GAP = 32;

/** Bytes that a search compares, per byte that it searches, before it gives up: more than in any usual text. */
const MAX_WORK = 4;

/** Searches a container for items that begin like a sample item, and remembers ranges without any. */
export class ItemSearch {
  /** Bytes that the last search has looked at, some of them several times. */
  work = 0;
  readonly #head: ItemHead;
  readonly #inObject: boolean;
  /** Range in which no item begins. */
  #from = 0;
  #to = 0;

  private constructor(head: ItemHead, inObject: boolean) {
    this.#head = head;
    this.#inObject = inObject;
  }

  /**
   * Creates a search for items like the item or member at `at`; undefined if its value is a scalar or an empty object,
   * or if a key is long.
   */
  static like(bytes: Uint8Array, at: number, to: number, inObject: boolean): ItemSearch | undefined {
    const value = inObject ? valueOfMember(bytes, at, to) : at;
    if (value < 0) return undefined;
    const end = headEnd(bytes, value, to);
    if (end === value) return undefined;
    const opening = bytes.slice(value, end);
    return new ItemSearch({ opening, steps: stepsOf(opening), keys: furtherKeys(bytes, end, to) }, inObject);
  }

  /** Forgets positions after the window moved. */
  forget(): void {
    this.#from = this.#to = 0;
  }

  /** Position of the comma before the last such item in `from..to`; −1 if not found. */
  last(bytes: Uint8Array, from: number, to: number): number {
    const start = from >= this.#from && from < this.#to ? this.#to : from;
    this.work = 0;
    if (start >= to) return -1;
    const cut = this.#guess(bytes, start, to);
    if (cut < 0) this.#note(from, to - this.#head.opening.length - GAP);
    return cut;
  }

  /**
   * Guesses the end of the last item in `from..to`: the position of the comma after it, or −1. Looks for a comma before
   * an item that begins like the others, with the same brackets and the same keys, or at least the same first key.
   *
   * Text that looks like a key is seldom part of a string, since quotation marks in strings are escaped. It may belong to
   * a list at another depth, so the caller must check that the piece parses.
   */
  #guess(bytes: Uint8Array, from: number, to: number): number {
    const { opening, steps, keys } = this.#head;
    const first = opening[0]!;
    const maxWork = (to - from) * MAX_WORK;
    let work = to - from;
    let similar = -1;
    for (let start = to - opening.length - 1; start > from && work <= maxWork; start -= steps[bytes[start]!]!) {
      if (bytes[start] !== first) continue;
      work += opening.length;
      if (!repeats(bytes, opening, start)) continue;
      work += MAX_LENGTH;
      const isLike = hasKeys(bytes, start + opening.length, to, keys);
      if (!isLike && similar >= 0) continue;
      const comma = this.#inObject ? commaBeforeKey(bytes, start, from) : skipWhiteBack(bytes, start - 1, from);
      if (comma <= from || bytes[comma] !== COMMA) continue;
      const close = skipWhiteBack(bytes, comma - 1, from);
      if (bytes[close] !== first + TO_CLOSING) continue;
      similar = comma;
      if (isLike) break;
    }
    this.work = work;
    return similar;
  }

  #note(from: number, to: number): void {
    const touches = from <= this.#to && to >= this.#from - this.#head.opening.length - GAP;
    this.#from = touches ? Math.min(from, this.#from) : from;
    this.#to = touches ? Math.max(to, this.#to) : to;
  }
}

/**
 * Backward steps of Horspool's search (Practical fast searching in strings, 1980), which runs from the end: for the
 * byte at a position without an opening, the distance to the next candidate.
 */
function stepsOf(opening: Uint8Array): Uint8Array {
  const steps = new Uint8Array(256).fill(Math.min(opening.length, 255));
  for (let at = Math.min(opening.length, 255) - 1; at > 0; at -= 1) steps[opening[at]!] = at;
  return steps;
}

/** Position of the value of the member at `at`; −1 if its key is long, or if there is no member. */
export function valueOfMember(bytes: Uint8Array, at: number, to: number): number {
  const limit = Math.min(at + MAX_LENGTH, to);
  const quote = keyEnd(bytes, at, limit);
  if (quote < 0) return -1;
  const colon = skipWhite(bytes, quote + 1, to);
  return bytes[colon] === COLON ? skipWhite(bytes, colon + 1, to) : -1;
}

/** Position of the quotation mark that closes the key at `at`; −1 if not found before `to`, or the key has escapes. */
function keyEnd(bytes: Uint8Array, at: number, to: number): number {
  if (bytes[at] !== QUOTE) return -1;
  for (let next = at + 1; next < to; next += 1) {
    if (bytes[next] === QUOTE) return next;
    if (bytes[next] === BACKSLASH) return -1;
  }
  return -1;
}

/** End of the opening of the item at `at`; `at` for an empty object, or one whose key is long. */
function headEnd(bytes: Uint8Array, at: number, to: number): number {
  const limit = Math.min(at + MAX_LENGTH, to);
  let end = at;
  let last = 0;
  let next = at;
  while (next < limit && (bytes[next]! | BRACE_BIT) === OPEN_BRACE) {
    last = bytes[next]!;
    end = next + 1;
    next = skipWhite(bytes, end, limit);
  }
  if (last !== OPEN_BRACE) return end;
  const quote = keyEnd(bytes, next, limit);
  return quote < 0 ? at : quote + 1;
}

/** Keys of the members after the one whose key ends at `at`. */
function furtherKeys(bytes: Uint8Array, at: number, to: number): Uint8Array[] {
  const keys: Uint8Array[] = [];
  for (let key = nextKey(bytes, at, to); key >= 0 && keys.length < FURTHER_KEYS;) {
    const end = keyEnd(bytes, key, Math.min(key + MAX_LENGTH, to)) + 1;
    if (end === 0) break;
    keys.push(bytes.slice(key, end));
    key = nextKey(bytes, end, to);
  }
  return keys;
}

/** True if members with these keys follow the one whose key ends at `at`. */
function hasKeys(bytes: Uint8Array, at: number, to: number, keys: readonly Uint8Array[]): boolean {
  let end = at;
  for (const key of keys) {
    const start = nextKey(bytes, end, to);
    if (start < 0 || !startsWith(bytes, key, start)) return false;
    end = start + key.length;
  }
  return true;
}

/**
 * Start of the key after the member whose key ends at `at`; −1 if that member is not a short scalar, or is the last
 * one.
 */
function nextKey(bytes: Uint8Array, at: number, to: number): number {
  const part = bytes.subarray(0, Math.min(at + MAX_LENGTH, to));
  const colon = skipWhite(part, at, part.length);
  const value = skipWhite(part, colon + 1, part.length);
  if (part[colon] !== COLON || (part[value]! | BRACE_BIT) === OPEN_BRACE) return -1;
  const end = scalarEnd(part, value);
  if (end < 0) return -1;
  const comma = skipWhite(part, end, part.length);
  const key = skipWhite(part, comma + 1, part.length);
  return part[comma] === COMMA && part[key] === QUOTE ? key : -1;
}

/** True if `opening` is at `start` and no further bracket follows it. */
function repeats(bytes: Uint8Array, opening: Uint8Array, start: number): boolean {
  return startsWith(bytes, opening, start) && (bytes[start + opening.length]! | BRACE_BIT) !== OPEN_BRACE;
}

function startsWith(bytes: Uint8Array, text: Uint8Array, start: number): boolean {
  for (let at = 0; at < text.length; at += 1) if (text[at] !== bytes[start + at]) return false;
  return true;
}

/** Position of the byte before the key of the value at `start`: a comma, unless this is the first member. */
function commaBeforeKey(bytes: Uint8Array, start: number, from: number): number {
  const colon = skipWhiteBack(bytes, start - 1, from);
  const quote = skipWhiteBack(bytes, colon - 1, from);
  if (bytes[colon] !== COLON || bytes[quote] !== QUOTE) return -1;
  for (let at = quote - 1, first = Math.max(from, quote - MAX_LENGTH); at > first; at -= 1) {
    if (bytes[at] === QUOTE && bytes[at - 1] !== BACKSLASH) return skipWhiteBack(bytes, at - 1, from);
  }
  return -1;
}

/**
 * Guesses a cut in a list whose item at `at` is a number or a string: the end of the list, or a comma after `from`
 * between two items of the same kind; −1 if not found before `to`.
 */
export function guessScalarCut(bytes: Uint8Array, at: number, from: number, to: number): number {
  const kind = kindOf(bytes[at]);
  if (kind === OTHER) return -1;
  const close = bytes.subarray(at, to).indexOf(CLOSE_BRACKET);
  if (close >= 0) return at + close;
  const part = bytes.subarray(from, to);
  for (let last = part.lastIndexOf(COMMA); last > 0; last = part.lastIndexOf(COMMA, last - 1)) {
    const comma = from + last;
    const after = skipWhite(bytes, comma + 1, to);
    const before = skipWhiteBack(bytes, comma - 1, from);
    if (kindOf(bytes[before]) === kind && after < to && kindOf(bytes[after]) === kind && bytes[before - 1] !== BACKSLASH) return comma;
  }
  return -1;
}

function kindOf(byte: number | undefined): number {
  if (byte === undefined) return OTHER;
  if (byte === QUOTE) return STRING;
  return byte === MINUS || (byte >= 0x30 && byte <= 0x39) ? NUMBER : OTHER;
}
