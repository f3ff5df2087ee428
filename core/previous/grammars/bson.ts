import { ARRAY, BINARY, CODE, CODE_WITH_SCOPE, DB_POINTER, DOCUMENT, OTHER, REGEXP, SIZES, STRING, SYMBOL } from '../../formats/bson/types.ts';
import { type Grammar, rangesLength, textOf, UNCOUNTED, UNKNOWN } from './grammar.ts';

/** Bytes of a document or an array without elements: its length and a zero. */
const EMPTY = 5;
const OBJECT_ID_BYTES = 12;
/** Bytes of the longest key, which is looked for in bytes that may not have arrived: see `Sizes.ahead`. */
const MAX_KEY_LENGTH = 16 * 1024;

/**
 * Documents and arrays of BSON (https://bsonspec.org/spec.html). An item is an element: its type, its key up to a zero, and its
 * value. The root is the document at 0, where no element begins. The key of an array's element is its index, which readers
 * ignore, and which differs after an item was added before it.
 */
export const bsonGrammar: Grammar = {
  hasHeads: true,
  start: () => 0,
  endsAt: (bytes, at) => at === bytes.length,
  opens: (bytes, at) => at === 0 || bytes[at] === DOCUMENT || bytes[at] === ARRAY,
  open(bytes, at) {
    if (!this.opens(bytes, at)) return undefined;
    const from = at === 0 ? 0 : afterKey(bytes, at);
    const end = from + int32(bytes, from);
    if (end < from + EMPTY || end > bytes.length) throw UNKNOWN;
    const isEmpty = end === from + EMPTY;
    if (isEmpty && bytes[end - 1] !== 0) throw UNKNOWN;
    return { isList: at > 0 && bytes[at] === ARRAY, at: isEmpty ? -1 : from + 4, end: isEmpty ? end : -1, left: UNCOUNTED, last: end - 1 };
  },
  skip(bytes, skip, to) {
    // The position after a value that was too long before.
    const end = skip.open || elementEnd(bytes, skip.at);
    if (end > bytes.length) throw UNKNOWN;
    const isWhole = end <= to;
    skip.at = isWhole ? end : to;
    skip.open = isWhole ? 0 : end;
    return isWhole;
  },
  next(bytes, open, at) {
    // The last byte may have arrived only now.
    if (at > open.last || (at === open.last && bytes[at] !== 0)) throw UNKNOWN;
    open.at = at < open.last ? at : -1;
    open.end = at < open.last ? -1 : at + 1;
  },
  pass(bytes, open, count, at) {
    if (count > 0) this.next(bytes, open, at);
  },
  key: (bytes, at) => ({ text: textOf(bytes, at + 1, afterKey(bytes, at) - 1), value: at }),
  content: afterKey,
  endOf: (_bytes, _start, next) => next,
  mayEnd: () => true,
  frame: {
    levels: 2,
    isSequence: false,
    /** A document whose only element is an array with an empty key. */
    write(bytes, ranges) {
      const length = 4 + rangesLength(ranges) + 1;
      const framed = new Uint8Array(4 + 2 + length + 1);
      const view = new DataView(framed.buffer);
      view.setInt32(0, framed.length, true);
      framed[4] = ARRAY;
      view.setInt32(6, length, true);
      let at = 10;
      for (const { from, to } of ranges) {
        framed.set(bytes.subarray(from, to), at);
        at += to - from;
      }
      return framed;
    },
    read: (value) => (value as { '': unknown[] })[''],
  },
};

/** Position after the key of the element at `at`. */
function afterKey(bytes: Uint8Array, at: number): number {
  const most = Math.min(bytes.length, at + MAX_KEY_LENGTH);
  for (let end = at + 1; end < most; end += 1) if (bytes[end] === 0) return end + 1;
  throw UNKNOWN;
}

/** Position after the element at `at`. */
function elementEnd(bytes: Uint8Array, at: number): number {
  const value = afterKey(bytes, at);
  const type = bytes[at]!;
  switch (type) {
    case STRING:
    case CODE:
    case SYMBOL:
      return value + 4 + length(bytes, value);
    case DOCUMENT:
    case ARRAY:
    case CODE_WITH_SCOPE:
      return value + length(bytes, value);
    case BINARY:
      return value + 5 + length(bytes, value);
    case DB_POINTER:
      return value + 4 + length(bytes, value) + OBJECT_ID_BYTES;
    case REGEXP:
      // The options end with a zero, as the key and the pattern.
      return afterKey(bytes, afterKey(bytes, value - 1) - 1);
    default: {
      const size = SIZES[type]!;
      if (size === OTHER) throw UNKNOWN;
      return value + size;
    }
  }
}

function length(bytes: Uint8Array, at: number): number {
  const value = int32(bytes, at);
  if (value < 0) throw UNKNOWN;
  return value;
}

function int32(bytes: Uint8Array, at: number): number {
  if (at + 4 > bytes.length) throw UNKNOWN;
  return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
}
