import type { ListForm } from '../../core/formats/format.ts';

/** Shape of a payload's first records. A list counts as one if the sampled bytes contain at least two complete items. */
export interface Sample extends ListForm {
  /** Average bytes per item. */
  bytesPerRecord: number;
}

/** Sample of a payload that does not begin with a list. */
export const NO_LIST: Sample = { list: false, records: false, flat: false, regular: false, bytesPerRecord: 0 };
