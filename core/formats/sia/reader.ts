import { type Limits, MAX_TOKEN_LENGTH } from '../../limits.ts';
import { Reader } from '../../reading/reader.ts';
import type { Sink } from '../../reading/sink.ts';
import type { SiaOptions } from './options.ts';
import { Blocks } from './read/blocks.ts';
import { Cache } from './read/cache.ts';
import { readFields } from './read/fields.ts';
import { RareBlocks } from './read/rare-blocks.ts';
import { RowReading } from './read/rows.ts';
import { after, ARRAY, BUILTIN, KEYED, MAP_KEY, OBJECT, ROOT, SET, Stack } from './read/stack.ts';
import {
  ARRAY128,
  ARRAY8,
  FALSE,
  FLOAT64,
  INT16,
  INT32,
  INT8,
  LENGTHS,
  MAP_END,
  NULL,
  OBJECT_END,
  OBJECT_START,
  REF8,
  REFN,
  SET_END,
  STRING8,
  STRINGN,
  TRUE,
  UINT16,
  UINT32,
  UINT8,
  UNDEFINED,
  UTFZ,
} from './types.ts';
import { isPlainUtfz } from './read/utfz.ts';

/**
 * Reads Sia. A token is a scalar block, a key, the head or the end of a container, or a `record` with the scalar or
 * head after it. Types are identified by their number in the package's table.
 */
export class SiaReader extends Reader {
  readonly #sequence: boolean;
  readonly #stack: Stack;
  readonly #cache: Cache;
  readonly #blocks: Blocks;
  readonly #rareBlocks: RareBlocks;
  /** Set if the sink reads objects itself. */
  readonly #rows: RowReading | undefined;
  readonly #longest: number;
  readonly #mostValues: number;
  /** How many more values the limit allows. */
  #left: number;
  #started = false;

  constructor(sink: Sink, options: SiaOptions, limits: Limits) {
    super(sink, limits);
    this.#sequence = options.sequence ?? false;
    this.#stack = new Stack(limits);
    this.#cache = new Cache(sink, limits);
    this.#blocks = new Blocks(sink, options, limits);
    this.#rareBlocks = new RareBlocks(sink, options, limits, this.#stack, this.#cache, this.#blocks);
    if (sink.readRows !== undefined) this.#rows = new RowReading(sink, this.#cache, options, limits);
    this.#longest = Math.min(limits.stringLength, MAX_TOKEN_LENGTH);
    this.#mostValues = Math.min(limits.values, 2 ** 31 - 1);
    this.#left = this.#mostValues;
  }

  protected read(bytes: Uint8Array, view: DataView, from: number, limit: number): number {
    // `| 0` tells the compiler that values read from an object are 32-bit integers.
    const to = limit | 0;
    const { sink } = this;
    const stack = this.#stack;
    const cache = this.#cache;
    const blocks = this.#blocks;
    blocks.window(bytes, view, to, this.base);
    this.#rareBlocks.window(bytes, view, to, this.base);
    cache.receive(this.received);
    if (!this.#started) this.#start(from);
    let at = from | 0;
    let kind = stack.kind | 0;
    let left = stack.left | 0;
    let values = this.#left;
    const longest = this.#longest;
    const rows = this.#rows;
    const listed = sink.listedKey !== undefined;

    for (;;) {
      if (left === 0) {
        if (kind === ROOT) {
          if (at >= to) break;
          if (!this.#sequence) this.fail('trailing-bytes', 'unexpected bytes after the value', at);
          cache.clear();
          left = 1;
        } else {
          if (kind === ARRAY) sink.endArray(at);
          else this.#rareBlocks.endConstructor(kind, at);
          stack.pop();
          kind = stack.kind | 0;
          left = stack.left | 0;
          continue;
        }
      }
      if (at >= to) break;

      if (kind === OBJECT) {
        // A value takes at least three bytes, so the values of the window fit the limit.
        if (listed && values > to - at) {
          at = readFields(sink, cache, bytes, view, at, to, longest) | 0;
          values -= cache.fields;
          if (at >= to) break;
        }
        if (bytes[at] === OBJECT_END) {
          at += 1;
          sink.endObject(at);
          stack.pop();
          kind = stack.kind | 0;
          left = stack.left | 0;
          continue;
        }
        const next = this.#key(bytes, view, at, to);
        if (next < 0) break;
        at = next;
        kind = KEYED;
        if (at >= to) break;
      }

      const type = bytes[at]!;
      if (kind >= BUILTIN && (type < ARRAY8 || type > ARRAY128)) {
        this.fail('malformed', 'a constructor has no array of arguments', at);
      }
      // Fast path for a short, complete string, the most common value.
      if (type === UTFZ && at + 2 <= to && values > 0) {
        const end = at + 2 + bytes[at + 1]!;
        if (end <= to && end - at - 2 <= longest && isPlainUtfz(bytes, view, at + 2, end)) {
          sink.string(at, at + 2, end);
          values -= 1;
          left -= 1;
          if (kind > OBJECT && kind < SET) kind = after(kind) | 0;
          at = end;
          continue;
        }
      }
      let next = at + 1;
      values -= 1;
      if (values < 0) this.exceed('values', at);
      switch (type) {
        case NULL:
          sink.null(at, next);
          break;
        case UNDEFINED:
          sink.undefined(at, next);
          break;
        case UINT8:
          next += 1;
          if (next <= to) sink.integer(bytes[at + 1]!, at, next);
          break;
        case UINT16:
          next += 2;
          if (next <= to) sink.integer(view.getUint16(at + 1, true), at, next);
          break;
        case UINT32:
          next += 4;
          if (next <= to) sink.integer(view.getUint32(at + 1, true), at, next);
          break;
        case INT8:
          next += 1;
          if (next <= to) sink.integer(view.getInt8(at + 1), at, next);
          break;
        case INT16:
          next += 2;
          if (next <= to) sink.integer(view.getInt16(at + 1, true), at, next);
          break;
        case INT32:
          next += 4;
          if (next <= to) sink.integer(view.getInt32(at + 1, true), at, next);
          break;
        case FLOAT64:
          next += 8;
          if (next <= to) sink.float(view.getFloat64(at + 1, true), at, next);
          break;
        case UTFZ: // uint8 length, utfz
        case STRING8: // uint8 length, UTF-8
          next += 1;
          if (next > to) break;
          next += bytes[at + 1]!;
          if (next > to) break;
          if (next - at - 2 <= longest && (type === STRING8 || isPlainUtfz(bytes, view, at + 2, next))) {
            sink.string(at, at + 2, next);
          } else {
            blocks.read(at);
          }
          break;
        case TRUE:
        case FALSE:
          sink.boolean(type === TRUE, at, next);
          break;
        case ARRAY8: // uint8 length
        case OBJECT_START:
          next += type === ARRAY8 ? 1 : 0;
          if (next > to) break;
          if (rows !== undefined && type === OBJECT_START && kind === ARRAY && stack.depth < this.limits.depth) {
            const end = rows.read(bytes, at, to, left, values + 1) | 0;
            if (end > at) {
              values = rows.request.values;
              left = rows.request.items | 0;
              at = end;
              continue;
            }
          }
          stack.kind = after(kind);
          stack.left = left - 1;
          if (type === OBJECT_START) {
            stack.push(OBJECT, -1, this.base + at);
            sink.beginObject(-1, at, next);
          } else {
            if (bytes[at + 1]! > values) this.exceed('values', at);
            stack.push(ARRAY, bytes[at + 1]!, this.base + at);
            sink.beginArray(bytes[at + 1]!, at, next);
          }
          kind = stack.kind | 0;
          left = stack.left | 0;
          at = next;
          continue;
        case SET_END:
        case MAP_END:
          if (kind !== (type === SET_END ? SET : MAP_KEY)) this.fail('malformed', 'end of a container that is not open', at);
          if (type === SET_END) sink.endSet(next);
          else sink.endMap(next);
          stack.pop();
          kind = stack.kind | 0;
          left = stack.left | 0;
          values += 1;
          at = next;
          continue;
        default: {
          stack.kind = kind;
          stack.left = left;
          const end = this.#rareBlocks.read(type, at, values);
          if (end < 0) next = 0;
          else {
            kind = stack.kind | 0;
            left = stack.left | 0;
            at = end;
            continue;
          }
        }
      }
      if (next > to || next === 0) {
        this.needed = next === 0 ? blocks.needed - at : next - at;
        values += 1;
        break;
      }
      if (kind > OBJECT && kind < SET) kind = after(kind) | 0;
      left -= 1;
      at = next;
    }
    stack.kind = kind;
    stack.left = left;
    this.#left = values;
    return at;
  }

  protected finish(): void {
    const { depth, left } = this.#stack;
    if (this.received === 0 && !this.#sequence) this.fail('empty', 'the payload is empty', 0);
    if (this.received > 0 && (depth > 0 || left > 0)) this.fail('truncated', 'the input ends inside a value', 0);
    if (this.#sequence) this.sink.endArray(0);
    this.#cache.release();
    this.#stack.release();
  }

  /** Reads a key other than a reference of one byte. Returns the position after it, −1 if it is cut. */
  #key(bytes: Uint8Array, view: DataView, at: number, to: number): number {
    const blocks = this.#blocks;
    const cache = this.#cache;
    const type = bytes[at]!;
    if (type >= UTFZ && type <= STRINGN) {
      const next = blocks.readText(at);
      if (next < 0) return this.#cut(at);
      if (blocks.text === undefined) {
        this.sink.key(at, blocks.from, next);
        cache.addRange(bytes, blocks.from, next);
      } else {
        this.sink.keyText(blocks.text, at, next);
        cache.addText(blocks.text);
      }
      return next;
    }
    if (type < REF8 || type > REFN) this.fail('malformed', `block type ${type} is not a key`, at);
    const number = blocks.readLength(at, LENGTHS[type - REF8]!);
    if (number < 0 || blocks.from > to) return this.#cut(at);
    const next = blocks.from;
    if (cache.sendKey(number, at, next, this.base + at)) this.sink.window(bytes, view, this.base);
    return next;
  }

  #start(at: number): void {
    this.#started = true;
    if (this.#sequence) this.sink.beginArray(-1, at, at);
  }

  #cut(at: number): number {
    this.needed = this.#blocks.needed - at;
    return -1;
  }
}
