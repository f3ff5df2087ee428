// A Node process that loads the harness, its argument, and answers the runner's calls.
import { readFile } from 'node:fs/promises';
import { PerformanceObserver } from 'node:perf_hooks';

/** @type {PerformanceEntry[]} */
const collections = [];
const observer = new PerformanceObserver((list) => collections.push(...list.getEntries()));
observer.observe({ entryTypes: ['gc'] });

const encodePlace = {
  async garbageTime(/** @type {number} */ from, /** @type {number} */ to) {
    // Entries are queued after the task.
    await new Promise((resolve) => setTimeout(resolve, 20));
    collections.push(...observer.takeRecords());
    const within = collections.filter(({ startTime }) => startTime >= from && startTime <= to);
    collections.length = 0;
    return within.reduce((sum, { duration }) => sum + duration, 0);
  },
  readText: (/** @type {string} */ path) => readFile(path, 'utf8'),
};

Object.assign(globalThis, {
  encodePlace,
  // Stands for the browser API that the ticker uses.
  scheduler: { postTask: (/** @type {() => void} */ task, { delay = 0 }) => void setTimeout(task, delay) },
});

await import(String(process.argv[2]));

process.on('message', (/** @type {{ id: number, method: string, given: unknown[] }} */ call) => void answer(call));
process.send?.({ id: 0 });

/** @param {{ id: number, method: string, given: unknown[] }} call */
async function answer({ id, method, given }) {
  try {
    process.send?.({ id, value: await /** @type {any} */ (globalThis).encodeBench[method](...given) });
  } catch (error) {
    process.send?.({ id, error: /** @type {Error} */ (error).stack ?? String(error) });
  }
}
