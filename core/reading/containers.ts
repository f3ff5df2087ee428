import { LimitError } from '../errors.ts';
import type { Limits } from '../limits.ts';

/** Words for each container that is open outside the innermost: its kind, the values that it still has, and has in all. */
const WORDS = 3;

/** What a stack that is done with leaves for the next: to allocate it costs as much as to read a small value. */
let spare: Int32Array | undefined;

/**
 * The containers that are open, of a format whose containers tell how many values they have. The innermost one's state
 * lies in the fields. Kinds are the format's own; 1 is the root.
 */
export class Containers {
  kind = 1;
  /** Values that it still has: entries of an object, keys and values of a Map. */
  left = 1;
  /** Values in all. */
  size = 1;
  /** The key or field of the next value has been sent. */
  keyed = false;
  /** How many containers are open in the root. */
  depth = 0;
  /** Values that there are by the counts declared until now. */
  values = 1;
  /** How many values there may be, and how many containers inside one another. */
  readonly mostValues: number;
  readonly mostDepth: number;
  #words: Int32Array;

  constructor(limits: Limits) {
    this.mostValues = Math.min(limits.values, 2 ** 31 - 2);
    this.mostDepth = limits.depth;
    this.#words = spare ?? new Int32Array(32 * WORDS);
    spare = undefined;
  }

  /** The next value of the innermost container is there, or has begun. */
  took(): void {
    this.left -= 1;
    this.keyed = false;
  }

  /** Counts values before anything is made for them. Throws a LimitError at an offset of the input. */
  count(values: number, offset: number): void {
    this.values += values;
    if (this.values > this.mostValues) throw new LimitError('values', `values limit exceeded (${this.mostValues})`, { offset });
  }

  /** Counts a container of `count` values, whose head is at an offset of the input. */
  check(count: number, offset: number): void {
    this.checkDepth(offset);
    this.count(count, offset);
  }

  /** Throws a LimitError where no further container may be open inside `depth` of them. */
  checkDepth(offset: number, depth = this.depth): void {
    if (depth >= this.mostDepth) {
      throw new LimitError('depth', `more than the limit of depth (${this.mostDepth})`, { offset });
    }
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

  /** The innermost container has ended. */
  pop(): void {
    this.depth -= 1;
    const at = this.depth * WORDS;
    const words = this.#words;
    this.kind = words[at]!;
    this.left = words[at + 1]!;
    this.size = words[at + 2]!;
    this.keyed = false;
  }

  /** Nothing is opened any more. */
  release(): void {
    spare = this.#words;
  }
}
