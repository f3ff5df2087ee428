/** The reference libraries, with their results converted to our classes. */
import { decode, type DecodeOptions, decodeSequence, Simple, Tag } from 'cbor2';
import { CborSimple, CborTag } from '../../../../../core/formats/cbor/index.ts';

type TagDecoder = (tag: { contents: unknown }) => unknown;

/**
 * Intended differences from cbor2:
 * - tag 1: seconds are rounded to milliseconds, as in cbor-x for all but the farthest dates. cbor2 truncates, so that 1.005
 *   s becomes 1,004 ms, and a written Date may not survive a round trip;
 * - tags 4 and 5 become numbers; cbor2 keeps the tags;
 * - tags 80 and 84, arrays of half-precision floats, become Float32Arrays; cbor2 keeps the tags;
 * - base64 must not contain white space (tags 33 and 34, RFC 4648 section 3.3) is an error; cbor2 mostly skips it;
 * - tag 273 with bytes that are not WTF-8 is an error; cbor2 substitutes U+FFFD;
 * - tag 280, a symbol, stays a tag: symbols cannot cross threads;
 * - −2⁵³ is a bigint, as all integers beyond ±(2⁵³ − 1); cbor2 makes it a number.
 */
const DECIDED = new Map<number, TagDecoder>([
  [1, ({ contents }) => new Date(milliseconds(numberOf(contents)))],
  [4, ({ contents }) => Number(pairOf(contents).toReversed().join('e')) + 0],
  [5, ({ contents }) => Number(pairOf(contents)[1]) * 2 ** Number(pairOf(contents)[0])],
  [33, (tag) => withoutSpace(33, tag)],
  [34, (tag) => withoutSpace(34, tag)],
  [80, ({ contents }) => halves(contents as Uint8Array, false)],
  [84, ({ contents }) => halves(contents as Uint8Array, true)],
  [273, (tag) => strictly(Tag.getDecoder(273)!(tag as Tag, {} as never))],
  [280, ({ contents }) => new CborTag(280, normalise(contents))],
]);

/** Result of cbor2 as our classes, with the intended differences applied. */
export function cbor2Decode(bytes: Uint8Array, options: DecodeOptions = {}): unknown {
  return normalise(decode(bytes, { tags: DECIDED, ...options }));
}

export function cbor2DecodeSequence(bytes: Uint8Array): unknown[] {
  return [...decodeSequence(bytes, { tags: DECIDED })].map((value) => normalise(value));
}

/** Converts cbor2's classes to ours. */
function normalise(value: unknown): unknown {
  if (value === -(2 ** 53)) return -(2n ** 53n);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Tag) return new CborTag(value.tag as number | bigint, normalise(value.contents));
  if (value instanceof Simple) return new CborSimple(value.value);
  if (Array.isArray(value)) return value.map(normalise);
  if (value instanceof Set) return new Set([...value].map(normalise));
  if (value instanceof Map) return new Map([...value].map(([key, item]) => [normalise(key), normalise(item)]));
  if (Object.getPrototypeOf(value) === Object.prototype) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, normalise(item)]));
  }
  return value;
}

function numberOf(contents: unknown): number {
  if (typeof contents !== 'number' && typeof contents !== 'bigint') throw new TypeError('no number');
  return Number(contents);
}

function withoutSpace(number: number, tag: { contents: unknown }): unknown {
  if (typeof tag.contents === 'string' && /\s/.test(tag.contents)) throw new TypeError('white space');
  return Tag.getDecoder(number)!(tag as Tag, {} as never);
}

function strictly(text: unknown): unknown {
  if ((text as string).includes('\ufffd')) throw new TypeError('no WTF-8');
  return text;
}

/** Exponent and mantissa. */
function pairOf(contents: unknown): unknown[] {
  const integer = (part: unknown): boolean => typeof part === 'bigint' || Number.isInteger(part);
  if (!Array.isArray(contents) || contents.length !== 2 || !contents.every(integer)) throw new TypeError('no pair');
  return contents;
}

function milliseconds(seconds: number): number {
  const rounded = Math.round((seconds % 1) * 1000) + Math.trunc(seconds) * 1000;
  return Math.abs(rounded) <= 8.64e15 ? rounded + 0 : NaN;
}

function halves(bytes: Uint8Array, littleEndian: boolean): Float32Array {
  if (!(bytes instanceof Uint8Array) || bytes.length % 2 !== 0) throw new TypeError('no halves');
  return Float32Array.from({ length: bytes.length / 2 }, (_, i) => {
    const pair = bytes.subarray(i * 2, i * 2 + 2);
    return decode(Uint8Array.of(0xf9, ...(littleEndian ? [pair[1]!, pair[0]!] : pair)));
  });
}
