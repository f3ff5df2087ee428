import {
  TAG_ANCHOR,
  TAG_BIGINT,
  TAG_BINARY,
  TAG_BITS,
  TAG_DATE,
  TAG_FALSE,
  TAG_FLOAT,
  TAG_INT,
  TAG_KEY,
  TAG_LIST,
  TAG_MAP,
  TAG_MASK,
  TAG_NULL,
  TAG_OBJECT,
  TAG_REFERENCE,
  TAG_ROWS,
  TAG_SET,
  TAG_STRING,
  TAG_TAGGED,
  TAG_TRUE,
  TAG_UNDEFINED,
} from '../../../core/block/block.ts';
import { DecodeError, LimitError } from '../../../core/errors.ts';
import type { Limits } from '../../../core/limits.ts';
import type { StringList } from '../../../core/rows/text.ts';

/** Bytes per element of a binary value, by its kind: see `BINARY_KINDS`. */
const ELEMENT_BYTES = [1, 1, 1, 1, 2, 2, 4, 4, 4, 8, 8, 8, 1];
/** Engines do not support longer integers. */
const MAX_DIGITS = 2 ** 28;
const MINUS = 0x2d;

/** Lists, tables and shapes that a tape refers to. */
export interface TapeContext {
  /** Number of keys of each shape. */
  readonly shapes: readonly number[];
  tags(): number;
  text(): StringList;
  binary(): StringList;
  /** Places rows of a table in a list at the given depth. Returns the depth of the deepest row, as far as known. */
  place(table: number, first: number, count: number, depth: number): number;
}

/**
 * Checks that the values of a tape are well-formed. Can stop between any two values, like the `TapeReader` that builds
 * them.
 */
export class TapeVerifier {
  /** Position after the value; number of values inside it; its depth. */
  position = 0;
  values = 0;
  deepest = 0;
  readonly #limits: Limits;
  readonly #context: TapeContext;
  #words: Int32Array = new Int32Array(0);
  /**
   * For each open container: its tag, the number of values left, and, for an object, the number of keys left in its
   * shape.
   */
  readonly #tags: number[] = [];
  readonly #left: number[] = [];
  readonly #keyed: number[] = [];
  #depth = 0;

  constructor(limits: Limits, context: TapeContext) {
    this.#limits = limits;
    this.#context = context;
  }

  /** Starts with the value at a position. */
  start(words: Int32Array, position: number): void {
    this.#words = words;
    this.position = position;
    this.values = -1;
    this.deepest = 0;
    this.#depth = 0;
  }

  /** Takes up to `steps` steps. Returns true once the value has ended. */
  run(steps: number): boolean {
    for (let step = 0; step < steps; step++) {
      const top = this.#depth - 1;
      if (top >= 0 && this.#tags[top] === TAG_OBJECT && --this.#keyed[top]! < 0) {
        if (this.#next() !== TAG_KEY) throw malformed('an object has a value without a key');
        this.#index(this.#context.text());
      }
      let word = this.#next();
      while ((word & TAG_MASK) === TAG_ANCHOR) {
        this.#next();
        word = this.#next();
      }
      const tag = word & TAG_MASK;
      const argument = word >>> TAG_BITS;
      switch (tag) {
        case TAG_NULL:
        case TAG_UNDEFINED:
        case TAG_FALSE:
        case TAG_TRUE:
        case TAG_INT:
          break;
        case TAG_FLOAT:
        case TAG_DATE:
          this.#next();
          this.#next();
          break;
        case TAG_STRING:
          this.#index(this.#context.text());
          break;
        case TAG_BIGINT:
          this.#digits(this.#context.text());
          break;
        case TAG_BINARY:
          this.#binary(argument, this.#context.binary());
          break;
        case TAG_REFERENCE:
          this.#next();
          break;
        case TAG_TAGGED:
          if (argument >= this.#context.tags()) throw malformed(`unknown tag ${argument}`);
          this.#open(tag, 1, 0);
          continue;
        case TAG_LIST:
        case TAG_SET:
          if (this.#context.shapes[argument >>> 1] === undefined) throw malformed(`a list has the unknown shape ${argument >>> 1}`);
          if (this.#open(tag, this.#next(), 0)) continue;
          break;
        case TAG_MAP:
          if (this.#open(tag, this.#next() * 2, 0)) continue;
          break;
        case TAG_OBJECT: {
          const keys = this.#context.shapes[argument];
          const extra = this.#next();
          if (keys === undefined || extra < 0) throw malformed(`an object has the unknown shape ${argument}`);
          if (this.#open(tag, keys + extra, keys)) continue;
          break;
        }
        case TAG_ROWS: {
          const first = this.#next();
          const count = this.#next();
          if (top < 0 || (this.#tags[top] !== TAG_LIST && this.#tags[top] !== TAG_SET) || count > this.#left[top]!) {
            throw malformed('a list has more rows than it declares');
          }
          this.#enter(this.#depth + this.#context.place(argument, first, count, this.#depth));
          this.#left[top]! -= count - 1;
          // The rows themselves are counted with their table.
          this.values--;
          break;
        }
        default:
          throw malformed(`unknown tag ${tag} on a tape`);
      }
      if (this.#close()) return true;
    }
    return false;
  }

  /** Opens a container, unless it is empty. */
  #open(tag: number, left: number, keyed: number): boolean {
    if (left < 0) throw malformed('a container has a negative number of values');
    this.#enter(this.#depth + 1);
    if (left === 0) return false;
    if (tag !== TAG_TAGGED) this.values++;
    this.#tags[this.#depth] = tag;
    this.#left[this.#depth] = left;
    this.#keyed[this.#depth++] = keyed;
    return true;
  }

  #enter(depth: number): void {
    if (depth > this.#limits.depth) throw new LimitError('depth', `depth limit exceeded (${this.#limits.depth})`);
    if (depth > this.deepest) this.deepest = depth;
  }

  /** Ends a value and the containers that it completes. Returns true if the root has ended. */
  #close(): boolean {
    this.values++;
    while (this.#depth > 0) {
      if (--this.#left[this.#depth - 1]! > 0) return false;
      this.#depth--;
    }
    return true;
  }

  #next(): number {
    if (!(this.position < this.#words.length)) throw new DecodeError('truncated', 'not a valid block: a tape ends within a value');
    return this.#words[this.position++]!;
  }

  #index(list: StringList): number {
    const index = this.#next();
    if (!(index >= 0 && index < list.length)) throw malformed(`unknown string ${index}`);
    return index;
  }

  #digits(list: StringList): void {
    const digits = list.bytesAt(this.#index(list));
    const first = digits[0] === MINUS ? 1 : 0;
    let good = digits.length > first && digits.length <= MAX_DIGITS;
    for (let at = first; at < digits.length; at++) good &&= digits[at]! >= 0x30 && digits[at]! <= 0x39;
    if (!good) throw malformed('an integer contains a character other than a digit');
  }

  #binary(kind: number, list: StringList): void {
    const { length } = list.bytesAt(this.#index(list));
    if (kind >= ELEMENT_BYTES.length || length % ELEMENT_BYTES[kind]! !== 0)
      throw malformed(`invalid binary value of kind ${kind} with ${length} bytes`);
  }
}

/** Error for a block that the column sink could not have written. */
export function malformed(what: string): DecodeError {
  return new DecodeError('malformed', `not a valid block: ${what}`);
}
