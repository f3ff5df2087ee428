import { LimitError } from '../../../errors.ts';
import type { Limits } from '../../../limits.ts';
import { FreeList } from '../../../bytes/free-list.ts';

/** Kinds of containers, combined with what comes next in them. */
export const ROOT = 1;
export const ARRAY = 2;
/** An object before a key, and before a value. */
export const OBJECT = 3;
export const KEYED = 4;
export const MAP_KEY = 5;
export const MAP_VALUE = 6;
export const SET = 7;
/** A built-in constructor, before its array of arguments. */
export const BUILTIN = 8;
/** Another constructor. */
export const CONSTRUCTED = 9;

/** Words for each container outside the innermost. */
const FRAME = 3;
const stacks = new FreeList(() => new Int32Array(32 * FRAME));

/** The open containers. The fields hold the state of the innermost one. */
export class Stack {
  kind = ROOT;
  /** Remaining values of an array; negative if an end marker closes the container. */
  left = 1;
  /** The number under which a constructor is recorded, −1 for none. */
  number = -1;
  depth = 0;
  #words = stacks.take();
  readonly #deepest: number;

  constructor(limits: Limits) {
    this.#deepest = limits.depth;
  }

  push(kind: number, left: number, offset: number): void {
    if (this.depth >= this.#deepest) {
      throw new LimitError('depth', `depth limit exceeded (${this.#deepest})`, { offset });
    }
    const frame = this.depth * FRAME;
    if (frame === this.#words.length) {
      const grown = new Int32Array(frame * 2);
      grown.set(this.#words);
      this.#words = grown;
    }
    this.#words[frame] = this.kind;
    this.#words[frame + 1] = this.left;
    this.#words[frame + 2] = this.number;
    this.depth += 1;
    this.kind = kind;
    this.left = left;
    this.number = -1;
  }

  /** Returns the words for reuse at the end of the input. */
  release(): void {
    stacks.give(this.#words);
  }

  pop(): void {
    this.depth -= 1;
    const frame = this.depth * FRAME;
    this.kind = this.#words[frame]!;
    this.left = this.#words[frame + 1]!;
    this.number = this.#words[frame + 2]!;
  }
}

/** The kind of a container after one of its values. */
export function after(kind: number): number {
  if (kind === KEYED) return OBJECT;
  if (kind === MAP_KEY) return MAP_VALUE;
  return kind === MAP_VALUE ? MAP_KEY : kind;
}
