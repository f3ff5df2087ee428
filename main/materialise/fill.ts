import { type Filler, FILLERS } from './fillers.ts';
import { makeTemplate } from './template.ts';

type Row = Record<string, unknown>;
type Fill = (rows: Row[], key: string, values: ArrayLike<unknown>) => void;

/** Columns that a filler fills in row by row, while the object is in the processor's cache; the others come after them. */
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

/** Rows built at once after which their keys are worth a filler of their own. */
const LEAST_ROWS = 256;

/** What makes rows of one list of keys. */
interface Making {
  readonly template: Row;
  readonly fill: Filler;
}

/** Fillers that nobody has; the first is everybody's. */
const free = [...FILLERS];
const common = free.shift()!;

/** By their list of keys. */
const makings = new WeakMap<readonly string[], Making>();
/** By their keys as JSON, those that have a filler of their own: it is theirs for good. */
const owners = new Map<string, Making>();

/**
 * Makes objects from columns of values: `keys[n]` of row `r` is `columns[n][r]`. Every column has `count` values. A
 * template is spread for each row and filled in, which needs no `eval`.
 */
export function buildRows(keys: readonly string[], columns: readonly ArrayLike<unknown>[], count: number): object[] {
  let making = makings.get(keys);
  if (making === undefined || (making.fill === common && count >= LEAST_ROWS && free.length > 0)) {
    making = makingOf(keys, columns, count);
    makings.set(keys, making);
  }
  // A `__proto__` is an own property of the template and so of its copies: assigning to it is safe.
  const rows = new Array<Row>(count);
  making.fill(making.template, keys, columns, keys.length, rows);
  for (let index = WIDTH; index < keys.length; index++) FILLS[index % FILLS.length]!(rows, keys[index]!, columns[index]!);
  return rows;
}

/**
 * Most pages decode lists of a few shapes, again and again. Where more than four have come by a place in the source, V8
 * stores seven times as slowly there; so each of the first shapes with many rows gets a filler of its own.
 */
function makingOf(keys: readonly string[], columns: readonly ArrayLike<unknown>[], count: number): Making {
  const name = JSON.stringify(keys);
  let making = owners.get(name);
  if (making !== undefined) return making;
  const own = count >= LEAST_ROWS ? free.pop() : undefined;
  making = { template: makeTemplate(keys, columns.map(sampleOf)), fill: own ?? common };
  if (own) owners.set(name, making);
  return making;
}

/** A value like those of a column; one with a fraction where there may be some, as what a place has decides how it is stored. */
function sampleOf(column: ArrayLike<unknown>): unknown {
  return column instanceof Float64Array ? 0.5 : Array.prototype.find.call(column, (value) => value !== null && value !== undefined);
}
