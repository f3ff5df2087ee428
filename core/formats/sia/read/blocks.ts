import { DecodeError, LimitError } from '../../../errors.ts';
import { type Limits, MAX_TOKEN_LENGTH } from '../../../limits.ts';
import type { Sink } from '../../../reading/sink.ts';
import type { SiaOptions } from '../options.ts';
import { readFloat, readInteger, sendInteger } from '../numbers.ts';
import { BIN8, BINN, DATE32, DATE64, FALSE, FLOAT8, FLOATN, INT8, INTN, LENGTHS, NULL, STRINGN, TRUE, UINT8, UINTN, UTFZ } from '../types.ts';
import { decodeUtfz, isPlainUtfz } from './utfz.ts';

const NO_BYTES: Uint8Array = new Uint8Array(0);
const NO_VIEW: DataView = new DataView(NO_BYTES.buffer);

/** By type: the bytes of a scalar after its type; −1 for blocks with a length, and for other blocks. */
const SIZES = [0, 0, 1, 2, 4, 8, 16, -1, 1, 2, 4, 8, 16, -1, 1, 2, 4, 8, 16, -1];

/**
 * Scalar blocks: a type byte, followed by
 *
 *     0 null, 1 undefined, 40 true, 41 false
 *     2 to 6 uint8/16/32/64/128, 8 to 12 int8/…, 14 to 18 float8/…      the number
 *     7 uintn, 13 intn, 19 floatn                                       uint8 size, the number
 *     27 utfz                                                           uint8 length, utfz
 *     28 to 32 string8/…, 34 to 38 bin8/…                               length of 1, 2, 4, 8 or 16 bytes, bytes
 *     33 stringn, 39 binn                                               uint8 size, length of `size` bytes, bytes
 *     42 date, 43 date64                                                uint32 or uint64 milliseconds
 *
 * All numbers are little-endian.
 */
export class Blocks {
  /** Position up to which the block needs bytes, if a method returned −1. */
  needed = 0;
  /** The string found by `readText`: a range, or its text. */
  from = 0;
  end = 0;
  text: string | undefined = undefined;

  #bytes = NO_BYTES;
  #view = NO_VIEW;
  #to = 0;
  #base = 0;
  readonly #sink: Sink;
  readonly #int64: SiaOptions['int64'];
  readonly #longestString: number;
  readonly #longestBinary: number;

  constructor(sink: Sink, options: SiaOptions, limits: Limits) {
    this.#sink = sink;
    this.#int64 = options.int64;
    this.#longestString = Math.min(limits.stringLength, MAX_TOKEN_LENGTH);
    this.#longestBinary = Math.min(limits.binaryLength, MAX_TOKEN_LENGTH);
  }

  window(bytes: Uint8Array, view: DataView, to: number, base: number): void {
    this.#bytes = bytes;
    this.#view = view;
    this.#to = to;
    this.#base = base;
  }

  /** Reads a scalar block at `at`. Returns the position after it, −1 if it is cut. */
  read(at: number): number {
    const type = this.#bytes[at]!;
    const size = SIZES[type] ?? -1;
    if (size >= 0) return at + 1 + size > this.#to ? this.#cut(at + 1 + size) : this.#number(type, at, at + 1, size);
    if (type === UINTN || type === INTN || type === FLOATN) {
      if (at + 2 > this.#to) return this.#cut(at + 2);
      const length = this.#bytes[at + 1]!;
      return at + 2 + length > this.#to ? this.#cut(at + 2 + length) : this.#number(type, at, at + 2, length);
    }
    if (type >= UTFZ && type <= STRINGN) {
      const next = this.readText(at);
      if (next > 0) this.sendText(at, next);
      return next;
    }
    if (type >= BIN8 && type <= BINN) {
      const next = this.#range(at, LENGTHS[type - BIN8]!, false);
      if (next > 0) this.#sink.binary(0, at, this.from, next);
      return next;
    }
    if (type === DATE32 || type === DATE64) return this.#date(at, type === DATE32 ? 4 : 8);
    if (type === TRUE || type === FALSE) {
      this.#sink.boolean(type === TRUE, at, at + 1);
      return at + 1;
    }
    return this.#fail('malformed', `block type ${type} is not a value`, at);
  }

  /** Finds the string of a block that has one. Returns the position after it, −1 if it is cut. */
  readText(at: number): number {
    const type = this.#bytes[at]!;
    const next = this.#range(at, type === UTFZ ? 1 : LENGTHS[type - UTFZ - 1]!, true);
    this.end = next;
    this.text = undefined;
    if (next > 0 && type === UTFZ && !isPlainUtfz(this.#bytes, this.#view, this.from, next)) {
      this.text = decodeUtfz(this.#bytes, this.from, next) ?? this.#fail('malformed', 'incomplete utfz string', next);
    }
    return next;
  }

  /** Sends the string found by `readText` as a value. */
  sendText(start: number, next: number): void {
    if (this.text === undefined) this.#sink.string(start, this.from, this.end);
    else this.#sink.text(this.text, start, next);
  }

  /**
   * The unsigned number after the type byte at `at`, of `size` bytes, or of as many as the next byte says if `size` is
   * 0. Sets `from` to the position after it. −1 if it is cut; Infinity past 2⁵³.
   */
  readLength(at: number, size: number): number {
    let from = at + 1;
    let bytes = size;
    if (size === 0) {
      if (from + 1 > this.#to) return this.#cut(from + 1);
      bytes = this.#bytes[from]!;
      from += 1;
    }
    this.from = from + bytes;
    if (this.from > this.#to) return this.#cut(this.from);
    let length = 0;
    for (let position = this.from - 1; position >= from; position -= 1) length = length * 0x100 + this.#bytes[position]!;
    return length > Number.MAX_SAFE_INTEGER ? Infinity : length;
  }

  /** Finds the range after a length. Returns the position after it, −1 if it is cut. */
  #range(at: number, size: number, text: boolean): number {
    const length = this.readLength(at, size);
    if (length < 0) return length;
    if (length > (text ? this.#longestString : this.#longestBinary)) {
      throw new LimitError(text ? 'stringLength' : 'binaryLength', `${text ? 'stringLength' : 'binaryLength'} limit exceeded: ${length} bytes`, {
        offset: this.#base + at,
      });
    }
    return this.from + length > this.#to ? this.#cut(this.from + length) : this.from + length;
  }

  #number(type: number, start: number, at: number, size: number): number {
    const sink = this.#sink;
    const next = at + size;
    if (type < UINT8) {
      if (type === NULL) sink.null(start, next);
      else sink.undefined(start, next);
    } else if (type < FLOAT8) {
      const signed = type >= INT8;
      const exact = readInteger(this.#bytes, at, next, signed);
      sendInteger(sink, exact, size < 8 ? 'auto' : this.#int64, start, next);
    } else {
      if (size !== 2 && size !== 4 && size !== 8 && size !== 16) {
        this.#fail('unsupported', `invalid float size: ${size} bytes`, start);
      }
      sink.float(readFloat(this.#view, at, size), start, next);
    }
    return next;
  }

  #date(at: number, size: number): number {
    const next = at + 1 + size;
    if (next > this.#to) return this.#cut(next);
    const milliseconds = this.readLength(at, size);
    this.#sink.date(milliseconds <= 8.64e15 ? milliseconds : NaN, at, next);
    return next;
  }

  #cut(next: number): number {
    this.needed = next;
    return -1;
  }

  #fail(code: DecodeError['code'], reason: string, position: number): never {
    throw new DecodeError(code, reason, { offset: this.#base + position });
  }
}
