import { FILLED_COLUMNS, type Filler, FILLERS } from './fillers.ts';
import { makeTemplate } from './template.ts';

type Row = Record<string, unknown>;

/** Rows built at once after which their keys are worth a filler of their own. */
const LEAST_ROWS = 128;

/** What makes rows of one list of keys. */
interface Making {
  readonly template: Row;
  /** For each `FILLED_COLUMNS` keys. */
  readonly fillers: readonly Filler[];
}

/** Fillers that nobody has; one is everybody's. */
const free = [...FILLERS];
const common = free.pop()!;

/** By their list of keys. */
const makings = new WeakMap<readonly string[], Making>();
/** By their keys as JSON, those that have fillers of their own: these are theirs for good. */
const owners = new Map<string, Making>();

/**
 * Makes objects from columns of values: `keys[n]` of row `r` is `columns[n][r]`. Every column has `count` values. A
 * template is spread for each row and filled in, row by row, while the object is in the processor's cache; this needs no
 * `eval`.
 */
export function buildRows(keys: readonly string[], columns: readonly ArrayLike<unknown>[], count: number): object[] {
  let making = makings.get(keys);
  if (making === undefined || (making.fillers[0] === common && count >= LEAST_ROWS && free.length > 0)) {
    making = makingOf(keys, columns, count);
    makings.set(keys, making);
  }
  const { fillers, template } = making;
  const rows = new Array<Row>(count);
  // A `__proto__` is an own property of the template and so of its copies: assigning to it is safe.
  fillers[0]!(template, keys, columns, keys.length, rows);
  for (let index = 1, from = FILLED_COLUMNS; from < keys.length; index++, from += FILLED_COLUMNS) {
    fillers[index]!(undefined, keys.slice(from), columns.slice(from), keys.length - from, rows);
  }
  return rows;
}

/**
 * An engine learns for each place in the source which keys of which shapes it stores, and V8 stores seven times as slowly
 * where more than four have come by. Most pages decode lists of a few shapes, again and again: each of the first that have
 * many rows gets places of its own.
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

/** A value like those of a column; one with a fraction where there may be some, as what a place has decides how it is stored. */
function sampleOf(column: ArrayLike<unknown>): unknown {
  return column instanceof Float64Array ? 0.5 : Array.prototype.find.call(column, (value) => value !== null && value !== undefined);
}
