// `npm run soak [-- --kills N] [--decodes N] [--pages N] [--minutes N]`: kills workers during decodes, lets pages decode payloads of
// all sizes for minutes, and fetches payloads through service workers that are stopped. Every promise must settle, memory must
// not grow, and no worker may remain.
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { createServer } from '../../demo/server/index.mjs';
import { findChromium } from '../../scripts/browsers.mjs';
import { fileOf, FORMATS, LARGE_ROWS, makeRows, SMALL_ROWS } from './rows.js';

/** @typedef {{ values: number, errors: number, cancelled: number, hung: number, wrong: string[] }} Tally as page.js has it */
/** @typedef {{ heap: number, resident: number }} Memory bytes of the pages' heaps, and of their processes including workers */

const KILLS = 1_000;
const DECODES = 100_000;
const PAGES = 10;
const MINUTES = 10;
/** Parts of a run. Memory is measured after each; the first ones do not count. */
const PARTS = 12;
const WARM_UP = 4;
/** Limit for the growth of memory. */
const MAX_GROWTH = 1.1;
/** Idle milliseconds before memory is measured. */
const QUIET_MS = 1_500;
/** Milliseconds between two stops of the service workers. */
const STOP_MS = 1_000;
const ARGS = ['--js-flags=--expose-gc', '--enable-precise-memory-info'];

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: String(KILLS) },
    decodes: { type: 'string', default: String(DECODES) },
    pages: { type: 'string', default: String(PAGES) },
    minutes: { type: 'string', default: String(MINUTES) },
  },
});
process.exitCode = await main();

async function main() {
  const found = findChromium();
  if (!found) throw new Error('Chromium is not installed: run node scripts/browsers.mjs --install chromium.');
  const root = await mkdtemp(join(tmpdir(), 'unspool-soak-'));
  await cp(fileURLToPath(new URL('../../dist', import.meta.url)), join(root, 'dist'), { recursive: true });
  for (const name of ['page.js', 'rows.js']) await cp(fileURLToPath(new URL(name, import.meta.url)), join(root, name));
  await writePayloads(join(root, 'payloads'));
  await bundleServiceWorker(root);
  await writeFile(join(root, 'index.html'), '<!doctype html><title>soak</title><script type="module" src="/page.js"></script>');
  const server = createServer({ root, headers: { 'Content-Security-Policy': "default-src 'self' 'wasm-unsafe-eval'" } });
  const url = await server.listen({ port: 0 });
  const browser = await chromium.launch({ ...found.launch, args: ARGS });
  try {
    console.log(`Chromium ${browser.version()}`);
    const killed = await run(browser, url, 1, 'workers killed', (page) => soak(page, 'kill', Math.ceil(Number(values.kills) / PARTS), 0));
    const pages = Number(values.pages);
    const each = Math.ceil(Number(values.decodes) / pages / PARTS);
    const milliseconds = (Number(values.minutes) * 60_000) / PARTS;
    const served = await run(browser, url, pages, `decodes by ${pages} pages`, (page) => soak(page, 'serve', each, milliseconds));
    let stops = 0;
    const fetched = await run(browser, url, pages, `fetches by ${pages} pages with a service worker`, async (page) => {
      await page.evaluate(() => /** @type {any} */ (globalThis).soak.register());
      const tally = soak(page, 'fetched', each, milliseconds);
      stops += await stopServiceWorkers(page, tally);
      return tally;
    });
    console.log(`  service workers were stopped ${stops} times`);
    return killed && served && fetched ? 0 : 1;
  } finally {
    await browser.close();
    await server.close();
    await rm(root, { recursive: true });
  }
}

/** Writes each payload, complete and truncated, for the service workers to fetch. @param {string} folder */
async function writePayloads(folder) {
  const { createEncoder } = /** @type {typeof import('unspool/encode')} */ (await import(new URL('../../dist/encode.js', import.meta.url).href));
  const encoder = createEncoder();
  await mkdir(folder);
  for (const count of [...SMALL_ROWS, ...LARGE_ROWS]) {
    for (const format of FORMATS) {
      const bytes = await encoder.encode(makeRows(count), { format });
      await writeFile(join(folder, fileOf(format, count, false)), bytes);
      await writeFile(join(folder, fileOf(format, count, true)), bytes.subarray(0, bytes.length / 2));
    }
  }
}

/** Bundles the service worker into one file, from the library as it was built. @param {string} root */
async function bundleServiceWorker(root) {
  const { resolve } = createRequire(import.meta.url);
  await build({
    entryPoints: [fileURLToPath(new URL('service-worker.js', import.meta.url))],
    outfile: join(root, 'service-worker.js'),
    bundle: true,
    format: 'iife',
    logLevel: 'error',
    define: { 'import.meta.url': 'self.location.href', 'import.meta.resolve': 'undefined' },
    plugins: [{ name: 'published', setup: (setup) => setup.onResolve({ filter: /^unspool\// }, ({ path }) => ({ path: resolve(path) })) }],
  });
}

/**
 * Stops a page's service worker repeatedly until the page's work is done.
 *
 * @param {import('playwright-core').Page} page
 * @param {Promise<unknown>} work
 * @returns {Promise<number>} number of stops
 */
async function stopServiceWorkers(page, work) {
  let isDone = false;
  const done = work.finally(() => void (isDone = true));
  const session = await page.context().newCDPSession(page);
  await session.send('ServiceWorker.enable');
  let stops = 0;
  for (; ; stops += 1) {
    await Promise.race([done, new Promise((resolve) => void setTimeout(resolve, STOP_MS))]);
    if (isDone) break;
    await session.send('ServiceWorker.stopAllWorkers');
  }
  await session.detach();
  return stops;
}

/**
 * Runs the pages' work in parts, and measures their memory after each.
 *
 * @param {import('playwright-core').Browser} browser
 * @param {string} url
 * @param {number} count
 * @param {string} what
 * @param {(page: import('playwright-core').Page) => Promise<Tally>} work
 * @returns {Promise<boolean>} whether all conditions hold
 */
async function run(browser, url, count, what, work) {
  const start = performance.now();
  const pages = await Promise.all(
    Array.from({ length: count }, async () => {
      const page = await (await browser.newContext()).newPage();
      await page.goto(url);
      await page.waitForFunction(() => 'soak' in globalThis, undefined, { timeout: 120_000 });
      return page;
    }),
  );
  /** @type {Tally} */
  const sum = { values: 0, errors: 0, cancelled: 0, hung: 0, wrong: [] };
  /** @type {Memory[]} */
  const memory = [];
  for (let part = 0; part < PARTS; part += 1) {
    for (const tally of await Promise.all(pages.map(work))) {
      for (const key of /** @type {const} */ (['values', 'errors', 'cancelled', 'hung'])) sum[key] += tally[key];
      sum.wrong.push(...tally.wrong);
    }
    memory.push(await memoryOf(browser, pages));
  }
  const pending = await Promise.all(pages.map((page) => page.evaluate(() => /** @type {any} */ (globalThis).soak.stats().pending)));
  // Idle workers stop, and a page's decodes for a stopped service worker end after 15 seconds.
  const left = await settled(() => pages.reduce((workers, page) => workers + page.workers().length, 0));
  for (const page of pages) await page.context().close();
  const half = WARM_UP + (PARTS - WARM_UP) / 2;
  const growth = /** @type {const} */ (['heap', 'resident']).map(
    (kind) => median(memory.slice(half).map((one) => one[kind])) / median(memory.slice(WARM_UP, half).map((one) => one[kind])),
  );
  const total = sum.values + sum.errors + sum.cancelled + sum.hung + sum.wrong.length;
  const last = /** @type {Memory} */ (memory.at(-1));
  console.log(`${total} ${what} in ${((performance.now() - start) / 1000).toFixed(0)} s: ${sum.values} values, ${sum.errors} errors as expected, \
${sum.cancelled} cancelled, ${sum.hung} never settled, ${sum.wrong.length} wrong, ${pending.reduce((a, b) => a + b, 0)} pending, ${left} workers left`);
  console.log(`  heaps ${megabytes(last.heap)}, × ${growth[0]?.toFixed(2)}; processes ${megabytes(last.resident)}, × ${growth[1]?.toFixed(2)}`);
  console.log(`  by parts: ${memory.map(({ heap, resident }) => `${megabytes(heap)}/${megabytes(resident)}`).join(' ')}`);
  for (const wrong of sum.wrong.slice(0, 10)) console.error(`  ${wrong}`);
  return sum.hung + sum.wrong.length + left + pending.reduce((a, b) => a + b, 0) === 0 && growth.every((factor) => factor <= MAX_GROWTH);
}

/**
 * @param {import('playwright-core').Page} page
 * @param {'kill' | 'serve' | 'fetched'} name
 * @param {number} count
 * @param {number} milliseconds
 * @returns {Promise<Tally>}
 */
function soak(page, name, count, milliseconds) {
  return page.evaluate(
    ([work, calls, time]) => /** @type {any} */ (globalThis).soak[work](calls, time),
    /** @type {const} */ ([name, count, milliseconds]),
  );
}

/**
 * @param {import('playwright-core').Browser} browser
 * @param {readonly import('playwright-core').Page[]} pages
 * @returns {Promise<Memory>}
 */
async function memoryOf(browser, pages) {
  // A page that built objects keeps a buffer for a second.
  await new Promise((resolve) => void setTimeout(resolve, QUIET_MS));
  // Twice, since the second collection frees what finalizers held.
  for (let time = 0; time < 2; time += 1) await Promise.all(pages.map((page) => page.evaluate(() => /** @type {any} */ (globalThis).gc())));
  const heaps = await Promise.all(pages.map((page) => page.evaluate(() => /** @type {any} */ (performance).memory.usedJSHeapSize)));
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const resident = await Promise.all(processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => residentOf(id)));
  return { heap: heaps.reduce((a, b) => a + b, 0), resident: resident.reduce((a, b) => a + b, 0) };
}

/** Bytes of a process, as Linux counts them; 0 elsewhere. @param {number} pid */
async function residentOf(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
}

/** Waits up to half a minute until a count is zero. @param {() => number} count */
async function settled(count) {
  for (let time = 0; time < 300 && count() > 0; time += 1) await new Promise((resolve) => void setTimeout(resolve, 100));
  return count();
}

/** @param {number[]} numbers */
function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return /** @type {number} */ (sorted[Math.floor(sorted.length / 2)]);
}

/** @param {number} bytes */
function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}
