import type { Budget } from '../../../budget.ts';
import type { Sink } from '../../../reading/sink.ts';
import { decodeUtf8, invalidUtf8, validateUtf8 } from '../../../bytes/text/text.ts';
import type { Input } from '../read/input.ts';
import type { ItemReader } from '../read/items.ts';
import { readFloat16 } from '../../../bytes/numbers.ts';
import type { Int64Mode } from '../../../reading/int64.ts';
import { convertBigInt, readTime } from '../numbers.ts';
import { JSON_TAG } from '../revive.ts';
import { TYPED_ARRAYS } from './typed-arrays.ts';
import { sendNumber } from '../read/scalars.ts';
import type { Stack } from '../read/stack.ts';
import { checkJson, checkUrl } from './text-content.ts';

const SECOND = 1000;
const DAY = 86_400_000;

/** Required content of a tag: a text string, a byte string, or a number. */
export const TEXT = 1;
export const BYTES = 2;
export const NUMBER = 3;

const CONTENT = new Uint8Array(128);
for (const tag of [0, 32, 33, 34, 35]) CONTENT[tag] = TEXT;
for (const tag of [2, 3, ...TYPED_ARRAYS.keys()]) CONTENT[tag] = BYTES;
for (const tag of [1, 100]) CONTENT[tag] = NUMBER;
const FURTHER = new Map([
  [262, TEXT],
  [273, BYTES],
  [1004, TEXT],
  [21065, TEXT],
]);

/** TEXT, BYTES, NUMBER, or 0 for other content. */
export function contentOf(tag: number): number {
  return tag < 128 ? CONTENT[tag]! : (FURTHER.get(tag) ?? 0);
}

/** Sends the values of tags whose content is one string or number. The tag begins at `at`. */
export class Content {
  readonly #input: Input;
  readonly #items: ItemReader;
  readonly #sink: Sink;
  readonly #stack: Stack;
  readonly #int64: Int64Mode;
  readonly #budget: Budget;

  constructor(input: Input, stack: Stack, items: ItemReader, sink: Sink, int64: Int64Mode, budget: Budget) {
    this.#input = input;
    this.#stack = stack;
    this.#items = items;
    this.#sink = sink;
    this.#int64 = int64;
    this.#budget = budget;
  }

  number(tag: number, value: number, at: number, end: number): void {
    // 1: seconds since 1970 (RFC 8949 section 3.4.2); 100: days (RFC 8943)
    this.#sink.date(readTime(value, tag === 1 ? SECOND : DAY), at, end);
  }

  /** `isReference`: the text was referred to, so that its values may outnumber the bytes of input. */
  text(tag: number, text: string, at: number, end: number, isReference = false): void {
    const sink = this.#sink;
    const { values } = this.#stack;
    switch (tag) {
      case 0: // date and time (RFC 8949 section 3.4.1)
      case 1004: // date (RFC 8943)
        sink.date(Date.parse(text), at, end);
        break;
      case 33: // base64url
      case 34: // base64 (RFC 8949 section 3.4.5.3)
        this.#copied(0, this.#base64(tag === 33 ? text.replaceAll('-', '+').replaceAll('_', '/') : text, at));
        break;
      case 32: // URI
        checkUrl(text, this.#input, at);
        sink.beginTagged('URL', at, end);
        sink.text(text, at, end);
        sink.endTagged(end);
        break;
      case 262: // JSON
        checkJson(text, this.#stack, this.#input.base + at);
        if (isReference) this.#budget.spend(this.#stack.values - values, this.#input.base + at);
        sink.beginTagged(JSON_TAG, at, end);
        sink.text(text, at, end);
        sink.endTagged(end);
        break;
      default: // 35: regular expression; 21065: I-Regexp (RFC 9485)
        sink.beginTagged('RegExp', at, end);
        sink.beginArray(tag === 35 ? 1 : 2, at, end);
        sink.text(tag === 35 ? text : `^(?:${text})$`, at, end);
        if (tag !== 35) sink.text('u', at, end);
        sink.endArray(end);
        sink.endTagged(end);
    }
  }

  /** Sends a value from a byte string. `bytes` are the reader's window, or a copy. */
  bytes(tag: number, bytes: Uint8Array, from: number, end: number, at: number): void {
    const input = this.#input;
    if (tag === 2 || tag === 3) {
      // Positions refer to the window even if the bytes are a copy.
      const value = this.#items.bignum(bytes, from, end, tag === 3, at);
      sendNumber(this.#sink, convertBigInt(value, this.#int64), at, bytes === input.bytes ? end : at);
      return;
    }
    if (tag === 273) {
      this.#sink.text(decodeWtf8(bytes, from, end, bytes === input.bytes ? input.base : -1), at, bytes === input.bytes ? end : at);
      return;
    }
    const { kind, size, bigEndian, half } = TYPED_ARRAYS.get(tag)!;
    if ((end - from) % size !== 0) input.fail('malformed', `the tag ${tag} has ${end - from} bytes`, at);
    if (half) this.#copied(kind, widen(bytes, from, end, bigEndian));
    else if (bigEndian) this.#copied(kind, swap(bytes, from, end, size));
    else if (bytes === input.bytes) this.#sink.binary(kind, at, from, end);
    else this.#copied(kind, bytes.subarray(from, end));
  }

  /** Sends bytes that are not part of the input. */
  #copied(kind: number, bytes: Uint8Array): void {
    const { bytes: window, view, base } = this.#input;
    this.#sink.window(bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.length), -1);
    this.#sink.binary(kind, 0, 0, bytes.length);
    this.#sink.window(window, view, base);
  }

  #base64(text: string, at: number): Uint8Array {
    if (/\s/.test(text)) this.#input.fail('malformed', 'base64 must not contain white space', at);
    try {
      return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
    } catch {
      return this.#input.fail('malformed', 'a text that is not base64', at);
    }
  }
}

/** Decodes UTF-8 that may contain unpaired surrogates (https://wtf-8.codeberg.page). */
function decodeWtf8(bytes: Uint8Array, from: number, end: number, base: number): string {
  let text = '';
  let at = from;
  for (;;) {
    const bad = validateUtf8(bytes, at, end);
    if (bad < 0) return text + decodeUtf8(bytes, at, end, base);
    // 0xed 0xa0…0xbf 0x80…0xbf: U+D800 to U+DFFF
    const second = bytes[bad + 1]!;
    const third = bytes[bad + 2]!;
    if (bytes[bad] !== 0xed || bad + 3 > end || second >> 5 !== 5 || third >> 6 !== 2) throw invalidUtf8(bad, base);
    text += decodeUtf8(bytes, at, bad, base) + String.fromCharCode(0xd000 | ((second & 0x3f) << 6) | (third & 0x3f));
    at = bad + 3;
  }
}

/** Reverses the byte order of the elements. */
function swap(bytes: Uint8Array, from: number, end: number, size: number): Uint8Array {
  const copy = bytes.slice(from, end);
  for (let first = 0; first < copy.length; first += size) {
    for (let low = first, high = first + size - 1; low < high; low += 1, high -= 1) {
      const byte = copy[low]!;
      copy[low] = copy[high]!;
      copy[high] = byte;
    }
  }
  return copy;
}

/** Converts half-precision floats to single-precision ones, little-endian. */
function widen(bytes: Uint8Array, from: number, end: number, bigEndian: boolean): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const wide = new DataView(new ArrayBuffer((end - from) * 2));
  for (let at = from; at < end; at += 2) {
    wide.setFloat32((at - from) * 2, readFloat16(view.getUint16(at, !bigEndian)), true);
  }
  return new Uint8Array(wide.buffer);
}
