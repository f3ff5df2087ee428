import { LimitError } from './errors.ts';

/**
 * Limits for what a payload can demand. Every limit is finite by default. Readers check them all, and a declared length or count
 * as soon as it is read, before any of what it announces is awaited or allocated; sinks rely on that.
 */
export interface Limits {
  /** Bytes of the payload, as it comes and once it is decompressed. Default 2⁵³ − 1: batches may go on for ever. */
  inputLength: number;
  /** Containers and tagged values inside one another; an array at the root has the depth 1. Default 1,000. */
  depth: number;
  /** Values in one result, containers and their items each counted. Default 2³¹ − 1. */
  values: number;
  /** Bytes of one string as it is encoded. Default 512 MiB − 1, what engines can hold. */
  stringLength: number;
  /** Bytes of one binary value. Default 2³¹ − 1. */
  binaryLength: number;
  /**
   * Values for each byte of input, where a format can give values that take no bytes (nulls of a declared count, defaults,
   * shared references); and 16 times as many bytes copied out (compression, shared strings). The first 100,000 values or
   * 1.6 MB are free. Lists and records whose items take no bytes at all have at most 10 million items in total, whatever this
   * limit is. Default 16.
   */
  expansion: number;
}

export const DEFAULT_LIMITS: Readonly<Limits> = {
  inputLength: Number.MAX_SAFE_INTEGER,
  depth: 1_000,
  values: 2 ** 31 - 1,
  stringLength: 2 ** 29 - 1,
  binaryLength: 2 ** 31 - 1,
  expansion: 16,
};

const FREE = 100_000;
/** Bytes that are copied out for the price of one value. */
export const BYTES_PER_VALUE = 16;
/** Values without bytes in one payload, however large it is: empty objects of 40 to 60 bytes, half a gigabyte in all. */
const MOST_EMPTY = 10_000_000;

/** Fills in the defaults. A limit that is given as undefined is the default, and not none. */
export function resolveLimits(limits?: Partial<Limits>, defaults = DEFAULT_LIMITS): Readonly<Limits> {
  if (limits === undefined) return defaults;
  const resolved = { ...defaults };
  for (const name in resolved) resolved[name as keyof Limits] = limits[name as keyof Limits] ?? resolved[name as keyof Limits];
  return resolved;
}

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

/** Bytes that one token may take, whatever the limits are: readers' positions are 32-bit integers. */
export const LONGEST_TOKEN = 2 ** 30;
