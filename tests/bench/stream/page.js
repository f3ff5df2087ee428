// What runs in the page: one contender on one response at a time.
import { longestBlock } from '../page/busy.js';
import { Ticker } from '../page/ticker.js';
import { LIBRARY } from '../contenders/unspool.js';
import { STREAM_CONTENDERS } from './contenders.js';

const IDLE_MS = 30;

const ticker = new Ticker();
/** What the last run gave, so that it counts as memory. */
const kept = { value: /** @type {unknown} */ (undefined) };

const streams = {
  /**
   * Uses a response once. Times are in milliseconds: the first rows from the first byte, all rows from the last byte.
   *
   * @param {string} id @param {string} url @param {string} format
   */
  async run(id, url, format) {
    kept.value = undefined;
    const contender = STREAM_CONTENDERS.find((one) => one.id === id);
    if (!contender) throw new Error(`There is no contender ${id}.`);
    performance.clearResourceTimings();
    ticker.start();
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
    const start = performance.now();
    const response = await fetch(url);
    if (!response.ok) throw new Error(await response.text());
    let count = 0;
    let first = 0;
    kept.value = await contender.use(
      response,
      (rows) => {
        first ||= performance.now();
        count += rows;
      },
      format,
    );
    const end = performance.now();
    // What ends with a long task is a block too.
    await new Promise((resolve) => setTimeout(resolve, 2));
    const block = longestBlock(ticker.stop(), start, end);
    const timing = await timingOf(url);
    return {
      rows: count,
      firstMs: first - timing.responseStart,
      readyMs: end - timing.responseEnd,
      totalMs: end - start,
      networkMs: timing.responseEnd - timing.responseStart,
      longestBlockMs: block,
    };
  },

  /**
   * Takes a payload slowly and lets every batch go.
   *
   * @param {string} url @param {number} stepMs
   */
  async flat(url, stepMs) {
    const { createDecoder } = await import(LIBRARY);
    const decoder = createDecoder();
    let rows = 0;
    let sum = 0;
    const start = performance.now();
    for await (const batch of decoder.batches(await fetch(url), { format: 'json', path: 'trips' })) {
      rows += batch.length;
      sum += batch[0].start_lat ?? 0;
      if (stepMs > 0) await new Promise((resolve) => setTimeout(resolve, stepMs));
    }
    decoder.close();
    return { rows, sum, totalMs: performance.now() - start };
  },

  /** Forgets what the last run gave. */
  async release() {
    kept.value = undefined;
    for (let round = 0; round < 2; round += 1) {
      /** @type {{ gc?: () => void }} */ (globalThis).gc?.();
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
  },
};

/** @typedef {typeof streams} Streams */

Object.assign(globalThis, { streams });

/** The browser's own record of when the first and the last byte came. @param {string} url */
async function timingOf(url) {
  const name = new URL(url, location.href).href;
  for (let wait = 0; wait < 100; wait += 1) {
    const entry = performance.getEntriesByName(name, 'resource').at(-1);
    if (entry) return /** @type {PerformanceResourceTiming} */ (entry);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`The browser has no record of ${name}.`);
}
