import type { Limits } from '../../limits.ts';
import { INDEFINITE, type Input } from './input.ts';

/** What can be open around the value being read. */
export const ROOT = 1;
export const ARRAY = 2;
export const OBJECT = 3;
export const RECORD = 4;
export const MAP = 5;
export const SET = 6;
/** A value of a tag that the core or the format makes. */
export const TAGGED = 7;
/** The content of a tag that is not known. */
export const UNKNOWN = 8;
/** The value behind a table of packed values, in which the table holds. */
export const PACKED_VALUE = 9;
/** A value that lies in a byte string. */
export const EMBEDDED = 10;
/** The first of the kinds whose items are no values: `readScalars` must not see them. */
export const DEFINITION = 11;
/** The head of a table of packed values, and its entries. */
export const PACKED = 12;
export const TABLE = 13;
/** A list of record definitions and the value behind them, which becomes a PACKED_VALUE. */
export const DEFINITIONS = 14;

/** Words for each container that is open outside the innermost: its kind, the values that it still has, and has in all. */
const WORDS = 3;

/** What a stack that is done with leaves for the next: to allocate it costs as much as to read a small value. */
let spare: Int32Array | undefined;

/** The open containers. The innermost one's state lies in the fields. */
export class Stack {
  kind = ROOT;
  /** Values that it still has: entries of an object, keys and values of a Map. */
  left = 1;
  /** Values in all; of a container of indefinite length minus the number of values that it may have. */
  size = 1;
  /** The key or field of the next value has been sent. */
  keyed = false;
  /** How many containers are open in the root. */
  depth = 0;
  #words: Int32Array;
  /** Values that there are or must be. */
  values = 1;
  readonly #mostValues: number;
  readonly #mostDepth: number;
  readonly #input: Input;

  constructor(input: Input, limits: Limits) {
    this.#input = input;
    this.#mostValues = Math.min(limits.values, 2 ** 31 - 2);
    this.#mostDepth = limits.depth;
    this.#words = spare ?? new Int32Array(32 * WORDS);
    spare = undefined;
  }

  /** The next value of the innermost container is there, or has begun. */
  took(): void {
    this.left -= 1;
    this.keyed = false;
  }

  /** Counts values before anything is made for them. */
  count(values: number, at: number): void {
    this.values += values;
    if (this.values > this.#mostValues) this.#input.exceed('values', at);
  }

  /** How many more containers may be open, and how many more values may come. */
  get room(): { depth: number; left: number } {
    return { depth: this.#mostDepth - this.depth, left: this.#mostValues - this.values };
  }

  /** Counts a container of `count` values that are all there. */
  check(count: number, at: number): void {
    if (this.depth >= this.#mostDepth) this.#input.exceed('depth', at);
    this.count(count, at);
  }

  /** Opens a container of `count` values, which may be INDEFINITE. */
  open(kind: number, count: number, at: number): void {
    if (this.depth >= this.#mostDepth) this.#input.exceed('depth', at);
    if (count === INDEFINITE) {
      // One more than there may be: who takes it has passed the limit.
      const most = this.#mostValues - this.values + 1;
      this.#push(kind, most, -most);
    } else {
      this.count(count, at);
      this.#push(kind, count, count);
    }
  }

  /** The innermost container, of indefinite length, ends at the break at `at`. */
  endByBreak(at: number): void {
    const { kind, size, left, keyed } = this;
    const values = -size - left;
    if (size >= 0 || (kind === OBJECT && keyed) || (kind === MAP && (values & 1) !== 0)) {
      this.#input.fail('malformed', 'a break where none can be', at);
    }
    this.count(values, at);
  }

  #push(kind: number, left: number, size: number): void {
    const at = this.depth * WORDS;
    if (at === this.#words.length) {
      const grown = new Int32Array(at * 2);
      grown.set(this.#words);
      this.#words = grown;
    }
    const words = this.#words;
    words[at] = this.kind;
    words[at + 1] = this.left;
    words[at + 2] = this.size;
    this.depth += 1;
    this.kind = kind;
    this.left = left;
    this.size = size;
    this.keyed = false;
  }

  pop(): void {
    this.depth -= 1;
    const at = this.depth * WORDS;
    const words = this.#words;
    this.kind = words[at]!;
    this.left = words[at + 1]!;
    this.size = words[at + 2]!;
    this.keyed = false;
  }

  /** Nothing is pushed any more. */
  release(): void {
    spare = this.#words;
  }
}
