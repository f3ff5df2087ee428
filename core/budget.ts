import { LimitError } from './errors.ts';
import { FREE_VALUES, type Limits } from './limits.ts';

/** Bytes copied out that cost as much as one value. */
export const BYTES_PER_VALUE = 16;
/**
 * Maximum number of values that take no bytes in one payload of any size. As empty objects (40 to 60 bytes each) they
 * fill half a gigabyte.
 */
const MAX_EMPTY = 10_000_000;

/** The charges of a budget so far. */
export interface Charged {
  readonly spent: number;
  readonly shared: number;
}

/**
 * Limits the output relative to the input. Readers of formats in which a value can take no bytes call `spend` for such
 * values, and readers that make text or copies of few bytes `spendText` and `spendBytes`; `receive` adds allowance as input
 * arrives.
 */
export class Budget {
  #received = 0;
  /** Charged so far. No private field, which makes a reader of a small payload slower to create. */
  spent = 0;
  /** Values that the input holds fewer times. */
  shared = 0;
  #empty = 0;
  #input = 0;
  readonly #limits: Limits;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Values that may still be emitted. */
  get left(): number {
    return FREE_VALUES + this.#received * this.#limits.expansion - this.spent;
  }

  /** The charges so far, to `restore` when the values are dropped and made again. */
  get charged(): Charged {
    return { spent: this.spent, shared: this.shared };
  }

  /** Sets the charges back. */
  restore({ spent, shared }: Charged): void {
    this.spent = spent;
    this.shared = shared;
  }

  /** Raises the allowance to the one for `total` bytes of input. */
  receive(total: number): void {
    if (total > this.#received) this.#received = total;
  }

  /** Charges values before they are emitted. Throws a LimitError before anything is allocated. */
  spend(values: number, offset?: number): void {
    this.spent += values;
    if (this.left < 0) this.#exceed('expansion', offset, ' values per byte of input)');
  }

  /** Charges values that the input may hold fewer times. All of them together are limited like those that it holds. */
  spendShared(values: number, offset?: number): void {
    this.shared += values;
    if (this.shared > this.#limits.values) this.#exceed('values', offset);
    this.spend(values, offset);
  }

  /** Charges bytes before they are copied out. */
  spendBytes(bytes: number, offset?: number): void {
    this.spend(bytes / BYTES_PER_VALUE, offset);
  }

  /** Charges text of ASCII that is made of other values, before it is made. Its length is limited like that of a string. */
  spendText(length: number, offset?: number): void {
    if (length > this.#limits.stringLength) this.#exceed('stringLength', offset);
    this.spendBytes(length, offset);
  }

  /** Charges bytes before or after their decompression. */
  spendInput(bytes: number, offset?: number): void {
    this.spendBytes(bytes, offset);
    this.#input += bytes;
    if (this.#input > this.#limits.bytes) this.#exceed('bytes', offset, ') after decompression');
  }

  /** Charges values that take no bytes, such as the items of a list of nulls, before they are emitted. */
  spendEmpty(values: number, offset?: number): void {
    this.spend(values, offset);
    this.#empty += values;
    if (this.#empty > MAX_EMPTY) {
      throw new LimitError('expansion', 'more than 10 million values that take no bytes', { offset });
    }
  }

  #exceed(limit: 'bytes' | 'expansion' | 'stringLength' | 'values', offset: number | undefined, end = ')'): never {
    throw new LimitError(limit, `${limit} limit exceeded (${this.#limits[limit]}${end}`, { offset });
  }
}
