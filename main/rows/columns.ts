import { EmptyCells } from '../../core/empty-cells.ts';
import { LimitError } from '../../core/errors.ts';
import { DEFAULT_LIMITS } from '../../core/limits.ts';
import { setProperty } from './property.ts';
import { type ColumnValues, inOneGo, type RowList } from './row-list.ts';

/** Returns all columns of a list by key. `cells` is charged for the rows without a value. */
export function columnsOf(list: RowList, cells = new EmptyCells(DEFAULT_LIMITS)): Record<string, ColumnValues> {
  const keys = [...list.keys()];
  chargeCells(list, keys.length, cells);
  const columns: Record<string, ColumnValues> = {};
  for (const key of keys) setProperty(columns, key, inOneGo(list.column(key))!);
  return columns;
}

/**
 * Charges the cells without a value in the columns of a list. A record takes a byte at least, so that as many keys as a byte may
 * have values cost nothing. Throws a LimitError.
 */
function chargeCells({ length, source }: RowList, keys: number, cells: EmptyCells): void {
  if (keys <= cells.expansion) return;
  const values = source.countValues();
  cells.found(values);
  if (cells.take(Math.max(0, length * keys - values))) return;
  throw new LimitError('expansion', `expansion limit exceeded (${cells.expansion}): the records have too few keys in common for columns`);
}
