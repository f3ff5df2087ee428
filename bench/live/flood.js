// Runs in the page: a flood of messages, from a worker.
import { LIBRARY } from '../contenders/unspool/unspool.js';
import { longestBlock } from '../page/busy.js';
import { Ticker } from '../page/ticker.js';

/** Milliseconds between two looks at the heap, and after which a contender is stopped. */
const LOOK_MS = 10;
const MAX_MS = 30_000;

/** @typedef {{ received: number, dropped: number, used: number }} Counts */
/** @typedef {(port: MessagePort, counts: Counts, signal: AbortSignal) => Promise<void>} Use uses messages up to the object at the end */

/** @param {object} options @returns {Use} */
const byUnspool = (options) => async (port, counts, signal) => {
  const { createDecoder } = await import(LIBRARY);
  for await (const values of createDecoder().messages(port, { format: 'json', batch: true, counts, signal, ...options })) {
    counts.used += values.length;
    if (values.at(-1)?.isEnd) return;
  }
};

/** A text's key, before it is decoded. @param {string | { isEnd: true }} data */
const key = (data) => (typeof data === 'string' ? data.charCodeAt(7) : undefined);

/** @type {Readonly<Record<string, { label: string, use: Use }>>} */
export const FLOODED = {
  'flood-none': {
    label: 'messages received, not decoded',
    use: (port, counts, signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        port.addEventListener('message', ({ data }) => {
          counts.received += 1;
          if (data.isEnd) resolve();
        });
        port.start();
      }),
  },
  'unspool-flood-queue': { label: 'Unspool, queue', use: byUnspool({ policy: 'queue' }) },
  'unspool-flood-drop': { label: 'Unspool, drop', use: byUnspool({ policy: 'drop', limit: 100 }) },
  'unspool-flood-latest': { label: 'Unspool, latest by a function', use: byUnspool({ policy: 'latest', key }) },
  'unspool-flood-latest-path': { label: 'Unspool, latest by a path', use: byUnspool({ policy: 'latest', key: 'key' }) },
};

/** Bytes of the heap, garbage included. Chromium alone has them. */
const heap = () => /** @type {{ memory: { usedJSHeapSize: number } }} */ (/** @type {unknown} */ (performance)).memory.usedJSHeapSize;

/**
 * Uses a flood to its end.
 *
 * @param {string} id @param {number} perSecond @param {number} total
 */
export async function useFlood(id, perSecond, total) {
  const worker = new Worker('/bench/live/flood-worker.js', { type: 'module' });
  const { port1, port2 } = new MessageChannel();
  const counts = { received: 0, dropped: 0, used: 0 };
  const ticker = new Ticker();
  await import(LIBRARY);
  /** @type {{ gc?: () => void }} */ (globalThis).gc?.();
  const before = heap();
  let most = before;
  const look = setInterval(() => (most = Math.max(most, heap())), LOOK_MS);
  const using = FLOODED[id]?.use(port1, counts, AbortSignal.timeout(MAX_MS)) ?? Promise.reject(new Error(`Unknown contender ${id}.`));
  const start = performance.now();
  ticker.start();
  worker.postMessage({ perSecond, total }, [port2]);
  let error = '';
  await using.catch((/** @type {Error} */ thrown) => (error = thrown.name));
  const end = performance.now();
  const ticks = ticker.stop();
  clearInterval(look);
  worker.terminate();
  port1.close();
  return { ...counts, ms: end - start, longestBlockMs: longestBlock(ticks, start, end), heapBytes: most - before, error };
}
