// Engines cache the shapes seen at each place in the source, and V8 stores much more slowly at a place that has seen more
// than four. The first shapes that have many rows each get a loop of their own, out of a table of identical ones; most
// pages decode lists of a few shapes, repeatedly. Benchmark: --engine-switches, `fillers`.

import { OFF } from './switches.ts';
import { FILLED_COLUMNS, type Filler, FILLERS } from './fillers.ts';
import { makeTemplate } from './template.ts';

type Row = Record<string, unknown>;

/** Number of rows built at once that justifies a dedicated filler. */
const MIN_ROWS = 128;

/** Template and fillers for one list of keys. */
interface RowMaker {
  readonly template: Row;
  /** One filler for each `FILLED_COLUMNS` keys. */
  readonly fillers: readonly Filler[];
}

/** Unassigned fillers, and the shared one. */
const free = FILLERS.slice(OFF.fillers ? -1 : 0);
const common = free.pop()!;

/** Cache by list of keys. */
const makers = new WeakMap<readonly string[], RowMaker>();
/** Row makers with dedicated fillers, by their keys as JSON. Assignments are permanent. */
const owners = new Map<string, RowMaker>();

/**
 * Creates objects from columns of values: `keys[n]` of row `r` is `columns[n][r]`. Every column has `count` values.
 * Spreads a template for each row and fills it while the object is in the processor's cache; needs no `eval`.
 */
export function buildRows(keys: readonly string[], columns: readonly ArrayLike<unknown>[], count: number): object[] {
  let maker = makers.get(keys);
  if (maker === undefined || (maker.fillers[0] === common && count >= MIN_ROWS && free.length > 0)) {
    maker = makerOf(keys, columns, count);
    makers.set(keys, maker);
  }
  const { fillers, template } = maker;
  const rows = new Array<Row>(count);
  // `__proto__` is an own property of the template and its copies, so that assigning to it is safe.
  fillers[0]!(template, keys, columns, keys.length, rows);
  for (let index = 1, from = FILLED_COLUMNS; from < keys.length; index++, from += FILLED_COLUMNS) {
    fillers[index]!(undefined, keys.slice(from), columns.slice(from), keys.length - from, rows);
  }
  return rows;
}

/** Assigns dedicated fillers to the first shapes that have many rows. */
function makerOf(keys: readonly string[], columns: readonly ArrayLike<unknown>[], count: number): RowMaker {
  const name = JSON.stringify(keys);
  const owner = owners.get(name);
  if (owner !== undefined) return owner;
  const isOwner = count >= MIN_ROWS && free.length > 0;
  const fillers = [common];
  for (let index = 0; index * FILLED_COLUMNS < keys.length; index++) fillers[index] = (isOwner && free.pop()) || common;
  const maker = { template: makeTemplate(keys, columns.map(sampleOf)), fillers };
  if (isOwner) owners.set(name, maker);
  return maker;
}

/**
 * Representative value of a column. Has a fraction if some value may, since the sample determines how engines store the
 * property.
 */
function sampleOf(column: ArrayLike<unknown>): unknown {
  return column instanceof Float64Array ? 0.5 : Array.prototype.find.call(column, (value) => value !== null && value !== undefined);
}
