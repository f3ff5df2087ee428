import { LimitError } from './errors.ts';

/**
 * Limits for what a payload can demand. Every limit is finite by default. Readers check them all, and a declared length or count
 * as soon as it is read, before any of what it announces is awaited or allocated; sinks rely on that.
 */
export interface Limits {
  /** Containers and tagged values inside one another; an array at the root has the depth 1. Default 1,000. */
  depth: number;
  /** Values in one result, containers and their items each counted. Default 2³¹ − 1. */
  values: number;
  /** Bytes of one string as it is encoded. Default 512 MiB − 1, what engines can hold. */
  stringLength: number;
  /** Bytes of one binary value. Default 2³¹ − 1. */
  binaryLength: number;
  /**
   * Values, or bytes copied out, for each byte of input, where a format can give values that take no bytes (nulls of a
   * declared count, shared references, compression). The first 100,000 are free. Default 256.
   */
  expansion: number;
}

export const DEFAULT_LIMITS: Readonly<Limits> = {
  depth: 1_000,
  values: 2 ** 31 - 1,
  stringLength: 2 ** 29 - 1,
  binaryLength: 2 ** 31 - 1,
  expansion: 256,
};

const FREE = 100_000;

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

  /** `amount` values (or copied bytes) are about to be given out. Throws a LimitError before anything is allocated. */
  spend(amount: number, offset?: number): void {
    this.#left -= amount;
    if (this.#left < 0) {
      throw new LimitError('expansion', `expansion limit exceeded (${this.#limits.expansion} values per byte of input)`, { offset });
    }
  }
}

/** Bytes that one token may take, whatever the limits are: readers' positions are 32-bit integers. */
export const LONGEST_TOKEN = 2 ** 30;
