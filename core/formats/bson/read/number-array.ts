import { numberRun, NUMBERS } from '../../../reading/number-run.ts';
import { DOUBLE, INT32 } from '../types.ts';

/**
 * Reads an array whose elements, `from..end`, are all in the window. Puts its items into `NUMBERS` and sets
 * `numberRun`. Returns their count, or 0 for an array that has other values, more items than `NUMBERS` holds, or a key
 * longer than `longest` bytes. Keys are skipped, as BSON arrays are read in the order of their elements.
 */
export function readNumberArray(bytes: Uint8Array, view: DataView, from: number, end: number, longest: number): number {
  let at = from | 0;
  let count = 0;
  let doubles = 0;
  for (; at < end; count += 1) {
    const type = bytes[at]!;
    if (count === NUMBERS.length || (type !== INT32 && type !== DOUBLE)) return 0;
    let value = at + 1;
    while (value < end && bytes[value] !== 0) value += 1;
    if (value - at > longest) return 0;
    value += 1;
    at = value + (type === INT32 ? 4 : 8);
    if (at > end) return 0;
    NUMBERS[count] = type === INT32 ? view.getInt32(value, true) : view.getFloat64(value, true);
    if (type === DOUBLE) doubles = 1;
  }
  numberRun.end = at;
  numberRun.integers = doubles === 0;
  return count;
}
