/** Nesting depth that `skipItem` of a format follows. */
export const MOST_DEPTH = 64;
/** Largest entry count of a container, so that twice as many plus one are a small integer. */
export const MOST_ENTRIES = 2 ** 27;

/** Limits of an item that `skipItem` validates; afterwards, what is left of them. */
export interface SkipState {
  /** How many containers may be open. */
  depth: number;
  /** How many values may come. */
  left: number;
}

/** For each container outside the current one: remaining keys and values, doubled, plus one for a map. */
export const outer: Int32Array = new Int32Array(MOST_DEPTH);
