import { setProperty } from './property.ts';

type Row = Record<string, unknown>;
type Fill = (rows: Row[], key: string, values: ArrayLike<unknown>) => void;

/**
 * Sixteen times the same function on purpose: an engine keeps one inline cache for each place in the source, and a
 * place that sees one key of one shape stores several times faster than one that sees them all. Column `n` is filled
 * at place `n % 16`.
 */
// prettier-ignore
const FILLS: readonly Fill[] = [
  (rows, key, values) => { for (let row = 0; row < rows.length; row++) rows[row]![key] = values[row]; },
  (rows, key, values) => { for (let row = 0; row < rows.length; row++) rows[row]![key] = values[row]; },
  (rows, key, values) => { for (let row = 0; row < rows.length; row++) rows[row]![key] = values[row]; },
  (rows, key, values) => { for (let row = 0; row < rows.length; row++) rows[row]![key] = values[row]; },
  (rows, key, values) => { for (let row = 0; row < rows.length; row++) rows[row]![key] = values[row]; },
  (rows, key, values) => { for (let row = 0; row < rows.length; row++) rows[row]![key] = values[row]; },
  (rows, key, values) => { for (let row = 0; row < rows.length; row++) rows[row]![key] = values[row]; },
  (rows, key, values) => { for (let row = 0; row < rows.length; row++) rows[row]![key] = values[row]; },
  (rows, key, values) => { for (let row = 0; row < rows.length; row++) rows[row]![key] = values[row]; },
  (rows, key, values) => { for (let row = 0; row < rows.length; row++) rows[row]![key] = values[row]; },
  (rows, key, values) => { for (let row = 0; row < rows.length; row++) rows[row]![key] = values[row]; },
  (rows, key, values) => { for (let row = 0; row < rows.length; row++) rows[row]![key] = values[row]; },
  (rows, key, values) => { for (let row = 0; row < rows.length; row++) rows[row]![key] = values[row]; },
  (rows, key, values) => { for (let row = 0; row < rows.length; row++) rows[row]![key] = values[row]; },
  (rows, key, values) => { for (let row = 0; row < rows.length; row++) rows[row]![key] = values[row]; },
  (rows, key, values) => { for (let row = 0; row < rows.length; row++) rows[row]![key] = values[row]; },
];

/** Makes objects from columns of values: `keys[n]` of row `r` is `columns[n][r]`. Every column has `count` values. */
export type BuildRows = (keys: readonly string[], columns: readonly ArrayLike<unknown>[], count: number) => object[];

/** Spreads a template that has the first row's values, then fills in column by column. Needs no `eval`. */
export const buildRows: BuildRows = (keys, columns, count) => {
  const template: Row = {};
  for (let index = 0; index < keys.length; index++) setProperty(template, keys[index]!, columns[index]![0]);
  const rows = new Array<Row>(count);
  for (let row = 0; row < count; row++) rows[row] = { ...template };
  // A `__proto__` is an own property of the template and so of its copies: assigning to it is safe.
  for (let index = 0; index < keys.length; index++) FILLS[index % FILLS.length]!(rows, keys[index]!, columns[index]!);
  return rows;
};
