// Page of payloads that are used while they arrive: measures one contender, or one endless payload, and sends the figures to the
// runner. The query of its address says what, and has the runner's address.
import { longestBlock } from '../page/busy.js';
import { Ticker } from '../page/ticker.js';
import { LIBRARY } from '../contenders/unspool/unspool.js';
import { prepare, STREAM_CONTENDERS } from './contenders.js';

const IDLE_MS = 30;
/** Time that a browser has to start, which takes both cores: `--cold` measures that. */
const BROWSER_STARTS_MS = 2_000;
/** Interval of memory measurements, which stop both threads for a moment. */
const SAMPLE_MS = 500;

const query = new URLSearchParams(location.search);
const ticker = new Ticker();
/** Keeps the last result alive, so that it counts as memory. */
const kept = { value: /** @type {unknown} */ (undefined) };

/**
 * Uses a response once. Times are milliseconds: of the first rows from the first byte, of all rows from the last byte.
 *
 * @param {string} id @param {string} url @param {string} format @param {string} list the key of the rows
 */
async function use(id, url, format, list) {
  kept.value = undefined;
  const contender = STREAM_CONTENDERS.find((one) => one.id === id);
  if (!contender) throw new Error(`Unknown contender ${id}.`);
  await prepare();
  performance.clearResourceTimings();
  ticker.start();
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  const start = performance.now();
  const response = await (contender.fetch ?? fetch)(url);
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
    list,
  );
  const end = performance.now();
  // Lets the ticker see a block at the end.
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
}

/**
 * Reads a payload slowly and drops every batch, while the memory of the page and of the worker is measured.
 *
 * @param {string} url @param {string} format @param {number} stepMs
 */
async function readAll(url, format, stepMs) {
  const { createDecoder } = await import(LIBRARY);
  const decoder = createDecoder({ formatOptions: { protobuf: { names: 'proto' } } });
  const memory = watchMemory();
  let rows = 0;
  let sum = 0;
  /** @type {number | undefined} */
  let errorOffset;
  const start = performance.now();
  try {
    for await (const batch of decoder.batches(await fetch(url), { format, path: 'trips' })) {
      rows += batch.length;
      sum += batch[0].start_lat ?? 0;
      if (stepMs > 0) await new Promise((resolve) => setTimeout(resolve, stepMs));
    }
  } catch (error) {
    errorOffset = /** @type {{ offset?: number }} */ (error).offset;
    if (errorOffset === undefined) throw error;
  }
  const totalMs = performance.now() - start;
  const { pageBytes, workerBytes, samples } = await memory.end();
  decoder.close();
  return { rows, sum, totalMs, errorOffset, pageBytes, workerBytes, samples };
}

/** Drops the last result. */
async function release() {
  kept.value = undefined;
  for (let round = 0; round < 2; round += 1) {
    /** @type {{ gc?: () => void }} */ (globalThis).gc?.();
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}

/** Drops the last result, runs, and adds the peak of the process's memory. @template T @param {() => Promise<T>} run */
async function withPeak(run) {
  await release();
  await tell('mark');
  const sample = await run();
  return { ...sample, peakBytes: /** @type {number | null} */ (await tell('peak')) };
}

/**
 * Measures the peak of live memory of the page and of its workers, including array buffers.
 */
function watchMemory() {
  let over = false;
  const most = { pageBytes: 0, workerBytes: 0, samples: 0 };
  const watching = (async () => {
    while (!over) {
      const { breakdown } = await /** @type {any} */ (performance).measureUserAgentSpecificMemory();
      let worker = 0;
      let page = 0;
      for (const { bytes, attribution } of breakdown) {
        if (attribution.some((/** @type {{ scope: string }} */ { scope }) => scope === 'DedicatedWorkerGlobalScope')) worker += bytes;
        else page += bytes;
      }
      most.pageBytes = Math.max(most.pageBytes, page);
      most.workerBytes = Math.max(most.workerBytes, worker);
      most.samples += 1;
      await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
    }
  })();
  return {
    async end() {
      over = true;
      await watching;
      return most;
    },
  };
}

/** The browser's times of the first and the last byte. @param {string} url */
async function timingOf(url) {
  const name = new URL(url, location.href).href;
  for (let wait = 0; wait < 100; wait += 1) {
    const entry = performance.getEntriesByName(name, 'resource').at(-1);
    if (entry) return /** @type {PerformanceResourceTiming} */ (entry);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`The browser has no record of ${name}.`);
}

/** Sends a message to the runner. @param {'mark' | 'peak' | 'outcome'} path @param {unknown} [message] @returns {Promise<any>} the answer */
async function tell(path, message) {
  return await (await fetch(`${query.get('report')}${path}`, { method: 'POST', body: JSON.stringify(message ?? null) })).json();
}

/** What the query asks for. */
async function measure() {
  await new Promise((resolve) => setTimeout(resolve, BROWSER_STARTS_MS));
  const [url, warmUp, format] = ['url', 'warmUp', 'format'].map((name) => query.get(name) ?? '');
  if (query.has('step')) {
    await readAll(warmUp, format, 0);
    return await withPeak(() => readAll(url, format, Number(query.get('step'))));
  }
  const run = (/** @type {string} */ address) => use(query.get('contender') ?? '', address, format, query.get('list') ?? '');
  if (warmUp) await run(warmUp);
  const samples = [];
  for (let time = 0; time < Number(query.get('times')); time += 1) samples.push(await withPeak(() => run(url)));
  return samples;
}

await tell('outcome', await measure().catch((error) => ({ error: String(error) })));
