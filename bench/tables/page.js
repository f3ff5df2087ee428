// Runs in the page: opens one contender's table of trips, then runs operations on it.
import { dictionary, float64, tableFromArrays, tableToIPC, timestamp, TimeUnit, utf8 } from '@uwdata/flechette';
import { measureArrow, measureWritten } from './arrow.js';
import { measureGeometry } from './geometry.js';
import { measureNested, timed } from './nested.js';
import { measurePick } from './pick.js';
import { measureViews } from './views.js';

/**
 * @typedef {object} Table
 * @property {(key: string) => Promise<{ length: number, first: any, last: any }>} sort
 * @property {() => Promise<number>} condition
 * @property {undefined | (() => Promise<number>)} predicate
 * @property {(key: string) => Promise<number>} group
 */

/** @type {Readonly<Record<string, () => Promise<{ open: (data: any) => Promise<Table> }>>>} */
const CONTENDERS = {
  unspool: () => import('./contenders/unspool.js'),
  arrays: () => import('./contenders/arrays.js'),
  arquero: () => import('./contenders/arquero.js'),
  'apache-arrow': () => import('./contenders/apache-arrow.js'),
  flechette: () => import('./contenders/flechette.js'),
  duckdb: () => import('./contenders/duckdb.js'),
};

/** @type {Table} */
let table;

/** @param {any[]} trips */
function ipcOf(trips) {
  const keys = Object.keys(trips[0]);
  const columns = Object.fromEntries(keys.map((key) => [key, trips.map((trip) => trip[key])]));
  const typeOf = (/** @type {string} */ key) => {
    const value = columns[key]?.find((item) => item !== null && item !== undefined);
    if (value instanceof Date) return timestamp(TimeUnit.MILLISECOND);
    if (typeof value === 'number') return float64();
    return key === 'ride_id' ? utf8() : dictionary(utf8());
  };
  return tableToIPC(tableFromArrays(columns, { types: Object.fromEntries(keys.map((key) => [key, typeOf(key)])) }), { format: 'stream' });
}

/**
 * Loads the trips in the form that a contender takes: objects, or an Arrow IPC stream. A function of its own, so that the
 * objects are collected.
 *
 * @param {string} contender @param {string} url of trips as JSON
 */
async function load(contender, url) {
  const { trips } = await (await fetch(url)).json();
  for (const trip of trips) {
    for (const key of ['started_at', 'ended_at']) trip[key] = new Date(`${trip[key].replace(' ', 'T')}Z`);
  }
  return contender === 'unspool' || contender === 'arrays' ? { trips } : { ipc: ipcOf(trips) };
}

const tables = {
  pick: measurePick,
  geometry: measureGeometry,
  nested: measureNested,
  views: measureViews,

  written: measureWritten,

  /** @param {string} url of trips as JSON @param {number} runs */
  async arrow(url, runs) {
    const { trips } = await (await fetch(url)).json();
    const json = JSON.stringify(trips);
    for (const trip of trips) {
      for (const key of ['started_at', 'ended_at']) trip[key] = new Date(`${trip[key].replace(' ', 'T')}Z`);
    }
    return measureArrow({ json, ipc: /** @type {Uint8Array} */ (ipcOf(trips)) }, runs);
  },

  /** @param {string} contender @param {string} url of trips as JSON */
  async open(contender, url) {
    const { open } = await /** @type {NonNullable<typeof CONTENDERS[string]>} */ (CONTENDERS[contender])();
    table = await open(await load(contender, url));
  },

  /**
   * Runs an operation once. Returns its time, the longest block of the page, and a result that must be the same for all contenders.
   *
   * @param {import('./operations.js').Operation} operation
   */
  async run({ key = '', filter, groups }) {
    /** @type {(() => Promise<number | { length: number, first: any, last: any }>) | undefined} */
    const run = filter ? table[filter] : groups ? () => table.group(key) : () => table.sort(key);
    if (!run) return undefined;
    /** @type {{ gc?: () => void }} */ (globalThis).gc?.();
    const { ms, blockMs, result } = await timed(run);
    return { ms, blockMs, result: comparable(result) };
  },
};

/** @param {number | { length: number, first: any, last: any }} result */
function comparable(result) {
  if (typeof result === 'number') return String(result);
  const { length, first } = result;
  return first === undefined ? String(length) : `${length} from ${first instanceof Date ? first.getTime() : first}`;
}

/** @typedef {typeof tables} Tables */
Object.assign(globalThis, { tables });
