import { LimitError } from './errors.ts';
import type { Limits } from './limits.ts';

const FREE = 100_000;
/** Bytes copied out that cost as much as one value. */
export const BYTES_PER_VALUE = 16;
/**
 * Maximum number of values that take no bytes in one payload of any size. As empty objects (40 to 60 bytes each) they
 * fill half a gigabyte.
 */
const MOST_EMPTY = 10_000_000;

/**
 * Limits the output relative to the input. Readers of formats in which a value can take no bytes call `spend` for such
 * values; `receive` adds allowance as input arrives.
 */
export class Budget {
  #left = FREE;
  #empty = 0;
  #input = 0;
  readonly #limits: Limits;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Values that may still be emitted. */
  get left(): number {
    return this.#left;
  }

  /** Adds the allowance for `bytes` of input. */
  receive(bytes: number): void {
    this.#left += bytes * this.#limits.expansion;
  }

  /** Charges values before they are emitted. Throws a LimitError before anything is allocated. */
  spend(values: number, offset?: number): void {
    this.#left -= values;
    if (this.#left < 0) {
      throw new LimitError('expansion', `expansion limit exceeded (${this.#limits.expansion} values per byte of input)`, { offset });
    }
  }

  /** Charges bytes before they are copied out. */
  spendBytes(bytes: number, offset?: number): void {
    this.spend(bytes / BYTES_PER_VALUE, offset);
  }

  /** Charges bytes before or after their decompression. */
  spendInput(bytes: number, offset?: number): void {
    this.spendBytes(bytes, offset);
    this.#input += bytes;
    if (this.#input > this.#limits.bytes) {
      throw new LimitError('bytes', `bytes limit exceeded (${this.#limits.bytes}) after decompression`, { offset });
    }
  }

  /** Charges values that take no bytes, such as the items of a list of nulls, before they are emitted. */
  spendEmpty(values: number, offset?: number): void {
    this.spend(values, offset);
    this.#empty += values;
    if (this.#empty > MOST_EMPTY) {
      throw new LimitError('expansion', 'more than 10 million values that take no bytes', { offset });
    }
  }
}
