// Runs in the page: the time until the rows of an Arrow stream can be read, and that of `JSON.parse` for the same rows; and the
// time in which rows are written as an Arrow stream, and as JSON.
import { tableFromArrays, tableFromIPC, tableToIPC } from 'apache-arrow';
import { tableFromIPC as flechette } from '@uwdata/flechette';
import { longestBlock } from '../page/busy.js';
import { Ticker } from '../page/ticker.js';
import { LIBRARY } from '../contenders/unspool/unspool.js';

/** The file of the encoder. */
const ENCODE = '/dist/encode.js';

/** @typedef {{ ms: number, blockMs: number }} ArrowSample */

/** Idle time before and after a run, in which the ticker sees blocks at its ends. */
const IDLE_MS = 20;

/** What is measured, by label; the first is the baseline. */
export const ARROW_CONTENDERS = ['JSON.parse of the same rows', 'Unspool', 'apache-arrow', 'flechette'];

/** What is measured when rows are written; the first is the baseline. */
export const WRITE_CONTENDERS = ['JSON.stringify of the objects, to bytes', 'Unspool, rows', 'Unspool, a sorted view', 'apache-arrow, arrays by key'];

/**
 * Measures each contender in turn: it writes the rows as an Arrow stream, of which the last row is compared.
 *
 * @param {string} url of trips as JSON @param {number} runs
 * @returns {Promise<Record<string, ArrowSample[]>>} samples by contender
 */
export async function measureWritten(url, runs) {
  const [{ createDecoder }, { createEncoder }] = await Promise.all([import(LIBRARY), import(ENCODE)]);
  const decoder = createDecoder();
  const encoder = createEncoder();
  const payload = new Uint8Array(await (await fetch(url)).arrayBuffer());
  const { trips: rows } = await decoder.decode(payload, { format: 'json', as: 'rows', route: 'worker' });
  const view = await rows.sortBy('start_lat');
  const objects = await rows.toArrayAsync();
  const columns = Object.fromEntries(Object.keys(objects[0]).map((key) => [key, objects.map((/** @type {any} */ trip) => trip[key])]));
  /** @type {(() => unknown)[]} */
  const write = [
    () => new TextEncoder().encode(JSON.stringify(objects)),
    () => encoder.encode(rows, { format: 'arrow' }),
    () => encoder.encode(view, { format: 'arrow' }),
    () => tableToIPC(tableFromArrays(columns), 'stream'),
  ];
  const lastId = (/** @type {Uint8Array} */ bytes) => flechette(bytes).at(rows.length - 1).ride_id;
  const expected = [objects.at(-1).ride_id, view.at(-1).ride_id];
  const samples = await inTurn(WRITE_CONTENDERS, write, runs, (result, index) => {
    if (index === 0) return;
    const id = lastId(/** @type {Uint8Array} */ (result));
    if (id !== expected[index === 2 ? 1 : 0]) throw new Error(`${WRITE_CONTENDERS[index]} writes ${id} as the last row`);
  });
  decoder.close();
  encoder.close();
  return samples;
}

/**
 * Measures each contender in turn: it opens the stream, and reads a field of the first and the last row.
 *
 * @param {{ json: string, ipc: Uint8Array }} data @param {number} runs
 * @returns {Promise<Record<string, ArrowSample[]>>} samples by contender
 */
export async function measureArrow({ json, ipc }, runs) {
  const { createDecoder } = await import(LIBRARY);
  const decoder = createDecoder();
  const ends = (/** @type {any} */ rows, /** @type {number} */ length) => [rows.at(0).ride_id, rows.at(length - 1).ride_id];
  /** @type {(() => unknown)[]} */
  const open = [
    () => {
      const rows = JSON.parse(json);
      return ends(rows, rows.length);
    },
    async () => {
      const rows = await decoder.decode(ipc, { format: 'arrow', as: 'rows' });
      return ends(rows, rows.length);
    },
    () => {
      const table = tableFromIPC(ipc);
      return ends({ at: (/** @type {number} */ row) => table.get(row) }, table.numRows);
    },
    () => {
      const table = flechette(ipc);
      return ends({ at: (/** @type {number} */ row) => table.at(row) }, table.numRows);
    },
  ];
  const expected = String(open[0]?.());
  const samples = await inTurn(ARROW_CONTENDERS, open, runs, (result, index) => {
    if (String(result) !== expected) throw new Error(`${ARROW_CONTENDERS[index]} reads ${String(result)}, not ${expected}`);
  });
  decoder.close();
  return samples;
}

/**
 * Runs each contender in turn, several times.
 *
 * @param {readonly string[]} labels @param {readonly (() => unknown)[]} work @param {number} runs
 * @param {(result: unknown, index: number) => void} check throws for a wrong result
 * @returns {Promise<Record<string, ArrowSample[]>>} samples by contender
 */
async function inTurn(labels, work, runs, check) {
  /** @type {Record<string, ArrowSample[]>} */
  const samples = Object.fromEntries(labels.map((label) => [label, []]));
  const ticker = new Ticker();
  for (let run = 0; run <= runs; run += 1) {
    for (const [index, label] of labels.entries()) {
      /** @type {{ gc?: () => void }} */ (globalThis).gc?.();
      ticker.start();
      await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
      const start = performance.now();
      const result = await work[index]?.();
      const end = performance.now();
      await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
      const blockMs = longestBlock(ticker.stop(), start, end);
      check(result, index);
      // The first run warms up.
      if (run > 0) samples[label]?.push({ ms: end - start, blockMs });
    }
  }
  return samples;
}
