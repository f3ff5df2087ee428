import { type Limits, MAX_TOKEN_LENGTH } from '../../limits.ts';
import { Reader } from '../../reading/reader.ts';
import { NO_SEPARATOR, type RowRequest, numberRun, NUMBERS } from '../../reading/sink-methods.ts';
import { readRows } from '../../reading/rows/request.ts';
import type { Sink } from '../../reading/sink.ts';
import type { BsonOptions } from './options.ts';
import { ClassValues } from './classes.ts';
import { Elements } from './read/elements.ts';
import { ExtendedValues } from './read/extended.ts';
import { PlainValues } from './read/plain.ts';
import { IN_ARRAY, IN_CODE, IN_DOCUMENT, IN_ROOT, Stack } from './read/stack.ts';
import { DOUBLE, INT32, OTHER, SIZES } from './types.ts';
import { readMilliseconds, type Values } from './read/values.ts';
import { ROWS_SEQUENCE } from '../../reading/rows/flags.ts';
import { int64Flags, rowRequest } from '../../reading/rows/request.ts';

const encoder = new TextEncoder();

/**
 * Reads BSON. A document is
 *
 *     int32 total size, elements, 0x00
 *
 * and an element its type, its key up to a zero, and its value. Numbers are little-endian. A token is a complete element;
 * for a document or an array, only its key and size.
 */
export class BsonReader extends Reader {
  readonly #sequence: boolean;
  readonly #stack: Stack;
  readonly #values: Values;
  readonly #elements: Elements;
  readonly #longest: number;
  /** Set if the sink reads documents itself: those of an array, and those of a sequence. */
  readonly #items: RowRequest | undefined;
  readonly #documents: RowRequest | undefined;
  /** How many more values the limit allows. */
  #left: number;
  #started = false;
  /** The root document is complete. */
  #complete = false;

  constructor(sink: Sink, options: BsonOptions, limits: Limits) {
    super(sink, limits);
    this.#sequence = options.sequence ?? false;
    this.#stack = new Stack(limits);
    this.#values = valuesFor(sink, options, limits);
    this.#elements = new Elements(sink, this.#values, this.#stack, limits);
    this.#longest = Math.min(limits.stringLength, MAX_TOKEN_LENGTH);
    this.#left = limits.values;
    if (sink.acceptsRawItems !== undefined && this.#values.direct && options.types !== 'classes') sink.itemSeparator = NO_SEPARATOR;
    this.#items = bsonRows(sink, options, limits, false);
    if (this.#sequence) this.#documents = bsonRows(sink, options, limits, true);
  }

  protected read(bytes: Uint8Array, view: DataView, from: number, limit: number): number {
    // `| 0` here and below tells the compiler that values read from an object are 32-bit integers.
    const to = limit | 0;
    const { sink, base } = this;
    const stack = this.#stack;
    const values = this.#values;
    const { direct } = values;
    const longest = this.#longest;
    const items = this.#items;
    const documents = this.#documents;
    values.window(bytes, view, base);
    this.#elements.window(bytes, view, to, base);
    if (!this.#started) this.#start(from);
    let at = from | 0;
    let kind = stack.kind | 0;
    // End of the innermost document, in the window.
    let end = within(stack.end - base);
    let left = this.#left;

    for (;;) {
      if (at >= to) break;
      if (kind === IN_ROOT) {
        if (documents !== undefined && stack.depth < this.limits.depth) {
          documents.depth = this.limits.depth;
          at = readRows(sink, documents, bytes, at, to, left) | 0;
          left = documents.values;
          if (at >= to) break;
        }
        const next = this.#open(view, at, to);
        if (next < 0) break;
        left -= 1;
        if (left < 0) this.exceed('values', at);
        at = next;
        kind = IN_DOCUMENT;
        end = within(stack.end - base);
        continue;
      }

      const type = bytes[at]!;
      if (type === 0) {
        at += 1;
        if (at !== end) this.fail('malformed', 'a document is shorter than its length', at - 1);
        if (kind === IN_ARRAY) sink.endArray(at);
        else sink.endObject(at);
        stack.pop();
        if (stack.kind === IN_CODE) {
          values.endCode(at);
          stack.pop();
        }
        kind = stack.kind;
        end = within(stack.end - base);
        this.#complete = true;
        continue;
      }

      if (kind === IN_ARRAY && type === 0x03 && items !== undefined && stack.depth < this.limits.depth) {
        // The zero that ends the array does not belong to its documents.
        items.depth = this.limits.depth - stack.depth;
        const next = readRows(sink, items, bytes, at, end <= to ? end - 1 : to, left) | 0;
        left = items.values;
        if (next > at) {
          at = next;
          continue;
        }
      }

      // Searches the key for its zero, four bytes at a time.
      const stop = end < to ? end : to;
      let nul = at + 1;
      let zero = 0;
      for (; nul + 4 <= stop; nul += 4) {
        const word = view.getInt32(nul, true);
        zero = (word - 0x01010101) & ~word & 0x80808080;
        if (zero !== 0) break;
      }
      if (zero !== 0) {
        nul += (31 - Math.clz32(zero & -zero)) >> 3;
      } else {
        while (nul < stop && bytes[nul] !== 0) nul += 1;
        if (nul >= stop) {
          this.#elements.findZero(at, at + 1, end);
          this.needed = this.#elements.needed;
          break;
        }
      }
      // Throws if the key is too long.
      if (nul - at > longest) this.#elements.findZero(at, at + 1, end);
      left -= 1;
      if (left < 0) this.exceed('values', at);

      // Fast path for the most common elements, if they are valid and complete.
      if (type === 0x02 && nul + 5 <= to) {
        const length = view.getInt32(nul + 1, true);
        const next = nul + 5 + length;
        if (length > 0 && length - 1 <= longest && next <= to && next < end && bytes[next - 1] === 0) {
          if (kind === IN_DOCUMENT) {
            sink.key(at, at + 1, nul);
            sink.string(nul, nul + 5, next - 1);
          } else {
            sink.string(at, nul + 5, next - 1);
          }
          at = next;
          continue;
        }
      } else if (type === 0x01 && direct && nul + 9 <= to && nul + 9 < end) {
        if (kind === IN_DOCUMENT) {
          sink.key(at, at + 1, nul);
          sink.float(view.getFloat64(nul + 1, true), nul, nul + 9);
        } else {
          sink.float(view.getFloat64(nul + 1, true), at, nul + 9);
        }
        at = nul + 9;
        continue;
      }

      const size = SIZES[type]!;
      if (size === OTHER) {
        const next = this.#elements.read(at, nul, end);
        if (next < 0) {
          this.needed = this.#elements.needed;
          left += 1;
          break;
        }
        at = next;
        kind = stack.kind;
        end = within(stack.end - base);
        continue;
      }

      const payload = nul + 1;
      let next = payload + size;
      if (type === 0x02 && next <= to) {
        const length = view.getInt32(payload, true);
        next += length;
        if (length < 1 || length - 1 > longest || next >= end) this.#badString(length, payload);
      }
      if (next >= end) this.fail('malformed', 'an element extends past its document', at);
      if (next > to) {
        this.needed = next - at;
        left += 1;
        break;
      }
      let start = at;
      if (kind === IN_DOCUMENT) {
        sink.key(at, at + 1, nul);
        start = nul;
      }

      switch (type) {
        case 0x01: // double
          values.double(payload, start, next);
          break;
        case 0x02: // string
          this.fail('malformed', 'a string has no terminating zero', next - 1);
        case 0x10: // int32
          if (direct) sink.integer(view.getInt32(payload, true), start, next);
          else values.int32(payload, start, next);
          break;
        case 0x0a: // null
          sink.null(start, next);
          break;
        case 0x08: // boolean
          if (bytes[payload]! > 1) this.fail('malformed', 'boolean that is neither 0 nor 1', payload);
          sink.boolean(bytes[payload] === 1, start, next);
          break;
        case 0x09: // UTC datetime
          if (direct) sink.date(readMilliseconds(view, payload), start, next);
          else values.date(payload, start, next);
          break;
        case 0x12: // int64
          values.int64(payload, start, next);
          break;
        case 0x03: // document
        case 0x04: {
          // array
          const length = view.getInt32(payload, true);
          if (length < 5) this.fail('malformed', `invalid document size: ${length} bytes`, payload);
          if (base + payload + length >= stack.end) {
            this.fail('malformed', 'a document extends past its container', payload);
          }
          const after = payload + length;
          if (type === 0x04 && direct && sink.numberArray !== undefined && after <= to && stack.depth < this.limits.depth) {
            const count = bytes[after - 1] === 0 ? readNumberArray(bytes, view, next, after - 1, longest) : 0;
            if (count > 0 && count <= left) {
              sink.numberArray(NUMBERS, count, numberRun.integers);
              left -= count;
              next = after;
              break;
            }
          }
          kind = type === 0x04 ? IN_ARRAY : IN_DOCUMENT;
          stack.push(kind, base + payload + length, base + at);
          end = within(stack.end - base);
          if (kind === IN_ARRAY) sink.beginArray(-1, start, next);
          // The key does not belong to an item that may stay bytes.
          else sink.beginObject(-1, sink.acceptsRawItems === true ? payload : start, next);
          break;
        }
        case 0x07: // ObjectId
          values.objectId(payload, start, next);
          break;
        case 0x11: // timestamp
          values.timestamp(payload, start, next);
          break;
        case 0x13: // decimal128
          values.decimal128(payload, start, next);
          break;
        case 0x06: // undefined
          values.undefined(start, next);
          break;
        default:
          values.bound(type === 0xff, start, next);
      }
      at = next;
    }
    this.#left = left;
    return at;
  }

  protected finish(): void {
    const isComplete = this.#stack.depth === 0 && (this.#complete || this.#sequence);
    if (!isComplete) this.fail('truncated', 'the input ends inside a document', 0);
    if (this.#sequence) this.sink.endArray(0);
  }

  /** Opens a document at the root. Returns the position after its head, −1 if it is cut. */
  #open(view: DataView, at: number, to: number): number {
    if (this.#complete && !this.#sequence) this.fail('trailing-bytes', 'unexpected bytes after the document', at);
    if (at + 4 > to) {
      this.needed = 4;
      return -1;
    }
    const size = view.getInt32(at, true);
    if (size < 5) this.fail('malformed', `invalid document size: ${size} bytes`, at);
    this.#stack.push(IN_DOCUMENT, this.base + at + size, this.base + at);
    this.sink.beginObject(-1, at, at + 4);
    return at + 4;
  }

  #start(at: number): void {
    this.#started = true;
    if (this.#sequence) this.sink.beginArray(-1, at, at);
  }

  /** Rejects the string of `length` bytes, including its zero, whose length at `at` does not fit. */
  #badString(length: number, at: number): void {
    if (length < 1) this.fail('malformed', 'a string has no terminating zero', at);
    if (at + 4 + length >= this.#stack.end - this.base) {
      this.fail('malformed', 'a string extends past its document', at);
    }
    if (length - 1 > this.#longest) this.exceed('stringLength', at);
  }
}

/** Limits a position to 32 bits: the end of a large document may be further away. */
function within(position: number): number {
  return (position < 0x7fff_ffff ? position : 0x7fff_ffff) | 0;
}

function valuesFor(sink: Sink, options: BsonOptions, limits: Limits): Values {
  switch (options.types) {
    case 'relaxed':
    case 'canonical':
      return new ExtendedValues(sink, limits, options.types === 'relaxed');
    case 'classes':
      return new ClassValues(sink, limits, options);
    default:
      return new PlainValues(sink, limits, options);
  }
}

/** Request for rows if the sink reads documents: those of an array, or those of a sequence. */
function bsonRows(sink: Sink, { types = 'plain', int64 = 'auto' }: BsonOptions, limits: Limits, sequence: boolean): RowRequest | undefined {
  if (sink.readRows === undefined || types !== 'plain') return undefined;
  const longest = Math.min(limits.stringLength, MAX_TOKEN_LENGTH);
  const flags = int64Flags(int64) | (sequence ? ROWS_SEQUENCE : 0);
  return rowRequest('bson', flags, longest, {
    objectValues: 1,
    longestBinary: Math.min(limits.binaryLength, MAX_TOKEN_LENGTH),
    keyBytes: (key) => encoder.encode(`${key}\0`),
  });
}

/**
 * Reads an array whose elements, `from..end`, are all in the window. Puts its items into `NUMBERS` and sets
 * `numberRun`. Returns their count, or 0 for an array that has other values, more items than `NUMBERS` holds, or a key
 * longer than `longest` bytes. Keys are skipped, as BSON arrays are read in the order of their elements.
 */
function readNumberArray(bytes: Uint8Array, view: DataView, from: number, end: number, longest: number): number {
  let at = from | 0;
  let count = 0;
  let doubles = 0;
  for (; at < end; count += 1) {
    const type = bytes[at]!;
    if (count === NUMBERS.length || (type !== INT32 && type !== DOUBLE)) return 0;
    let value = at + 1;
    while (value < end && bytes[value] !== 0) value += 1;
    if (value - at > longest) return 0;
    value += 1;
    at = value + (type === INT32 ? 4 : 8);
    if (at > end) return 0;
    NUMBERS[count] = type === INT32 ? view.getInt32(value, true) : view.getFloat64(value, true);
    if (type === DOUBLE) doubles = 1;
  }
  numberRun.end = at;
  numberRun.integers = doubles === 0;
  return count;
}
