import type { Limits } from '../../../limits.ts';
import { Reader } from '../../../reading/reader.ts';
import type { Sink } from '../../../reading/sink.ts';
import { invalidUtf8, validateUtf8 } from '../../../bytes/text/text.ts';
import type { JsonOptions } from '../options.ts';
import { BACKSLASH, LETTER_E, MINUS, PLUS, POINT, QUOTE, RECORD_SEPARATOR, ZERO } from '../../../bytes/text/json-bytes.ts';
import { isNumberByte, nameByte } from './characters.ts';
import { findSpecial, hexDigit, isShortEscape, unescapeTo } from './strings.ts';

/** Returned by methods instead of a position if the window ends inside the token. */
export const CUT = -1;

/** Digits of the longest bigint: parsing takes superlinear time. */
const MAX_BIGINT_DIGITS = 1_000_000;

const decoder = new TextDecoder();
const encoder = new TextEncoder();
const TRUE = encoder.encode('true');
const FALSE = encoder.encode('false');
const NULL = encoder.encode('null');
const BYTE_ORDER_MARK = Uint8Array.of(0xef, 0xbb, 0xbf);

/**
 * Reads JSON tokens in every form: strings with escapes, numbers of any length, tokens cut by a window, and all errors.
 * `JsonReader` itself reads the common forms.
 */
export abstract class TokenReader extends Reader {
  readonly #bigints: boolean;
  readonly #ranges: boolean;
  /** Bytes of the string or number at the start of the next window that have already been scanned. */
  #scanned = 0;
  /** Buffer for unescaped strings. */
  #scratch = new Uint8Array(256);
  #scratchView = new DataView(this.#scratch.buffer);

  constructor(sink: Sink, options: JsonOptions, limits: Limits) {
    super(sink, limits);
    this.#bigints = options.bigints === 'bigint';
    this.#ranges = options.ranges === true;
  }

  /**
   * Continues scanning the token that the last window cut, so that a long token is scanned at most twice over all
   * windows. Returns true if it is still cut.
   */
  protected stillCut(bytes: Uint8Array, view: DataView, from: number, to: number, last: boolean): boolean {
    if (this.#scanned === 0) return false;
    if (bytes[from] === QUOTE) return this.#findEnd(bytes, view, from, to, last) === CUT;
    let at = from + this.#scanned;
    while (at < to && isNumberByte(bytes[at]!)) at += 1;
    this.#scanned = at === to && !last ? at - from : 0;
    return this.#scanned > 0;
  }

  /**
   * True if the window ends in the number, true, false or null at `at`, or right after it. In a sequence with record separators,
   * it may have been cut unless white space follows (RFC 7464 section 2.4): throws if it ends with its record.
   */
  protected isRecordCut(bytes: Uint8Array, at: number, to: number, last: boolean): boolean {
    const isPart = isNumberByte(bytes[at]!) ? isNumberByte : isLetter;
    // A longer word is none of them.
    const most = isPart === isLetter ? Math.min(to, at + FALSE.length + 1) : to;
    let end = at;
    while (end < most && isPart(bytes[end]!)) end += 1;
    if (end === at || (end < to && bytes[end] !== RECORD_SEPARATOR)) return false;
    if (end < to || last) this.fail('truncated', 'the record may be cut: white space must follow a number, true, false or null', end);
    this.#scanned = isPart === isLetter ? 0 : end - at;
    return true;
  }

  /** Reads a string that has escapes, is cut or is invalid, from its opening quotation mark. */
  protected readString(bytes: Uint8Array, view: DataView, at: number, to: number, last: boolean, key: boolean): number {
    const end = this.#findEnd(bytes, view, at, to, last);
    if (end === CUT) return CUT;
    const from = at + 1;
    const { sink } = this;
    if (this.#scratch.length < end - from) {
      this.#scratch = new Uint8Array(Math.max(end - from, this.#scratch.length * 2));
      this.#scratchView = new DataView(this.#scratch.buffer);
    }
    const length = this.#ranges ? -1 : unescapeTo(this.#scratch, bytes, view, from, end);
    const bad = validateUtf8(bytes, from, end);
    if (bad >= 0 && !sink.repairedText) throw invalidUtf8(bad, this.base);
    if (length < 0) {
      const text = JSON.parse(decoder.decode(bytes.subarray(at, end + 1))) as string;
      if (key) sink.keyText(text, at, end + 1);
      else sink.text(text, at, end + 1);
    } else {
      sink.window(this.#scratch, this.#scratchView, -1);
      if (key) sink.key(0, 0, length);
      else sink.string(0, 0, length);
      sink.window(bytes, view, this.base);
    }
    return end + 1;
  }

  /** The position of the closing quotation mark. Everything before it has been checked except the UTF-8. */
  #findEnd(bytes: Uint8Array, view: DataView, start: number, to: number, last: boolean): number {
    let at = start + Math.max(this.#scanned, 1);
    this.#scanned = 0;
    for (;;) {
      at = findSpecial(bytes, view, at, to);
      if (at - start - 1 > this.limits.stringLength) this.exceed('stringLength', start);
      if (at === to) break;
      const byte = bytes[at]!;
      if (byte === QUOTE) return at;
      if (byte !== BACKSLASH) this.fail('malformed', `${nameByte(byte)} in a string must be escaped`, at);
      const end = this.#escapeEnd(bytes, at, to);
      if (end === CUT) break;
      at = end;
    }
    if (last) this.fail('truncated', 'the input ends inside a string', to);
    this.#scanned = at - start;
    return CUT;
  }

  /** The position after the escape at `at`. */
  #escapeEnd(bytes: Uint8Array, at: number, to: number): number {
    if (at + 1 === to) return CUT;
    const letter = bytes[at + 1]!;
    if (letter !== 0x75) {
      if (isShortEscape(letter)) return at + 2;
      this.fail('malformed', `invalid escape: a backslash and ${nameByte(letter)}`, at);
    }
    for (let digit = at + 2; digit < at + 6; digit += 1) {
      if (digit === to) return CUT;
      if (hexDigit(bytes[digit]!) > 15) {
        this.fail('malformed', `expected four hexadecimal digits after \\u but found ${nameByte(bytes[digit]!)}`, digit);
      }
    }
    return at + 6;
  }

  /** Reads a number that `readNumber` declined, from its first byte. In a list or object, one that the input ends with may lack digits. */
  protected readLongNumber(bytes: Uint8Array, at: number, to: number, last: boolean, isInside = false): number {
    const end = this.#numberEnd(bytes, at, to, last && !isInside);
    if (end === CUT) {
      if (last) this.fail('truncated', 'the input ends inside a number', to);
      this.#scanned = to - at;
      return CUT;
    }
    const text = decoder.decode(bytes.subarray(at, end));
    const value = Number(text);
    const integer = !/[.e]/i.test(text);
    if (integer && Number.isSafeInteger(value) && !Object.is(value, -0)) this.sink.integer(value, at, end);
    else if (integer && value !== 0 && this.#bigints) this.#readBigint(bytes, at, end);
    else this.sink.float(value, at, end);
    return end;
  }

  #readBigint(bytes: Uint8Array, at: number, end: number): void {
    if (end - at > MAX_BIGINT_DIGITS) this.fail('unsupported', `an integer of ${end - at} digits is too long`, at);
    this.sink.bigint(BigInt(decoder.decode(bytes.subarray(at, end))), at, end);
  }

  /** The position after a number. Reports how it breaks the grammar. */
  #numberEnd(bytes: Uint8Array, start: number, to: number, last: boolean): number {
    let at = bytes[start] === MINUS ? start + 1 : start;
    const first = at;
    at = this.#digitsEnd(bytes, at, to, "'-'");
    if (at === CUT) return CUT;
    if (bytes[first] === ZERO && at > first + 1) this.fail('malformed', 'a number must not begin with a leading zero', first + 1);
    if (at < to && bytes[at] === POINT) {
      at = this.#digitsEnd(bytes, at + 1, to, 'the decimal point');
      if (at === CUT) return CUT;
    }
    if (at < to && (bytes[at]! | 0x20) === LETTER_E) {
      at += 1;
      const signed = at < to && (bytes[at] === PLUS || bytes[at] === MINUS);
      at = this.#digitsEnd(bytes, signed ? at + 1 : at, to, signed ? 'the sign of the exponent' : 'the e of the exponent');
      if (at === CUT) return CUT;
    }
    return at < to || last ? at : CUT;
  }

  /** The position after one or more digits. */
  #digitsEnd(bytes: Uint8Array, start: number, to: number, before: string): number {
    let at = start;
    while (at < to && (bytes[at]! ^ ZERO) <= 9) at += 1;
    if (at > start) return at;
    if (at === to) return CUT;
    return this.fail('malformed', `expected a digit after ${before} but found ${nameByte(bytes[at]!)}`, at);
  }

  /** Reads `true`, `false` or `null`, or reports what was expected. */
  protected readKeyword(bytes: Uint8Array, at: number, to: number, last: boolean, expected: string): number {
    const first = bytes[at];
    const word = first === TRUE[0] ? TRUE : first === FALSE[0] ? FALSE : first === NULL[0] ? NULL : undefined;
    if (word === undefined) this.fail('malformed', `expected ${expected} but found ${nameByte(bytes[at]!)}`, at);
    for (let i = 1; i < word.length; i += 1) {
      if (at + i === to) {
        if (last) this.fail('truncated', `the input ends inside ${decoder.decode(word)}`, to);
        this.needed = word.length;
        return CUT;
      }
      if (bytes[at + i] !== word[i]) {
        this.fail(
          'malformed',
          `expected ${decoder.decode(word)} but found ${nameByte(bytes[at + i]!)} after ${decoder.decode(word.subarray(0, i))}`,
          at + i,
        );
      }
    }
    const end = at + word.length;
    if (word === NULL) this.sink.null(at, end);
    else this.sink.boolean(word === TRUE, at, end);
    return end;
  }

  /** The position after the byte order mark, if there is one; CUT if more bytes are needed to tell. */
  protected skipMark(bytes: Uint8Array, from: number, to: number, last: boolean): number {
    for (let i = 0; i < BYTE_ORDER_MARK.length; i += 1) {
      if (from + i === to) {
        this.needed = BYTE_ORDER_MARK.length;
        return last ? from : CUT;
      }
      if (bytes[from + i] !== BYTE_ORDER_MARK[i]) return from;
    }
    return from + BYTE_ORDER_MARK.length;
  }
}

function isLetter(byte: number): boolean {
  return byte >= 0x61 && byte <= 0x7a;
}
