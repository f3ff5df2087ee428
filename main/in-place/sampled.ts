/** What the first records of a payload are like. */
export interface Sample {
  /** The payload begins with a list, or with one in it, that has at least two whole items in its first bytes. */
  list: boolean;
  /** Its items are objects. */
  records: boolean;
  /** They are objects of scalar values only. */
  flat: boolean;
  /** They are objects of nearly the same keys. */
  regular: boolean;
  /** How long an item is, on average. */
  bytesPerRecord: number;
}

/** A payload that begins with no list. */
export const NO_LIST: Sample = { list: false, records: false, flat: false, regular: false, bytesPerRecord: 0 };
