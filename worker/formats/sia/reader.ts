import type { Limits } from '../../limits.ts';
import { Reader } from '../../events/reader.ts';
import type { Sink } from '../../events/sink.ts';
import type { SiaOptions } from './options.ts';
import { Blocks, LONGEST } from './blocks.ts';
import { Cache } from './cache.ts';
import { readFields } from './fields.ts';
import { CONSTRUCTOR, DATE } from './revive.ts';
import { after, ARRAY, BUILTIN, CONSTRUCTED, KEYED, MAP_KEY, OBJECT, ROOT, SET, Stack } from './stack.ts';
import {
  ARRAY128, ARRAY8, CONSTRUCTOR32, CONSTRUCTOR8, FALSE, FLOAT64, INT16, INT32, INT8, LENGTHS, MAP_END, MAP_START, NULL, OBJECT_END,
  OBJECT_START, RECORD, REF8, REFN, SET_END, SET_START, STRING8, STRINGN, TRUE, UINT16, UINT32, UINT8, UNDEFINED, UTFZ,
} from './types.ts';
import { isPlainUtfz } from './utfz.ts';

/** By type: the bytes of the numbers that a Date is made of. */
const NUMBERS = [0, 0, 1, 2, 4, 0, 0, 0, 1, 2, 4, 0, 0, 0, 0, 0, 0, 8];

/**
 * Reads Sia. A token is a scalar block, a key, the head or the end of a container, or a `record` with the scalar or the
 * head behind it. Types are told by their number in the package's table.
 */
export class SiaReader extends Reader {
  readonly #sequence: boolean;
  readonly #builtins: boolean;
  readonly #stack: Stack;
  readonly #cache: Cache;
  readonly #blocks: Blocks;
  readonly #longest: number;
  readonly #mostValues: number;
  /** Values that there may still be. */
  #left: number;
  #started = false;
  #seen = 0;
  /** Where the window ends. */
  #to = 0;

  constructor(sink: Sink, options: SiaOptions, limits: Limits) {
    super(sink, limits);
    this.#sequence = options.sequence ?? false;
    this.#builtins = options.builtins ?? true;
    this.#stack = new Stack(limits);
    this.#cache = new Cache(sink, limits);
    this.#blocks = new Blocks(sink, options, limits);
    this.#longest = Math.min(limits.stringLength, LONGEST);
    this.#mostValues = Math.min(limits.values, 2 ** 31 - 1);
    this.#left = this.#mostValues;
  }

  protected read(bytes: Uint8Array, view: DataView, from: number, limit: number): number {
    // `| 0`: the compiler is not sure of what comes out of an object.
    const to = limit | 0;
    const { sink } = this;
    const stack = this.#stack;
    const cache = this.#cache;
    const blocks = this.#blocks;
    this.#to = to;
    blocks.window(bytes, view, to, this.base);
    cache.receive(this.received - this.#seen);
    this.#seen = this.received;
    if (!this.#started) this.#start(from);
    let at = from | 0;
    let kind = stack.kind | 0;
    let left = stack.left | 0;
    let values = this.#left;
    const longest = this.#longest;
    const listed = sink.listedKey !== undefined;

    for (;;) {
      if (left === 0) {
        if (kind === ROOT) {
          if (at >= to) break;
          if (!this.#sequence) this.fail('trailing-bytes', 'there are bytes after the value', at);
          cache.clear();
          left = 1;
        } else {
          if (kind === ARRAY) sink.endArray(at);
          else this.#endConstructor(kind, at);
          stack.pop();
          kind = stack.kind | 0;
          left = stack.left | 0;
          continue;
        }
      }
      if (at >= to) break;

      if (kind === OBJECT) {
        // Three bytes a value at least: there are no more than may be.
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
        this.fail('malformed', 'a constructor without an array of arguments', at);
      }
      // A short string, of which most of a payload is made, where all of it is there.
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
          if (kind !== (type === SET_END ? SET : MAP_KEY)) this.fail('malformed', 'an end of what is not open', at);
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
          const end = this.#other(type, bytes, view, at, values);
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
    if (this.received === 0 && !this.#sequence) this.fail('empty', 'there are no bytes', 0);
    if (this.received > 0 && (depth > 0 || left > 0)) this.fail('truncated', 'the input ends inside a value', 0);
    if (this.#sequence) this.sink.endArray(0);
    this.#cache.release();
    this.#stack.release();
  }

  /** A key other than a reference of one byte. Returns the position after it, −1 where it is cut. */
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
    if (type < REF8 || type > REFN) this.fail('malformed', `a block of the type ${type} is no key`, at);
    const number = blocks.readLength(at, LENGTHS[type - REF8]!);
    if (number < 0 || blocks.from > to) return this.#cut(at);
    const next = blocks.from;
    if (cache.sendKey(number, at, next, this.base + at)) this.sink.window(bytes, view, this.base);
    return next;
  }

  /**
   * A block that is rare. Returns the position after it, having told the stack of it, or −1 where it is cut. `values` may
   * still come.
   */
  #other(type: number, bytes: Uint8Array, view: DataView, at: number, values: number): number {
    if (type !== RECORD) return this.#block(type, bytes, view, at, at, values, false);
    // What is behind a record has the next number.
    if (at + 1 >= this.#to) {
      this.#blocks.needed = at + 2;
      return -1;
    }
    const inner = bytes[at + 1]!;
    if (inner === RECORD || (inner >= REF8 && inner <= REFN)) {
      this.fail('unsupported', 'a record of another record or of a reference', at);
    }
    return this.#block(inner, bytes, view, at + 1, at, values, true);
  }

  /** The block of `type` at `at`; it began at `start` where it is recorded. */
  #block(type: number, bytes: Uint8Array, view: DataView, at: number, start: number, values: number, record: boolean): number {
    const blocks = this.#blocks;
    if (type >= CONSTRUCTOR8 && type <= CONSTRUCTOR32) return this.#construct(type, bytes, view, at, start, record);
    if (type >= ARRAY8 && type <= ARRAY128) {
      const count = blocks.readLength(at, LENGTHS[type - ARRAY8]!);
      if (count < 0) return count;
      if (count > values) this.exceed('values', at);
      return this.#open(ARRAY, count, start, blocks.from, record);
    }
    if (type === OBJECT_START) return this.#open(OBJECT, -1, start, at + 1, record);
    if (type === SET_START) return this.#open(SET, -1, start, at + 1, record);
    if (type === MAP_START) return this.#open(MAP_KEY, -1, start, at + 1, record);
    if (type >= REF8 && type <= REFN) return this.#reference(type, bytes, view, at);
    const next = record ? this.#recorded(type, bytes, at, start) : blocks.read(at);
    if (next > 0) this.#took();
    return next;
  }

  /** A scalar behind a `record`. */
  #recorded(type: number, bytes: Uint8Array, at: number, start: number): number {
    const blocks = this.#blocks;
    const cache = this.#cache;
    if (type >= UTFZ && type <= STRINGN) {
      const next = blocks.readText(at);
      if (next < 0) return next;
      if (blocks.text === undefined) cache.addRange(bytes, blocks.from, next);
      else cache.addText(blocks.text);
      blocks.sendText(start, next);
      return next;
    }
    const next = blocks.read(at);
    if (next > 0) cache.addBlock(bytes, at, next);
    return next;
  }

  #reference(type: number, bytes: Uint8Array, view: DataView, at: number): number {
    const blocks = this.#blocks;
    const number = blocks.readLength(at, LENGTHS[type - REF8]!);
    if (number < 0) return number;
    const next = blocks.from;
    const block = this.#cache.sendValue(number, at, next, this.base + at);
    if (block) {
      const blockView = new DataView(block.buffer);
      this.sink.window(block, blockView, -1);
      blocks.window(block, blockView, block.length, this.base + at);
      blocks.read(0);
      blocks.window(bytes, view, this.#to, this.base);
    }
    this.sink.window(bytes, view, this.base);
    this.#took();
    return next;
  }

  #open(kind: number, count: number, start: number, next: number, record: boolean): number {
    const { sink } = this;
    this.#took();
    this.#stack.push(kind, count, this.base + start);
    if (record) this.#cache.addAnchor(false, start, next);
    if (kind === ARRAY) sink.beginArray(count, start, next);
    else if (kind === OBJECT) sink.beginObject(-1, start, next);
    else if (kind === SET) sink.beginSet(-1, start, next);
    else sink.beginMap(-1, start, next);
    return next;
  }

  /** 44 to 46 constructor8/16/32: code, an array of arguments. */
  #construct(type: number, bytes: Uint8Array, view: DataView, at: number, start: number, record: boolean): number {
    const { sink } = this;
    const blocks = this.#blocks;
    const code = blocks.readLength(at, LENGTHS[type - CONSTRUCTOR8]!);
    if (code < 0) return code;
    const next = blocks.from;
    const builtin = this.#builtins && code < 2;
    if (builtin && code === 1) {
      const end = this.#date(bytes, view, next, start, record);
      if (end !== 0) return end;
    }
    const number = record ? this.#cache.addAnchor(true, start, next) : -1;
    this.#took();
    this.#stack.push(builtin ? BUILTIN : CONSTRUCTED, 1, this.base + start);
    this.#stack.number = number;
    if (builtin) {
      sink.beginTagged(code === 0 ? 'RegExp' : DATE, start, next);
    } else {
      sink.beginTagged(CONSTRUCTOR, start, at);
      sink.beginArray(2, at, at);
      sink.integer(code, at, next);
    }
    return next;
  }

  /**
   * A Date of one number, whose arguments are at `at`. Returns the position after it, −1 where it is cut, 0 where it is
   * none.
   */
  #date(bytes: Uint8Array, view: DataView, at: number, start: number, record: boolean): number {
    const to = this.#to;
    this.#blocks.needed = at + 3;
    if (at + 3 > to) return at < to && bytes[at] !== ARRAY8 ? 0 : -1;
    const type = bytes[at + 2]!;
    const size = type < NUMBERS.length ? NUMBERS[type]! : 0;
    if (bytes[at] !== ARRAY8 || bytes[at + 1] !== 1 || size === 0) return 0;
    const from = at + 3;
    const next = from + size;
    this.#blocks.needed = next;
    if (next > to) return -1;
    let value: number;
    if (type === FLOAT64) value = view.getFloat64(from, true);
    else if (size === 1) value = type < INT8 ? view.getUint8(from) : view.getInt8(from);
    else if (size === 2) value = type < INT8 ? view.getUint16(from, true) : view.getInt16(from, true);
    else value = type < INT8 ? view.getUint32(from, true) : view.getInt32(from, true);
    this.#took();
    if (record) this.#cache.addAnchor(false, start, next);
    // A Date has whole milliseconds, up to a limit.
    this.sink.date(new Date(value).getTime(), start, next);
    return next;
  }

  #endConstructor(kind: number, at: number): void {
    if (kind === CONSTRUCTED) this.sink.endArray(at);
    this.sink.endTagged(at);
    if (this.#stack.number >= 0) this.#cache.finish(this.#stack.number);
  }

  /** The next value of the innermost container is there, or has begun. */
  #took(): void {
    this.#stack.kind = after(this.#stack.kind);
    this.#stack.left -= 1;
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
