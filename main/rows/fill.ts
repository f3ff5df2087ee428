import { FILLED_COLUMNS, type Filler, FILLERS } from './fillers.ts';
import { makeTemplate } from './template.ts';

type Row = Record<string, unknown>;

/** Number of rows built at once that justifies a dedicated filler. */
const LEAST_ROWS = 128;

/** Template and fillers for one list of keys. */
interface Making {
  readonly template: Row;
  /** One filler for each `FILLED_COLUMNS` keys. */
  readonly fillers: readonly Filler[];
}

/** Unassigned fillers, and the shared one. */
const free = [...FILLERS];
const common = free.pop()!;

/** Cache by list of keys. */
const makings = new WeakMap<readonly string[], Making>();
/** Row makers with dedicated fillers, by their keys as JSON. Assignments are permanent. */
const owners = new Map<string, Making>();

/**
 * Creates objects from columns of values: `keys[n]` of row `r` is `columns[n][r]`. Every column has `count` values.
 * Spreads a template for each row and fills it while the object is in the processor's cache; needs no `eval`.
 */
export function buildRows(keys: readonly string[], columns: readonly ArrayLike<unknown>[], count: number): object[] {
  let making = makings.get(keys);
  if (making === undefined || (making.fillers[0] === common && count >= LEAST_ROWS && free.length > 0)) {
    making = makingOf(keys, columns, count);
    makings.set(keys, making);
  }
  const { fillers, template } = making;
  const rows = new Array<Row>(count);
  // `__proto__` is an own property of the template and its copies, so that assigning to it is safe.
  fillers[0]!(template, keys, columns, keys.length, rows);
  for (let index = 1, from = FILLED_COLUMNS; from < keys.length; index++, from += FILLED_COLUMNS) {
    fillers[index]!(undefined, keys.slice(from), columns.slice(from), keys.length - from, rows);
  }
  return rows;
}

/**
 * Assigns dedicated fillers to the first shapes that have many rows. Engines cache the shapes seen at each code
 * location, and V8 stores much more slowly at a location that has seen more than four. Most pages decode lists of a few
 * shapes, repeatedly.
 */
function makingOf(keys: readonly string[], columns: readonly ArrayLike<unknown>[], count: number): Making {
  const name = JSON.stringify(keys);
  const owner = owners.get(name);
  if (owner !== undefined) return owner;
  const isOwner = count >= LEAST_ROWS && free.length > 0;
  const fillers = [common];
  for (let index = 0; index * FILLED_COLUMNS < keys.length; index++) fillers[index] = (isOwner && free.pop()) || common;
  const making = { template: makeTemplate(keys, columns.map(sampleOf)), fillers };
  if (isOwner) owners.set(name, making);
  return making;
}

/**
 * Representative value of a column. Has a fraction if some value may, since the sample determines how engines store the
 * property.
 */
function sampleOf(column: ArrayLike<unknown>): unknown {
  return column instanceof Float64Array ? 0.5 : Array.prototype.find.call(column, (value) => value !== null && value !== undefined);
}
