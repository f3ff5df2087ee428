/** Sizes by which payloads are compared. Each default names the benchmark that shows what changing it costs. */
export interface Sizes {
  /** Bytes of the longest item that is decoded as a whole; longer lists and objects are read item by item. */
  readonly unit: number;
  /** The same for strings, binaries, and lists of scalars, whose items have no identity. */
  readonly scalars: number;
  /** Containers that are read item by item inside each other. */
  readonly depth: number;
  /** Items after the expected one that a new item is compared with, before all others are looked up by their hashes. */
  readonly window: number;
  /** Bytes of changed items that are decoded as one list. */
  readonly batch: number;
  /** Bytes of changed items, and their share of all bytes, from which a decode as usual takes less time. */
  readonly giveUp: number;
  readonly giveUpShare: number;
  /** Bytes of an earlier payload that are compared first, to give up before all of its items are known. */
  readonly probe: number;
  /** Bytes after the longest whole item that have arrived before an item is read: more than a key or a token has. */
  readonly ahead: number;
}

/** bench/refetch/run.mjs. */
export const SIZES: Sizes = {
  unit: 16 * 1024,
  scalars: 1024 * 1024,
  depth: 16,
  window: 32,
  batch: 64 * 1024,
  giveUp: 64 * 1024,
  giveUpShare: 0.6,
  probe: 256 * 1024,
  ahead: 48 * 1024,
};

/** Bytes that are skipped, hashed or compared before the caller may pause: a fraction of a millisecond. bench/refetch/run.mjs. */
export const STEP_BYTES = 512 * 1024;

/** Milliseconds after which a comparison gives the thread back: half of the longest block, since a step may take as long. bench/refetch/run.mjs. */
export const COMPARE_MS = 4;

/** Items that are compared before the caller may pause. bench/refetch/run.mjs. */
export const STEP_ITEMS = 64;

/** Items that are taken over one after another before the caller may pause. bench/refetch/run.mjs. */
export const STEP_KEPT = 8 * 1024;
