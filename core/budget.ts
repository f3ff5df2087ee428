import { LimitError } from './errors.ts';
import type { Limits } from './limits.ts';

const FREE = 100_000;
/** Bytes that are copied out for the price of one value. */
export const BYTES_PER_VALUE = 16;
/** Values without bytes in one payload, however large it is: empty objects of 40 to 60 bytes, half a gigabyte in all. */
const MOST_EMPTY = 10_000_000;

/**
 * Counts what was given out against what came in. Readers of formats in which a value can cost no bytes call `spend`
 * for those values; `received` follows the input.
 */
export class Budget {
  #left = FREE;
  #empty = 0;
  #input = 0;
  readonly #limits: Limits;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** How much can be given out yet. */
  get left(): number {
    return this.#left;
  }

  /** More input came: `bytes` of it. */
  receive(bytes: number): void {
    this.#left += bytes * this.#limits.expansion;
  }

  /** `values` are about to be given out. Throws a LimitError before anything is allocated. */
  spend(values: number, offset?: number): void {
    this.#left -= values;
    if (this.#left < 0) {
      throw new LimitError('expansion', `expansion limit exceeded (${this.#limits.expansion} values per byte of input)`, { offset });
    }
  }

  /** `bytes` are about to be copied out. */
  spendBytes(bytes: number, offset?: number): void {
    this.spend(bytes / BYTES_PER_VALUE, offset);
  }

  /** `bytes` were decompressed, or are about to be. */
  spendInput(bytes: number, offset?: number): void {
    this.spendBytes(bytes, offset);
    this.#input += bytes;
    if (this.#input > this.#limits.inputLength) {
      throw new LimitError('inputLength', `inputLength limit exceeded (${this.#limits.inputLength}) after decompression`, { offset });
    }
  }

  /** `values` that take no bytes, a list's items for example, are about to be given out. */
  spendEmpty(values: number, offset?: number): void {
    this.spend(values, offset);
    this.#empty += values;
    if (this.#empty > MOST_EMPTY) {
      throw new LimitError('expansion', 'more than 10 million values that take no bytes', { offset });
    }
  }
}
