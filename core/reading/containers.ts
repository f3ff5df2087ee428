import { LimitError } from '../errors.ts';
import type { Limits } from '../limits.ts';

/** Words per open container outside the innermost: its kind, its remaining values, and its total of values. */
const WORDS = 3;

/** Words of a finished stack, reused by the next: allocating them costs as much as reading a small value. */
let reusableWords: Int32Array | undefined;

/** Kinds of containers. Greater numbers are the format's own. */
export const ROOT = 1;
export const ARRAY = 2;
export const OBJECT = 3;
export const RECORD = 4;
export const MAP = 5;
export const SET = 6;

/**
 * The stack of open containers, for formats whose containers declare how many values they have. The fields hold the
 * state of the innermost one.
 */
export class Containers {
  kind = ROOT;
  /** Remaining values: entries of an object, keys and values of a Map. */
  left = 1;
  /** Total of values. */
  size = 1;
  /** The key or field of the next value has been sent. */
  keyed = false;
  /** How many containers are open in the root. */
  depth = 0;
  /** Values declared so far. */
  values = 1;
  /** Limits: values, and containers open at the same time. */
  readonly mostValues: number;
  readonly mostDepth: number;
  #words: Int32Array;

  constructor(limits: Limits) {
    this.mostValues = Math.min(limits.values, 2 ** 31 - 2);
    this.mostDepth = limits.depth;
    this.#words = reusableWords ?? new Int32Array(32 * WORDS);
    reusableWords = undefined;
  }

  /** Records that the next value of the innermost container was read, or has begun. */
  took(): void {
    this.left -= 1;
    this.keyed = false;
  }

  /** Counts values before they are allocated. Throws a LimitError at an offset of the input. */
  count(values: number, offset: number): void {
    this.values += values;
    if (this.values > this.mostValues) throw new LimitError('values', `values limit exceeded (${this.mostValues})`, { offset });
  }

  /** Checks the limits for a container of `count` values whose head is at an offset of the input. */
  check(count: number, offset: number): void {
    this.checkDepth(offset);
    this.count(count, offset);
  }

  /** Throws a LimitError if no further container may be open inside `depth` of them. */
  checkDepth(offset: number, depth = this.depth): void {
    if (depth >= this.mostDepth) {
      throw new LimitError('depth', `depth limit exceeded (${this.mostDepth})`, { offset });
    }
  }

  /** Opens a container of `size` values, whose head is at the byte `offset` of the input. */
  push(kind: number, size: number, offset: number): void {
    this.check(size, offset);
    this.enter(kind, size, size);
  }

  /** Opens a container that has been checked. */
  enter(kind: number, left: number, size: number): void {
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

  /** Closes the innermost container. */
  pop(): void {
    this.depth -= 1;
    const at = this.depth * WORDS;
    const words = this.#words;
    this.kind = words[at]!;
    this.left = words[at + 1]!;
    this.size = words[at + 2]!;
    this.keyed = false;
  }

  /** Returns the words for reuse. No container is opened after this. */
  release(): void {
    reusableWords = this.#words;
  }
}
