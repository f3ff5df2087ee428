import { LimitError } from '../../errors.ts';
import type { Limits } from '../../limits.ts';

/** What can be open around the value being read. */
export const ROOT = 1;
export const ARRAY = 2;
export const OBJECT = 3;
export const RECORD = 4;
export const MAP = 5;
export const SET = 6;
/** An error or a regular expression of msgpackr's: one value. */
export const TAGGED = 7;
/** An extension whose content is a value. */
export const EXTENSION = 8;
/** The keys of a record, which becomes a RECORD when they are whole. */
export const DEFINITION = 9;

/** What one token may take, whatever the limits are: positions are 32-bit integers here. */
export const LONGEST = 2 ** 30;

/**
 * Words for each container that is open outside the innermost: its kind, the values that it still has, and has in all.
 */
const FRAME = 3;

/** What a stack that is done with leaves for the next: to allocate it costs as much as to read a small value. */
let spare: Int32Array | undefined;

/** The open containers. The innermost one's state lies in the fields. */
export class Stack {
  kind = ROOT;
  /** Values that it still has: entries of an object, keys and values of a Map. */
  left = 1;
  size = 1;
  /** The key or field of the next value has been sent. */
  keyed = false;
  /** How many containers are open in the root. */
  depth = 0;
  /** Values that there are by the counts declared until now. */
  values = 1;
  words: Int32Array;
  readonly mostValues: number;
  readonly #deepest: number;

  constructor(limits: Limits) {
    this.words = spare ?? new Int32Array(32 * FRAME);
    spare = undefined;
    this.mostValues = Math.min(limits.values, 2 ** 31 - 1);
    this.#deepest = limits.depth;
  }

  /** How many more containers may be open. */
  get room(): number {
    return this.#deepest - this.depth;
  }

  /** Counts a container of `size` values, whose head is at the byte `offset` of the input. */
  check(size: number, offset: number): void {
    this.count(size, offset);
    if (this.depth >= this.#deepest) {
      throw new LimitError('depth', `more than ${this.#deepest} containers inside one another`, { offset });
    }
  }

  /** Opens such a container. */
  push(kind: number, size: number, offset: number): void {
    this.check(size, offset);
    const frame = this.depth * FRAME;
    if (frame === this.words.length) {
      const grown = new Int32Array(frame * 2);
      grown.set(this.words);
      this.words = grown;
    }
    const words = this.words;
    words[frame] = this.kind;
    words[frame + 1] = this.left;
    words[frame + 2] = this.size;
    this.depth += 1;
    this.kind = kind;
    this.left = this.size = size;
    this.keyed = false;
  }

  pop(): void {
    this.depth -= 1;
    const frame = this.depth * FRAME;
    const words = this.words;
    this.kind = words[frame]!;
    this.left = words[frame + 1]!;
    this.size = words[frame + 2]!;
  }

  /** Declared values are counted at once, before anything is made for them. */
  count(values: number, offset: number): void {
    this.values += values;
    if (this.values > this.mostValues) {
      throw new LimitError('values', `more than ${this.mostValues} values`, { offset });
    }
  }

  /** Nothing is pushed any more. */
  release(): void {
    spare = this.words;
  }
}
