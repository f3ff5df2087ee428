import { FreeList } from '../../../bytes/free-list.ts';

/** Numbers for each open container. Doubles, since offsets in the input may exceed 32 bits. */
const WIDTH = 5;
export const KIND = 0;
/** Its type. */
export const TYPE = 1;
/**
 * The next field, or how many items are left (keys and values of a map). −1 if a message is skipped. For a union the
 * type of its branch, −1 once that was read.
 */
export const NEXT = 2;
/** The end of a message or union, as an offset in the input. */
export const END = 3;
/** The end of the message or union around it. */
const OUTER = 4;

/** Reusable memory for open containers. */
class Scratch {
  stack = new Float64Array(32 * WIDTH);
  /** By level and field of a message: the number of the message in which the field last occurred. */
  seen = new Uint32Array(256 * 4);
  /** How many messages were numbered. */
  stamp = 0;
}

const scratches = new FreeList(() => new Scratch());
/** Number after which the memory is discarded, so that numbers restart from 0. */
const MAX_STAMPS = 2 ** 31;

/** The open containers. */
export class Stack {
  /** Where the numbers of the innermost container are; negative if none is open. */
  top = -WIDTH;
  /** Where the innermost message or union ends, as an offset in the input. */
  end = Infinity;
  readonly #scratch = scratches.take();
  words = this.#scratch.stack;
  readonly #mostDepth: number;
  #seen = this.#scratch.seen;
  /** The number of the open message at each level. */
  readonly #stamps: number[] = [];
  #stamp = this.#scratch.stamp;

  constructor(mostDepth: number) {
    this.#mostDepth = mostDepth;
  }

  /** The end of the message or union around the innermost container. */
  get outerEnd(): number {
    return this.words[this.top + OUTER]!;
  }

  /** True if no further container may be opened. */
  get isFull(): boolean {
    return this.top / WIDTH + 1 >= this.#mostDepth;
  }

  /** Opens a container; `end` is 0 if it has no length. False if no further one may be opened. */
  push(kind: number, type: number, next: number, end: number): boolean {
    const top = (this.top += WIDTH);
    if (top / WIDTH >= this.#mostDepth) return false;
    if (top === this.words.length) {
      const grown = new Float64Array(top * 2);
      grown.set(this.words);
      this.words = grown;
    }
    const { words } = this;
    words[top + KIND] = kind;
    words[top + TYPE] = type;
    words[top + NEXT] = next;
    words[top + END] = end;
    words[top + OUTER] = this.end;
    if (end !== 0) this.end = end;
    return true;
  }

  pop(): void {
    this.end = this.words[this.top + OUTER]!;
    this.top -= WIDTH;
  }

  /** Begins a message as the innermost container, without fields so far. */
  beginMessage(): void {
    const level = this.top / WIDTH;
    this.#stamp += 1;
    this.#stamps[level] = this.#stamp;
    if (level * 256 + 256 <= this.#seen.length) return;
    const grown = new Uint32Array(level * 512 + 256);
    grown.set(this.#seen);
    this.#seen = grown;
  }

  /** True if a field of the message at `top` has occurred. */
  hasField(top: number, index: number): boolean {
    const level = top / WIDTH;
    return this.#seen[level * 256 + index] === this.#stamps[level];
  }

  addField(top: number, index: number): void {
    const level = top / WIDTH;
    this.#seen[level * 256 + index] = this.#stamps[level]!;
  }

  /** Returns the memory for reuse. Nothing is pushed after this. */
  release(): void {
    const scratch = this.#scratch;
    scratch.stack = this.words;
    scratch.seen = this.#seen;
    scratch.stamp = this.#stamp;
    if (this.#stamp < MAX_STAMPS) scratches.give(scratch);
  }
}
