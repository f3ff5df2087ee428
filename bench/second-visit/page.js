// Page of second visits: reloads itself for each visit, and sends the figures of all to the runner after the last. The query of its
// address says what is cached, and has the runner's address.
import { LIBRARY } from '../contenders/unspool/unspool.js';
import { longestBlock } from '../page/busy.js';
import { Ticker } from '../page/ticker.js';

const IDLE_MS = 300;
const REGISTRATION = '/dist/register.js';

const ticker = new Ticker();
const rowsOf = {
  /** Opens the cached block. @param {string} url */
  async block(url) {
    const response = await decoder.fetch(url);
    const headersAt = performance.now();
    const { trips } = await response.rows();
    return { trips, headersAt };
  },
  /** Parses the cached JSON. @param {string} url */
  async json(url) {
    const response = await fetch(url);
    const headersAt = performance.now();
    const { trips } = await response.json();
    return { trips, headersAt };
  },
};

const { createDecoder } = await import(LIBRARY);
const { registerServiceWorker } = await import(REGISTRATION);
const decoder = createDecoder();

/** Registers the service worker and waits until it controls this page. */
async function install() {
  const { serviceWorker } = navigator;
  const controlled = new Promise((resolve) => {
    if (serviceWorker.controller) resolve(undefined);
    else serviceWorker.addEventListener('controllerchange', () => resolve(undefined), { once: true });
  });
  await registerServiceWorker('/second-visit-worker.js', { decoder, immediate: true }).registration;
  await controlled;
}

/**
 * Requests the rows once. Times are milliseconds from the request: until the response begins, and until a row was read.
 *
 * @param {keyof typeof rowsOf} kind @param {string} url
 */
async function visit(kind, url) {
  ticker.start();
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  const start = performance.now();
  const { trips, headersAt } = await rowsOf[kind](url);
  const last = trips.at(-1);
  const end = performance.now();
  // Lets the ticker see a block at the end.
  await new Promise((resolve) => setTimeout(resolve, 2));
  return {
    rows: trips.length,
    lastId: last.ride_id,
    headersMs: headersAt - start,
    readyMs: end - start,
    longestBlockMs: longestBlock(ticker.stop(), start, end),
  };
}

/** Size of the cached response of an address. @param {string} url */
async function keptBytes(url) {
  const response = await caches.match(url);
  return response ? (await response.blob()).size : 0;
}

const query = new URLSearchParams(location.search);

/** Visits once, and reports or reloads. The first visit fills the cache. */
async function visitNext() {
  const url = query.get('url') ?? '';
  await install();
  const sample = await visit(/** @type {keyof typeof rowsOf} */ (query.get('kind')), url);
  const stored = sessionStorage.getItem('samples');
  const samples = stored === null ? [] : [...JSON.parse(stored), sample];
  sessionStorage.setItem('samples', JSON.stringify(samples));
  return samples.length < Number(query.get('runs')) ? undefined : { samples, keptBytes: await keptBytes(url) };
}

const report = await visitNext().catch((error) => ({ error: String(error) }));
if (report) await fetch(`${query.get('report')}outcome`, { method: 'POST', body: JSON.stringify(report) });
else location.reload();
