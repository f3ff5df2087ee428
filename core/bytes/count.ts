import { EncodeError } from '../errors.ts';

/** No engine's arrays have more items, except sparse ones. */
const MAX_ITEMS = 2 ** 28;

/** Length of a list. Throws an EncodeError for a length that only a sparse array or a proxy can have. */
export function countOf({ length }: ArrayLike<unknown>): number {
  if (length >>> 0 !== length || length > MAX_ITEMS) throw new EncodeError('range', `cannot encode a list of ${String(length)} items`);
  return length;
}
