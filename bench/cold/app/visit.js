// One visit: loads the data of the page repeatedly after the page's script has run.
import { longestBlock } from '../../page/busy.js';
import { Ticker } from '../../page/ticker.js';

const SCREEN_ROWS = 50;
const PAUSE_MS = 20;

/**
 * @typedef {object} Sample
 * @property {number} ms from the call of fetch until the first rows of the result have been read
 * @property {number} blockMs the longest block during this time
 */

/**
 * Loads the payload that the page's address names, as often as it says, and reports the times to the server.
 *
 * @param {(url: string, options: { format: string, form: string }) => Promise<any>} load
 */
export async function visit(load) {
  const query = new URLSearchParams(location.search);
  const options = { format: String(query.get('format')), form: String(query.get('form')) };
  try {
    /** @type {Sample[]} */
    const samples = [];
    for (let decode = 0; decode < Number(query.get('decodes')); decode += 1) {
      samples.push(await once(() => load(`/payload.${options.format}`, options), Number(query.get('rows'))));
      // Ends the count of requests for the first decode.
      if (decode === 0) await fetch('/first');
      await pause(PAUSE_MS);
    }
    await report({ samples });
  } catch (error) {
    await report({ error: String(error) });
  }
}

/** @param {() => Promise<any>} load @param {number} rows @returns {Promise<Sample>} */
async function once(load, rows) {
  const ticker = new Ticker();
  ticker.start();
  const start = performance.now();
  const { trips } = await load();
  const screen = Math.min(SCREEN_ROWS, trips.length);
  for (let index = 0; index < screen; index += 1) if (trips.at(index).ride_id === '') throw new Error('A trip has no id.');
  const end = performance.now();
  // Lets the ticker see a block at the end.
  await pause(2);
  if (trips.length !== rows) throw new Error(`${trips.length} rows where there are ${rows}`);
  return { ms: end - start, blockMs: longestBlock(ticker.stop(), start, end) };
}

/** @param {number} ms */
function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** @param {object} outcome */
async function report(outcome) {
  await fetch('/outcome', { method: 'POST', body: JSON.stringify(outcome) });
}
