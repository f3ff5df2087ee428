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

/** Fills in the defaults. A limit that is given as undefined is the default, and not none. */
export function resolveLimits(limits?: Partial<Limits>, defaults = DEFAULT_LIMITS): Readonly<Limits> {
  if (limits === undefined) return defaults;
  const resolved = { ...defaults };
  for (const name in resolved) resolved[name as keyof Limits] = limits[name as keyof Limits] ?? resolved[name as keyof Limits];
  return resolved;
}

/** Bytes that one token may take, whatever the limits are: readers' positions are 32-bit integers. */
export const LONGEST_TOKEN = 2 ** 30;
