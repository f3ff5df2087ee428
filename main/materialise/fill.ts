import { makeTemplate } from './template.ts';

type Row = Record<string, unknown>;
type Fill = (rows: Row[], key: string, values: ArrayLike<unknown>) => void;

/** Columns that are filled in row by row, while the object is in the processor's cache; the others come after them. */
const WIDTH = 16;

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

/** Copies of a template, with the values of the first columns; each column has its own place, as in `FILLS`. */
// prettier-ignore
function copyRows(template: Row, keys: readonly string[], columns: readonly ArrayLike<unknown>[], count: number): Row[] {
  const [k0, k1, k2, k3, k4, k5, k6, k7, k8, k9, k10, k11, k12, k13, k14, k15] = keys as string[] & { length: 16 };
  const [c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15] = columns as ArrayLike<unknown>[] & { length: 16 };
  const width = keys.length;
  const rows = new Array<Row>(count);
  for (let row = 0; row < count; row++) {
    const object = (rows[row] = { ...template });
    if (width === 0) continue; object[k0!] = c0![row];
    if (width === 1) continue; object[k1!] = c1![row];
    if (width === 2) continue; object[k2!] = c2![row];
    if (width === 3) continue; object[k3!] = c3![row];
    if (width === 4) continue; object[k4!] = c4![row];
    if (width === 5) continue; object[k5!] = c5![row];
    if (width === 6) continue; object[k6!] = c6![row];
    if (width === 7) continue; object[k7!] = c7![row];
    if (width === 8) continue; object[k8!] = c8![row];
    if (width === 9) continue; object[k9!] = c9![row];
    if (width === 10) continue; object[k10!] = c10![row];
    if (width === 11) continue; object[k11!] = c11![row];
    if (width === 12) continue; object[k12!] = c12![row];
    if (width === 13) continue; object[k13!] = c13![row];
    if (width === 14) continue; object[k14!] = c14![row];
    if (width === 15) continue; object[k15!] = c15![row];
  }
  return rows;
}

/** The template of each list of keys. */
const templates = new WeakMap<readonly string[], Row>();

/**
 * Makes objects from columns of values: `keys[n]` of row `r` is `columns[n][r]`. Every column has `count` values. A
 * template is spread for each row and filled in, which needs no `eval`.
 */
export function buildRows(keys: readonly string[], columns: readonly ArrayLike<unknown>[], count: number): object[] {
  let template = templates.get(keys);
  if (template === undefined) {
    template = makeTemplate(keys, columns.map(sampleOf));
    templates.set(keys, template);
  }
  // A `__proto__` is an own property of the template and so of its copies: assigning to it is safe.
  const rows = copyRows(template, keys, columns, count);
  for (let index = WIDTH; index < keys.length; index++) FILLS[index % FILLS.length]!(rows, keys[index]!, columns[index]!);
  return rows;
}

/** A value like those of a column; one with a fraction where there may be some, as what a place has decides how it is stored. */
function sampleOf(column: ArrayLike<unknown>): unknown {
  return column instanceof Float64Array ? 0.5 : Array.prototype.find.call(column, (value) => value !== null && value !== undefined);
}
