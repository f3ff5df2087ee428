import { LimitError } from '../../../errors.ts';
import type { Limits } from '../../../limits.ts';

/** Kinds of containers. */
export const IN_ROOT = 0;
export const IN_DOCUMENT = 1;
export const IN_ARRAY = 2;
/** The container around the scope of a code, which ends with it. */
export const IN_CODE = 3;

/** The open documents. The fields hold the state of the innermost one. */
export class Stack {
  kind = IN_ROOT;
  /** The offset in the input after its last byte. */
  end = 0;
  depth = 0;
  #kinds = new Uint8Array(32);
  #ends = new Float64Array(32);
  readonly #deepest: number;

  constructor(limits: Limits) {
    this.#deepest = limits.depth;
  }

  /** Opens a container from the offset `offset` to the offset `end`. */
  push(kind: number, end: number, offset: number): void {
    if (this.depth >= this.#deepest) {
      throw new LimitError('depth', `depth limit exceeded (${this.#deepest})`, { offset });
    }
    if (this.depth === this.#kinds.length) this.#grow();
    this.#kinds[this.depth] = this.kind;
    this.#ends[this.depth] = this.end;
    this.depth += 1;
    this.kind = kind;
    this.end = end;
  }

  pop(): void {
    this.depth -= 1;
    this.kind = this.#kinds[this.depth]!;
    this.end = this.#ends[this.depth]!;
  }

  #grow(): void {
    const kinds = new Uint8Array(this.depth * 2);
    const ends = new Float64Array(this.depth * 2);
    kinds.set(this.#kinds);
    ends.set(this.#ends);
    this.#kinds = kinds;
    this.#ends = ends;
  }
}
