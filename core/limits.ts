/**
 * Limits on the resources that a payload can demand. Every limit is finite by default. Readers check all of them, and
 * check a declared length or count as soon as it is read, before awaiting or allocating its content; sinks rely on
 * that.
 */
export interface Limits {
  /** Bytes of the payload, both as received and decompressed. Default 2⁵³ − 1, since batches may continue forever. */
  bytes: number;
  /** Nested containers and tagged values; an array at the root has depth 1. Default 1,000. */
  depth: number;
  /** Values in one result; containers and their items each count. Default 2³¹ − 1. */
  values: number;
  /** Bytes of one encoded string. Default 2²⁹ − 24, the most characters that every engine can hold in one. */
  stringLength: number;
  /** Bytes of one binary value. Default 2³¹ − 1. */
  binaryLength: number;
  /**
   * Values per byte of input, in formats where a value can take no bytes (nulls of a declared count, defaults, shared
   * references), and 16 times as many bytes copied out (compression, shared strings). The first 100,000 values or 1.6
   * MB are free. Regardless of this limit, lists and records whose items take no bytes have at most 10 million items in
   * total. Default 16.
   */
  expansion: number;
}

export const DEFAULT_LIMITS: Readonly<Limits> = {
  bytes: Number.MAX_SAFE_INTEGER,
  depth: 1_000,
  values: 2 ** 31 - 1,
  stringLength: 2 ** 29 - 24,
  binaryLength: 2 ** 31 - 1,
  expansion: 16,
};

/** Values that a payload of any size may have without bytes for them. */
export const FREE_VALUES = 100_000;

/** Fills in the defaults, also for limits given as undefined. */
export function resolveLimits(limits?: Partial<Limits>, defaults = DEFAULT_LIMITS): Readonly<Limits> {
  if (limits === undefined) return defaults;
  const resolved = { ...defaults };
  for (const name of Object.keys(resolved)) resolved[name as keyof Limits] = limits[name as keyof Limits] ?? resolved[name as keyof Limits];
  return resolved;
}

/** Maximum bytes of one token under any limits: readers' positions are 32-bit integers. */
export const MAX_TOKEN_LENGTH = 2 ** 30;
