import { BACKSLASH, BRACE_BIT, CLOSE_BRACKET, COLON, COMMA, MINUS, OPEN_BRACE, QUOTE, scalarEnd, skipWhite, skipWhiteBack } from './bytes.ts';

/** The longest key, the longest beginning of an item, and the longest scalar before a key, that is compared. */
const LONGEST = 256;

/** A bracket has another two above it: the one that closes it. */
const TO_CLOSING = 2;

/** Kinds of scalars in a list that can be told apart by one byte. */
const OTHER = 0;
const NUMBER = 1;
const STRING = 2;

/** So many keys behind the first are compared, as far as what comes before them are scalars. */
const FURTHER_KEYS = 3;

/** How an item begins that is a list or an object. */
interface ItemHead {
  /** The brackets that it opens at once, and the first key of the last, with its quotation marks. */
  readonly opening: Uint8Array;
  /** By each byte, how far it stands from the beginning of the opening, at its first place behind that, or how long this is. */
  readonly steps: Uint8Array;
  /** The keys that follow. Items of inner lists often have the same first key. */
  readonly keys: readonly Uint8Array[];
}

/** White space between an item and the comma before it takes less. */
const GAP = 32;

/** Looks for items of one container that begin as a certain one does, and nowhere twice. */
export class ItemSearch {
  readonly #head: ItemHead;
  readonly #inObject: boolean;
  /** No item begins between these positions. */
  #from = 0;
  #to = 0;

  private constructor(head: ItemHead, inObject: boolean) {
    this.#head = head;
    this.#inObject = inObject;
  }

  /**
   * For items like the item or member at `at`; undefined where its value is no container or an empty object, or a key is
   * long.
   */
  static like(bytes: Uint8Array, at: number, to: number, inObject: boolean): ItemSearch | undefined {
    const value = inObject ? valueOfMember(bytes, at, to) : at;
    if (value < 0) return undefined;
    const end = headEnd(bytes, value, to);
    if (end === value) return undefined;
    const opening = bytes.slice(value, end);
    return new ItemSearch({ opening, steps: stepsOf(opening), keys: furtherKeys(bytes, end, to) }, inObject);
  }

  /** Positions have changed. */
  forget(): void {
    this.#from = this.#to = 0;
  }

  /** The position of the comma before the last such item in `from..to`; −1 where there is none. */
  last(bytes: Uint8Array, from: number, to: number): number {
    const start = from >= this.#from && from < this.#to ? this.#to : from;
    if (start >= to) return -1;
    const cut = guessCut(bytes, this.#head, start, to, this.#inObject);
    if (cut < 0) this.#note(from, to - this.#head.opening.length - GAP);
    return cut;
  }

  #note(from: number, to: number): void {
    const touches = from <= this.#to && to >= this.#from - this.#head.opening.length - GAP;
    this.#from = touches ? Math.min(from, this.#from) : from;
    this.#to = touches ? Math.max(to, this.#to) : to;
  }
}

/**
 * Guesses where an item ends in `from..to`, the last one that does: the position of the comma behind it, or −1. The guess
 * is a comma before an item that begins as the others do: with the same brackets, and the same keys, or at least the same
 * first key.
 *
 * A quotation mark in a string has a backslash before it, so what looks like a key is seldom part of a string; it may be
 * in a list of another depth. A caller that cuts there must check that the piece parses.
 */
function guessCut(bytes: Uint8Array, head: ItemHead, from: number, to: number, inObject: boolean): number {
  const { opening, steps, keys } = head;
  const first = opening[0]!;
  let similar = -1;
  for (let start = to - opening.length - 1; start > from; start -= steps[bytes[start]!]!) {
    if (bytes[start] !== first || !repeats(bytes, opening, start)) continue;
    const isLike = hasKeys(bytes, start + opening.length, to, keys);
    if (!isLike && similar >= 0) continue;
    const comma = inObject ? commaBeforeKey(bytes, start, from) : skipWhiteBack(bytes, start - 1, from);
    if (comma <= from || bytes[comma] !== COMMA) continue;
    const close = skipWhiteBack(bytes, comma - 1, from);
    if (bytes[close] !== first + TO_CLOSING) continue;
    if (isLike) return comma;
    similar = comma;
  }
  return similar;
}

/**
 * How far back the next place may be where an opening stands, from one where it does not, by the byte there. Horspool:
 * Practical fast searching in strings, 1980, from the end.
 */
function stepsOf(opening: Uint8Array): Uint8Array {
  const steps = new Uint8Array(256).fill(Math.min(opening.length, 255));
  for (let at = Math.min(opening.length, 255) - 1; at > 0; at -= 1) steps[opening[at]!] = at;
  return steps;
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

/** Where the opening of the item at `at` ends; `at` for an empty object, or one whose key is long. */
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
  return quote < 0 ? at : quote + 1;
}

/** The keys of the members that follow one whose key ends at `at`. */
function furtherKeys(bytes: Uint8Array, at: number, to: number): Uint8Array[] {
  const keys: Uint8Array[] = [];
  for (let key = nextKey(bytes, at, to); key >= 0 && keys.length < FURTHER_KEYS;) {
    const end = keyEnd(bytes, key, Math.min(key + LONGEST, to)) + 1;
    if (end === 0) break;
    keys.push(bytes.slice(key, end));
    key = nextKey(bytes, end, to);
  }
  return keys;
}

/** Whether members with these keys follow the one whose key ends at `at`. */
function hasKeys(bytes: Uint8Array, at: number, to: number, keys: readonly Uint8Array[]): boolean {
  let end = at;
  for (const key of keys) {
    const start = nextKey(bytes, end, to);
    if (start < 0 || !startsWith(bytes, key, start)) return false;
    end = start + key.length;
  }
  return true;
}

/** Where the key begins that follows the member whose key ends at `at`; −1 where that has no short scalar, or none follows. */
function nextKey(bytes: Uint8Array, at: number, to: number): number {
  const part = bytes.subarray(0, Math.min(at + LONGEST, to));
  const colon = skipWhite(part, at, part.length);
  const value = skipWhite(part, colon + 1, part.length);
  if (part[colon] !== COLON || (part[value]! | BRACE_BIT) === OPEN_BRACE) return -1;
  const end = scalarEnd(part, value);
  if (end < 0) return -1;
  const comma = skipWhite(part, end, part.length);
  const key = skipWhite(part, comma + 1, part.length);
  return part[comma] === COMMA && part[key] === QUOTE ? key : -1;
}

/** Whether the opening stands at `start`, and no further bracket opens there. */
function repeats(bytes: Uint8Array, opening: Uint8Array, start: number): boolean {
  return startsWith(bytes, opening, start) && (bytes[start + opening.length]! | BRACE_BIT) !== OPEN_BRACE;
}

function startsWith(bytes: Uint8Array, text: Uint8Array, start: number): boolean {
  for (let at = 0; at < text.length; at += 1) if (text[at] !== bytes[start + at]) return false;
  return true;
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

/**
 * In a list whose item at `at` is a number or a string: the end of the list, or a comma between two of that kind behind
 * `from`; −1 where there is none before `to`.
 */
export function guessScalarCut(bytes: Uint8Array, at: number, from: number, to: number): number {
  const kind = kindOf(bytes[at]);
  if (kind === OTHER) return -1;
  const part = bytes.subarray(0, to);
  const close = part.indexOf(CLOSE_BRACKET, at);
  if (close >= 0) return close;
  for (let comma = part.lastIndexOf(COMMA); comma > from; comma = part.lastIndexOf(COMMA, comma - 1)) {
    const after = skipWhite(bytes, comma + 1, to);
    const before = skipWhiteBack(bytes, comma - 1, from);
    if (kindOf(bytes[before]) === kind && kindOf(part[after]) === kind && bytes[before - 1] !== BACKSLASH) return comma;
  }
  return -1;
}

function kindOf(byte: number | undefined): number {
  if (byte === undefined) return OTHER;
  if (byte === QUOTE) return STRING;
  return byte === MINUS || (byte >= 0x30 && byte <= 0x39) ? NUMBER : OTHER;
}
