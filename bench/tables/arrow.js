// Runs in the page: the time until the rows of an Arrow stream can be read, and that of `JSON.parse` for the same rows.
import { tableFromIPC } from 'apache-arrow';
import { tableFromIPC as flechette } from '@uwdata/flechette';
import { longestBlock } from '../page/busy.js';
import { Ticker } from '../page/ticker.js';
import { LIBRARY } from '../contenders/unspool/unspool.js';

/** @typedef {{ ms: number, blockMs: number }} ArrowSample */

/** Idle time before and after a run, in which the ticker sees blocks at its ends. */
const IDLE_MS = 20;

/** What is measured, by label; the first is the baseline. */
export const ARROW_CONTENDERS = ['JSON.parse of the same rows', 'Unspool', 'apache-arrow', 'flechette'];

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
  /** @type {Record<string, ArrowSample[]>} */
  const samples = Object.fromEntries(ARROW_CONTENDERS.map((label) => [label, []]));
  const ticker = new Ticker();
  const expected = String(open[0]?.());
  for (let run = 0; run <= runs; run += 1) {
    for (const [index, label] of ARROW_CONTENDERS.entries()) {
      /** @type {{ gc?: () => void }} */ (globalThis).gc?.();
      ticker.start();
      await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
      const start = performance.now();
      const result = await open[index]?.();
      const end = performance.now();
      await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
      const blockMs = longestBlock(ticker.stop(), start, end);
      if (String(result) !== expected) throw new Error(`${label} reads ${String(result)}, not ${expected}`);
      // The first run warms up.
      if (run > 0) samples[label]?.push({ ms: end - start, blockMs });
    }
  }
  decoder.close();
  return samples;
}
