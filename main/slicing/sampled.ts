import type { ListForm } from '../../core/formats/format.ts';

/** What the first records of a payload are like: a list has at least two whole items in its first bytes. */
export interface Sample extends ListForm {
  /** How long an item is, on average. */
  bytesPerRecord: number;
}

/** A payload that begins with no list. */
export const NO_LIST: Sample = { list: false, records: false, flat: false, regular: false, bytesPerRecord: 0 };
