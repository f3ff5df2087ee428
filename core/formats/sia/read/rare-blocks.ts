import { DecodeError, LimitError } from '../../../errors.ts';
import type { Limits } from '../../../limits.ts';
import type { Sink } from '../../../reading/sink.ts';
import type { Blocks } from './blocks.ts';
import type { Cache } from './cache.ts';
import type { SiaOptions } from '../options.ts';
import { CONSTRUCTOR, DATE } from '../revive.ts';
import { after, ARRAY, BUILTIN, CONSTRUCTED, MAP_KEY, OBJECT, SET, type Stack } from './stack.ts';
import {
  ARRAY128,
  ARRAY8,
  CONSTRUCTOR32,
  CONSTRUCTOR8,
  FLOAT64,
  INT8,
  LENGTHS,
  MAP_START,
  OBJECT_START,
  RECORD,
  REF8,
  REFN,
  SET_START,
  STRINGN,
  UTFZ,
} from '../types.ts';

/** By type: the bytes of the numbers from which a Date is made. */
const NUMBERS = [0, 0, 1, 2, 4, 0, 0, 0, 1, 2, 4, 0, 0, 0, 0, 0, 0, 8];

/** Window of a reader before its first chunk. Creating one takes as long as reading a small payload. */
const NO_BYTES = new Uint8Array(0);
const NO_VIEW = new DataView(NO_BYTES.buffer);

/** Reads uncommon blocks: records, references, constructors, sets, maps, and scalars of odd sizes. */
export class RareBlocks {
  readonly #sink: Sink;
  readonly #builtins: boolean;
  readonly #limits: Limits;
  readonly #stack: Stack;
  readonly #cache: Cache;
  readonly #blocks: Blocks;
  #bytes: Uint8Array = NO_BYTES;
  #view: DataView = NO_VIEW;
  /** Where the window ends. */
  #to = 0;
  #base = 0;

  constructor(sink: Sink, options: SiaOptions, limits: Limits, stack: Stack, cache: Cache, blocks: Blocks) {
    this.#sink = sink;
    this.#builtins = options.builtins ?? true;
    this.#limits = limits;
    this.#stack = stack;
    this.#cache = cache;
    this.#blocks = blocks;
  }

  window(bytes: Uint8Array, view: DataView, to: number, base: number): void {
    this.#bytes = bytes;
    this.#view = view;
    this.#to = to;
    this.#base = base;
  }

  /**
   * Reads the block of `type` at `at`, and updates the stack. Returns the position after it, −1 if it is cut. Up to
   * `values` more values may come.
   */
  read(type: number, at: number, values: number): number {
    if (type !== RECORD) return this.#block(type, at, at, values, false);
    // The block after a record gets the next number.
    if (at + 1 >= this.#to) {
      this.#blocks.needed = at + 2;
      return -1;
    }
    const inner = this.#bytes[at + 1]!;
    if (inner === RECORD || (inner >= REF8 && inner <= REFN)) {
      throw new DecodeError('unsupported', 'a record must not have another record or a reference for its keys', { offset: this.#base + at });
    }
    return this.#block(inner, at + 1, at, values, true);
  }

  /** Reads the block of `type` at `at`; with its record, it began at `start`. */
  #block(type: number, at: number, start: number, values: number, record: boolean): number {
    const blocks = this.#blocks;
    if (type >= CONSTRUCTOR8 && type <= CONSTRUCTOR32) return this.#construct(type, at, start, record);
    if (type >= ARRAY8 && type <= ARRAY128) {
      const count = blocks.readLength(at, LENGTHS[type - ARRAY8]!);
      if (count < 0) return count;
      if (count > values) {
        throw new LimitError('values', `values limit exceeded (${this.#limits.values})`, { offset: this.#base + at });
      }
      return this.#open(ARRAY, count, start, blocks.from, record);
    }
    if (type === OBJECT_START) return this.#open(OBJECT, -1, start, at + 1, record);
    if (type === SET_START) return this.#open(SET, -1, start, at + 1, record);
    if (type === MAP_START) return this.#open(MAP_KEY, -1, start, at + 1, record);
    if (type >= REF8 && type <= REFN) return this.#reference(type, at);
    const next = record ? this.#recorded(type, at, start) : blocks.read(at);
    if (next > 0) this.#took();
    return next;
  }

  /** Reads a scalar after a `record`. */
  #recorded(type: number, at: number, start: number): number {
    const bytes = this.#bytes;
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

  #reference(type: number, at: number): number {
    const bytes = this.#bytes;
    const view = this.#view;
    const blocks = this.#blocks;
    const number = blocks.readLength(at, LENGTHS[type - REF8]!);
    if (number < 0) return number;
    const next = blocks.from;
    const block = this.#cache.sendValue(number, at, next, this.#base + at);
    if (block) {
      const blockView = new DataView(block.buffer);
      this.#sink.window(block, blockView, -1);
      blocks.window(block, blockView, block.length, this.#base + at);
      blocks.read(0);
      blocks.window(bytes, view, this.#to, this.#base);
    }
    this.#sink.window(bytes, view, this.#base);
    this.#took();
    return next;
  }

  #open(kind: number, count: number, start: number, next: number, record: boolean): number {
    const sink = this.#sink;
    this.#took();
    this.#stack.push(kind, count, this.#base + start);
    if (record) this.#cache.addAnchor(false, start, next);
    if (kind === ARRAY) sink.beginArray(count, start, next);
    else if (kind === OBJECT) sink.beginObject(-1, start, next);
    else if (kind === SET) sink.beginSet(-1, start, next);
    else sink.beginMap(-1, start, next);
    return next;
  }

  /** Reads constructor8/16/32 (44 to 46): code, an array of arguments. */
  #construct(type: number, at: number, start: number, record: boolean): number {
    const sink = this.#sink;
    const blocks = this.#blocks;
    const code = blocks.readLength(at, LENGTHS[type - CONSTRUCTOR8]!);
    if (code < 0) return code;
    const next = blocks.from;
    const builtin = this.#builtins && code < 2;
    if (builtin && code === 1) {
      const end = this.#date(next, start, record);
      if (end !== 0) return end;
    }
    const number = record ? this.#cache.addAnchor(true, start, next) : -1;
    this.#took();
    this.#stack.push(builtin ? BUILTIN : CONSTRUCTED, 1, this.#base + start);
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
   * Reads a Date of one number, whose arguments are at `at`. Returns the position after it, −1 if it is cut, 0 if the
   * arguments are others.
   */
  #date(at: number, start: number, record: boolean): number {
    const bytes = this.#bytes;
    const view = this.#view;
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
    // A Date has integral milliseconds within a limit.
    this.#sink.date(new Date(value).getTime(), start, next);
    return next;
  }

  /** Ends the arguments of a constructor. */
  endConstructor(kind: number, at: number): void {
    if (kind === CONSTRUCTED) this.#sink.endArray(at);
    this.#sink.endTagged(at);
    if (this.#stack.number >= 0) this.#cache.finish(this.#stack.number);
  }

  /** Records that the next value of the innermost container was read, or has begun. */
  #took(): void {
    this.#stack.kind = after(this.#stack.kind);
    this.#stack.left -= 1;
  }
}
