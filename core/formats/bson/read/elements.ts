import { DecodeError, LimitError } from '../../../errors.ts';
import { type Limits, MAX_TOKEN_LENGTH } from '../../../limits.ts';
import type { Sink } from '../../../reading/sink.ts';
import { IN_ARRAY, IN_CODE, IN_DOCUMENT, type Stack } from './stack.ts';
import { BINARY, CODE, CODE_WITH_SCOPE, DB_POINTER, OLD_BINARY, REGEXP, SYMBOL } from '../types.ts';
import type { Values } from './values.ts';

/** For longer parts, the search for a terminating zero is repeated only once twice as many bytes have arrived. */
const SEARCHED = 1024;

/**
 * Uncommon elements:
 *
 *     0x05 binary             int32 length, uint8 subtype, bytes     subtype 2: int32 length − 4 before the bytes
 *     0x0b regular expression cstring pattern, cstring options
 *     0x0c DBPointer          string namespace, 12 bytes
 *     0x0d code               string
 *     0x0e symbol             string
 *     0x0f code with scope    int32 total length, string code, document scope
 *
 * A string is an int32 length, which includes the zero at its end, UTF-8, and a zero.
 */
export class Elements {
  /** How many bytes are needed from the element's position, if `read` returned −1; 0 if unknown. */
  needed = 0;
  /** The string found by `#string`. */
  #from = 0;
  #end = 0;
  #bytes: Uint8Array = new Uint8Array(0);
  #view: DataView = new DataView(new ArrayBuffer(0));
  #base = 0;
  #to = 0;
  readonly #sink: Sink;
  readonly #values: Values;
  readonly #stack: Stack;
  readonly #longestString: number;
  readonly #longestBinary: number;

  constructor(sink: Sink, values: Values, stack: Stack, limits: Limits) {
    this.#sink = sink;
    this.#values = values;
    this.#stack = stack;
    this.#longestString = Math.min(limits.stringLength, MAX_TOKEN_LENGTH);
    this.#longestBinary = Math.min(limits.binaryLength, MAX_TOKEN_LENGTH);
  }

  window(bytes: Uint8Array, view: DataView, to: number, base: number): void {
    this.#bytes = bytes;
    this.#view = view;
    this.#to = to;
    this.#base = base;
  }

  /**
   * Reads the element at `at`, whose key ends at `nul`, in a document that ends at `end`. Returns the position after
   * it, −1 if it is cut.
   */
  read(at: number, nul: number, end: number): number {
    const type = this.#bytes[at]!;
    switch (type) {
      case BINARY:
        return this.#binary(at, nul, end);
      case REGEXP:
        return this.#regExp(at, nul, end);
      case DB_POINTER:
        return this.#pointer(at, nul, end);
      case CODE:
      case SYMBOL: {
        const next = this.#string(at, nul + 1, end);
        if (next < 0) return next;
        const start = this.#key(at, nul);
        if (type === CODE) this.#values.code(start, this.#from, this.#end);
        else this.#values.symbol(start, this.#from, this.#end);
        return next;
      }
      case CODE_WITH_SCOPE:
        return this.#codeWithScope(at, nul, end);
      default:
        return this.#fail(`invalid element type 0x${type.toString(16).padStart(2, '0')}`, at);
    }
  }

  /**
   * The position of the zero from `from` on that ends a name or a part of the element at `at`; −1 if it has not
   * arrived.
   */
  findZero(at: number, from: number, end: number): number {
    const stop = Math.min(this.#to, end);
    let position = from;
    while (position < stop && this.#bytes[position] !== 0) position += 1;
    if (position - from > this.#longestString) this.#tooLong('stringLength', position - from, from);
    if (position < stop) return position;
    if (end <= this.#to) this.#fail('a text extends past its document', from);
    const searched = this.#to - at;
    this.needed = searched < SEARCHED ? 0 : Math.min(searched * 2, end - at);
    return -1;
  }

  /** Sends the key, and returns where the value starts. Keys of arrays are ignored. */
  #key(at: number, nul: number): number {
    if (this.#stack.kind === IN_ARRAY) return at;
    this.#sink.key(at, at + 1, nul);
    return nul;
  }

  #binary(at: number, nul: number, end: number): number {
    if (nul + 6 > this.#to) return this.#cut(at, nul + 6);
    const view = this.#view;
    const length = view.getInt32(nul + 1, true);
    const subtype = this.#bytes[nul + 5]!;
    let from = nul + 6;
    const next = from + length;
    if (length < 0) this.#fail('a binary has a negative length', nul + 1);
    if (next >= end) this.#fail('a binary extends past its document', nul + 1);
    if (length > this.#longestBinary) this.#tooLong('binaryLength', length, nul + 1);
    if (next > this.#to) return this.#cut(at, next);
    if (subtype === OLD_BINARY) {
      if (length < 4 || view.getInt32(from, true) !== length - 4) {
        this.#fail('a binary of subtype 2 has conflicting lengths', from);
      }
      from += 4;
    }
    this.#values.binary(subtype, this.#key(at, nul), from, next);
    return next;
  }

  #regExp(at: number, nul: number, end: number): number {
    const pattern = nul + 1;
    const patternEnd = this.findZero(at, pattern, end);
    if (patternEnd < 0) return -1;
    const options = patternEnd + 1;
    const optionsEnd = this.findZero(at, options, end);
    if (optionsEnd < 0) return -1;
    const next = optionsEnd + 1;
    if (next >= end) this.#fail('an element extends past its document', at);
    this.#values.regExp({ pattern, patternEnd, options, optionsEnd }, this.#key(at, nul), next);
    return next;
  }

  #pointer(at: number, nul: number, end: number): number {
    const id = this.#string(at, nul + 1, end - 12);
    if (id < 0) return id;
    if (id + 12 > this.#to) return this.#cut(at, id + 12);
    this.#values.pointer(this.#key(at, nul), this.#from, this.#end, id);
    return id + 12;
  }

  #codeWithScope(at: number, nul: number, end: number): number {
    const from = nul + 1;
    if (from + 4 > this.#to) return this.#cut(at, from + 4);
    const size = this.#view.getInt32(from, true);
    // The two lengths, an empty code, an empty scope.
    if (size < 14) this.#fail('a code with scope that is too short', from);
    const last = from + size;
    if (last >= end) this.#fail('a code with scope extends past its document', from);
    const scope = this.#string(at, from + 4, last - 4);
    if (scope < 0) return scope;
    if (scope + 4 > this.#to) return this.#cut(at, scope + 4);
    if (this.#view.getInt32(scope, true) !== last - scope) {
      this.#fail('code with scope has conflicting lengths', scope);
    }
    this.#values.beginCode(this.#key(at, nul), this.#from, this.#end);
    const stack = this.#stack;
    const offset = this.#base + at;
    stack.push(IN_CODE, this.#base + last, offset);
    stack.push(IN_DOCUMENT, this.#base + last, offset);
    this.#sink.beginObject(-1, scope, scope + 4);
    return scope + 4;
  }

  /** Finds the string whose length is at `at`. Returns the position after it, −1 if it is cut. */
  #string(element: number, at: number, end: number): number {
    if (at + 4 > this.#to) return this.#cut(element, at + 4);
    const length = this.#view.getInt32(at, true);
    const next = at + 4 + length;
    if (length < 1) this.#fail('a string has no terminating zero', at);
    if (next >= end) this.#fail('a string extends past its document', at);
    if (length - 1 > this.#longestString) this.#tooLong('stringLength', length - 1, at);
    if (next > this.#to) return this.#cut(element, next);
    if (this.#bytes[next - 1] !== 0) this.#fail('a string has no terminating zero', next - 1);
    this.#from = at + 4;
    this.#end = next - 1;
    return next;
  }

  #cut(at: number, next: number): number {
    this.needed = next - at;
    return -1;
  }

  #fail(reason: string, position: number): never {
    throw new DecodeError('malformed', reason, { offset: this.#base + position });
  }

  #tooLong(limit: 'stringLength' | 'binaryLength', length: number, position: number): never {
    throw new LimitError(limit, `${limit} limit exceeded: ${length} bytes`, {
      offset: this.#base + position,
    });
  }
}
