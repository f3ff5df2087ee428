// Runs in the page: decodes payloads of all sizes while its workers are killed. The runner calls `soak`.

import { fileOf, FORMATS, LARGE_ROWS, makeRows, SMALL_ROWS } from './rows.js';

/** @typedef {import('./rows.js').Row} Row */
/** @typedef {{ format: import('./rows.js').Format, rows: Row[], bytes: Uint8Array }} Payload */

/**
 * Outcomes of the calls: the right value, the expected error, or a failure.
 *
 * @typedef {object} Tally
 * @property {number} values
 * @property {number} errors
 * @property {number} cancelled
 * @property {number} hung promises pending after `HUNG_MS`
 * @property {string[]} wrong
 */

/** A promise that takes longer counts as hung. */
const HUNG_MS = 60_000;
/** Frequencies per thousand calls. */
const LARGE = 25;
const CANCELLED = 20;
const DAMAGED = 20;
/** Concurrent calls of a page. */
const AT_ONCE = 4;

const library = '/dist/index.js';
const { createDecoder } = /** @type {typeof import('unspool')} */ (await import(library));
const writers = '/dist/encode.js';
const { createEncoder } = /** @type {typeof import('unspool/encode')} */ (await import(writers));

/** @type {Set<Worker>} */
const workers = new Set();
const decoder = createDecoder({
  workers: 2,
  idleTimeout: 2_000,
  createWorker: () => {
    const worker = new Worker('/dist/worker.js', { type: 'module' });
    workers.add(worker);
    return worker;
  },
});
const encoder = createEncoder();
const registering = '/dist/register.js';
const { registerServiceWorker } = /** @type {typeof import('unspool/register')} */ (await import(registering));

/** @param {readonly number[]} counts @returns {Promise<Payload[]>} */
async function makePayloads(counts) {
  const payloads = [];
  for (const count of counts) {
    const rows = makeRows(count);
    for (const format of FORMATS) payloads.push({ format, rows, bytes: await encoder.encode(rows, { format }) });
  }
  return payloads;
}

const small = await makePayloads(SMALL_ROWS);
const large = await makePayloads(LARGE_ROWS);

/** @template T @param {readonly T[]} items @returns {T} */
const pick = (items) => /** @type {T} */ (items[Math.floor(Math.random() * items.length)]);
/** @param {number} perThousand */
const chance = (perThousand) => Math.random() * 1000 < perThousand;
/** @param {number} ms */
const wait = (ms) => new Promise((resolve) => void setTimeout(resolve, ms));

/** Picks a payload, whether to damage it, and a signal that cancels some calls within 10 ms. */
function randomCall() {
  const payload = pick(chance(LARGE) ? large : small);
  const isDamaged = chance(DAMAGED);
  const controller = chance(CANCELLED) ? new AbortController() : undefined;
  if (controller) setTimeout(() => controller.abort(), Math.random() * 10);
  return { payload, isDamaged, signal: controller?.signal };
}

/** @returns {Tally} */
const newTally = () => ({ values: 0, errors: 0, cancelled: 0, hung: 0, wrong: [] });

/**
 * Waits for a call and counts its outcome. `expects` accepts expected errors.
 *
 * @param {Promise<string | undefined>} call resolves with a description of a wrong value
 * @param {Tally} tally
 * @param {(error: { name?: string, code?: string }) => boolean} expects
 */
async function settle(call, tally, expects) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const hung = new Promise((resolve) => (timer = setTimeout(() => resolve('hung'), HUNG_MS)));
  try {
    const result = await Promise.race([call, hung]);
    if (result === 'hung') tally.hung += 1;
    else if (result === undefined) tally.values += 1;
    else tally.wrong.push(String(result));
  } catch (error) {
    const { name, message } = /** @type {Error} */ (error);
    if (!expects(/** @type {Error} */ (error))) tally.wrong.push(`${name}: ${message}`);
    else if (name === 'AbortError') tally.cancelled += 1;
    else tally.errors += 1;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Decodes a payload in some form, and describes a wrong value.
 *
 * @param {Payload} payload
 * @param {Uint8Array} bytes
 * @param {AbortSignal | undefined} signal
 * @param {'worker' | 'page' | 'auto'} route
 */
async function decode({ format, rows }, bytes, signal, route) {
  const options = /** @type {import('unspool').DecodeOptions} */ ({ format, signal, route });
  const form = pick(['objects', 'rows', 'columns', 'batches']);
  /** @type {Row[]} */
  let found;
  if (form === 'batches') {
    found = [];
    for await (const batch of decoder.batches(bytes, { ...options, as: 'objects' })) for (const row of batch) found.push(/** @type {Row} */ (row));
  } else if (form === 'columns') {
    const { id } = /** @type {{ id: ArrayLike<number> }} */ (await decoder.decode(bytes, { ...options, as: 'columns' }));
    return id.length === rows.length && id[rows.length - 1] === rows.length - 1 ? undefined : `${id.length} ids instead of ${rows.length}`;
  } else if (form === 'rows') {
    const list = /** @type {import('unspool').Rows<Row>} */ (/** @type {unknown} */ (await decoder.decode(bytes, { ...options, as: 'rows' })));
    if (list.length !== rows.length) return `${list.length} rows instead of ${rows.length}`;
    found = rows.length > 1000 ? [...list.slice(0, 10), .../** @type {Row[]} */ (rows.slice(10, -10)), ...list.slice(-10)] : list.toArray();
  } else found = /** @type {Row[]} */ (await decoder.decode(bytes, options));
  return JSON.stringify(found) === JSON.stringify(rows) ? undefined : `other ${form} of ${rows.length} rows of ${format}`;
}

/**
 * Decodes a large payload `count` times, and kills the worker during each decode.
 *
 * @param {number} count
 */
async function kill(count) {
  const tally = newTally();
  for (let at = 0; at < count; at += 1) {
    await decoder.preload();
    const payload = pick(large);
    const call = decode(payload, payload.bytes, undefined, 'worker');
    const settled = settle(call, tally, ({ name }) => name === 'WorkerCrashError');
    await wait(Math.random() * 20);
    for (const worker of workers) worker.terminate();
    workers.clear();
    await settled;
  }
  return tally;
}

/**
 * Decodes up to `count` payloads within the given time.
 *
 * @param {number} count
 * @param {number} milliseconds
 */
async function serve(count, milliseconds) {
  const tally = newTally();
  await inLanes(count, milliseconds, async () => {
    const { payload, isDamaged, signal } = randomCall();
    const bytes = isDamaged
      ? payload.bytes.subarray(0, payload.bytes.length - 1 - Math.floor(Math.random() * (payload.bytes.length - 1)))
      : payload.bytes;
    const call = decode(payload, bytes, signal, pick(['worker', 'page', 'auto']));
    await settle(call, tally, ({ name }) => (isDamaged && name === 'DecodeError') || (signal !== undefined && name === 'AbortError'));
  });
  return tally;
}

/**
 * Fetches payloads through a service worker that shares this page's pool and is stopped now and then.
 *
 * @param {number} count
 * @param {number} milliseconds
 */
async function fetched(count, milliseconds) {
  const tally = newTally();
  await inLanes(count, milliseconds, async () => {
    const { payload, isDamaged, signal } = randomCall();
    const form = pick(['json', 'block', 'stream']);
    const url = `/payloads/${fileOf(payload.format, payload.rows.length, isDamaged)}?format=${payload.format}&as=${form}`;
    // The service worker passes JSON through.
    const isLeft = payload.format === 'json' && form === 'json';
    // Fetches and bodies fail like a lost connection when the service worker stops.
    await settle(fetchRows(payload, url, form, signal), tally, ({ name }) => {
      if (name === 'AbortError') return signal !== undefined;
      return (
        name === 'TypeError' ||
        name === 'NetworkError' ||
        (isDamaged && (isLeft ? name === 'SyntaxError' : name === 'DecodeError' || name === 'Problem'))
      );
    });
  });
  return tally;
}

/**
 * Fetches a payload in a form, and describes a wrong value.
 *
 * @param {Payload} payload
 * @param {string} url
 * @param {string} form
 * @param {AbortSignal | undefined} signal
 */
async function fetchRows({ rows, format }, url, form, signal) {
  const response = await fetch(url, { signal: signal ?? null });
  if (!response.ok) throw Object.assign(new Error(await response.text()), { name: 'Problem' });
  const found = form === 'json' ? await response.json() : await decoder.decode(response, { signal });
  return JSON.stringify(found) === JSON.stringify(rows) ? undefined : `other ${form} of ${rows.length} rows of ${format}`;
}

/** Registers the service worker and waits until it controls the page. */
async function register() {
  if (navigator.serviceWorker.controller) return;
  const controlled = new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }));
  registerServiceWorker('/service-worker.js', { decoder });
  await controlled;
}

/**
 * Repeats a call in several lanes, up to `count` times within the given time.
 *
 * @param {number} count
 * @param {number} milliseconds
 * @param {() => Promise<void>} once
 */
async function inLanes(count, milliseconds, once) {
  const end = performance.now() + milliseconds;
  let left = count;
  const lane = async () => {
    while (left-- > 0 && performance.now() < end) await once();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

Object.assign(globalThis, { soak: { kill, serve, register, fetched, stats: () => decoder.stats(), close: () => decoder.close() } });
