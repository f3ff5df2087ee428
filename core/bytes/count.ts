import { EncodeError } from '../errors.ts';

/** More items than the arrays of any engine have, unless most are absent. */
const MOST_ITEMS = 2 ** 28;

/** The length of a list. Throws an EncodeError for one that only a sparse array or a proxy has. */
export function countOf({ length }: ArrayLike<unknown>): number {
  if (length >>> 0 !== length || length > MOST_ITEMS) throw new EncodeError('range', `a list of ${String(length)} items`);
  return length;
}
