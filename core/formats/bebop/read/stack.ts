import { FreeList } from '../../../bytes/free-list.ts';

/** Numbers of a container that is open. Offsets in the input may have more than 32 bits. */
const WIDTH = 5;
export const KIND = 0;
/** Its type. */
export const TYPE = 1;
/**
 * The field that comes next, or how many items are left; of a map keys and values. −1 where a message is skipped. Of a
 * union the type of its branch, −1 when that was read.
 */
export const NEXT = 2;
/** The end of a message or union, as an offset in the input. */
export const END = 3;
/** The end of what was around it. */
const OUTER = 4;

/** What a reader keeps of the containers that are open. */
class Scratch {
  stack = new Float64Array(32 * WIDTH);
  /** By level and field of a message the number of the message, which says that the field was there. */
  seen = new Uint32Array(256 * 4);
  /** Messages that were numbered. */
  stamp = 0;
}

const scratches = new FreeList(() => new Scratch());
/** From this number on, messages are numbered from 0 again. */
const MOST_STAMPS = 2 ** 31;

/** The containers that are open. */
export class Stack {
  /** Where the innermost one's numbers are, below 0 where none is open. */
  top = -WIDTH;
  /** Where the innermost message or union ends, as an offset in the input. */
  end = Infinity;
  readonly #scratch = scratches.take();
  words = this.#scratch.stack;
  readonly #mostDepth: number;
  #seen = this.#scratch.seen;
  /** By level the number of the message that is open there. */
  readonly #stamps: number[] = [];
  #stamp = this.#scratch.stamp;

  constructor(mostDepth: number) {
    this.#mostDepth = mostDepth;
  }

  /** The end of the message or union around the innermost container. */
  get outerEnd(): number {
    return this.words[this.top + OUTER]!;
  }

  /** No container may be opened. */
  get isFull(): boolean {
    return this.top / WIDTH + 1 >= this.#mostDepth;
  }

  /** Opens a container; `end` is 0 where it has no length. False where no more may be open. */
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

  /** The innermost container is a message, of which no field has come. */
  beginMessage(): void {
    const level = this.top / WIDTH;
    this.#stamp += 1;
    this.#stamps[level] = this.#stamp;
    if (level * 256 + 256 <= this.#seen.length) return;
    const grown = new Uint32Array(level * 512 + 256);
    grown.set(this.#seen);
    this.#seen = grown;
  }

  /** Whether a field of the message at `top` has come. */
  hasField(top: number, index: number): boolean {
    const level = top / WIDTH;
    return this.#seen[level * 256 + index] === this.#stamps[level];
  }

  addField(top: number, index: number): void {
    const level = top / WIDTH;
    this.#seen[level * 256 + index] = this.#stamps[level]!;
  }

  /** Nothing is pushed any more. */
  release(): void {
    const scratch = this.#scratch;
    scratch.stack = this.words;
    scratch.seen = this.#seen;
    scratch.stamp = this.#stamp;
    if (this.#stamp < MOST_STAMPS) scratches.give(scratch);
  }
}
