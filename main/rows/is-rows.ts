import { ROW_LIST } from '../../core/values/record-list.ts';
import type { Rows } from './rows.ts';

/**
 * True for `Rows`, also those of another copy of the library. `Array.isArray` is false for them.
 *
 * @example
 * const count = isRows(list) || Array.isArray(list) ? list.length : 0;
 */
export function isRows(value: unknown): value is Rows {
  return typeof value === 'object' && value !== null && ROW_LIST in value;
}
