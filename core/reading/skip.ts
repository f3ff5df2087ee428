/** Containers inside one another that `skipItem` of a format follows. */
export const MOST_DEPTH = 64;
/** Entries of a container, so that twice as many and a bit more are a small integer. */
export const MOST_ENTRIES = 2 ** 27;

/** How much an item that is skimmed may have, and, once it has been, how much is left. */
export interface SkipState {
  /** How many containers may be open. */
  depth: number;
  /** How many values may come. */
  left: number;
}

/** What is open around a container: keys and values still to come, doubled, plus one in a map. */
export const outer: Int32Array = new Int32Array(MOST_DEPTH);
