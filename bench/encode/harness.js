// What runs in the page, or in a process of Node: one contender, prepared once and then run as often as the runner says,
// each time beside JSON.stringify of the same value. The runner reads the process's memory between the calls.
import { numbers } from '../../demo/server/data/numbers.mjs';
import { trips } from '../../demo/server/data/trips.mjs';
import { longestBlock } from '../page/busy.js';
import { digestOf } from '../page/digest.js';
import { Ticker } from '../page/ticker.js';
import { SCHEMAS } from '../schemas.js';
import { FORMATS } from './contenders/unspool/unspool.js';

/**
 * @typedef {object} Preparation
 * @property {string} contender
 * @property {import('./contenders/contender.js').Task} task
 * @property {number | null} rows
 * @property {string | null} url of a document's JSON
 * @property {boolean} isSmall whether it is one call among many that is measured
 */

/** Rows of the value that is encoded before anything is measured, how often it is, and for how long at least. */
const WARM_UP_ROWS = 10_000;
const WARM_UPS = 6;
const WARM_UP_MS = 300;
/** The thread is left alone for this long before each run. */
const IDLE_MS = 30;

const ticker = new Ticker();
const text = new TextEncoder();
const place = 'encodePlace' in globalThis ? encodePlace : undefined;

/** @type {import('./contenders/contender.js').Encoding} */
let encoding;
/** @type {import('./contenders/contender.js').Task} */
let task;
/** The value as JSON has it, and as the contender takes it. @type {unknown} */
let plain;
/** @type {unknown} */
let prepared;
/** @type {unknown} */
let result;
let isSmall = false;

const encodeBench = {
  /**
   * @param {Preparation} preparation
   * @returns {Promise<{ digest: string, expected: string }>} of the value that was encoded first: what was read back, and what
   *   it was
   */
  async prepare(preparation) {
    ({ task, isSmall } = preparation);
    const { setup } = await import(preparation.contender);
    encoding = await setup(task);
    const small = await valueOf(preparation, Math.min(WARM_UP_ROWS, preparation.rows ?? 0));
    const ready = encoding.prepare ? encoding.prepare(small) : small;
    const bytes = joined(isSmall && encoding.encodeSmall ? await encoding.encodeSmall(ready) : await encoding.encode(ready)).slice();
    const digest = digestOf(await readBack(bytes), task.list, true).digest;
    const expected = digestOf(small, task.list, true).digest;
    const begun = performance.now();
    for (let count = 1; (count < WARM_UPS || performance.now() - begun < WARM_UP_MS) && !isSmall; count += 1) {
      await encoding.encode(ready);
      encodeJson(small);
    }
    if (encoding.stream) {
      // Nothing else is in memory.
      prepared = encoding.stream.open(preparation.rows ?? 0);
      return { digest, expected };
    }
    plain = await valueOf(preparation, preparation.rows ?? 0);
    prepared = encoding.prepare ? encoding.prepare(plain) : plain;
    return { digest, expected };
  },

  /** Forgets the last run's bytes and collects garbage. */
  async release() {
    result = undefined;
    for (let round = 0; round < 2; round += 1) {
      /** @type {{ gc?: () => void }} */ (globalThis).gc?.();
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
  },

  /** Encodes the value once. */
  async run() {
    ticker.start();
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
    const start = performance.now();
    const encoded = encoding.stream ? encoding.stream.drain(prepared) : encoding.encode(prepared);
    const callMs = performance.now() - start;
    result = await encoded;
    const end = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 2));
    const ticks = ticker.stop();
    return {
      ms: end - start,
      // The call itself is a block whose length is known, seen by the ticker or not.
      blockMs: Math.max(longestBlock(ticks, start, end), callMs),
      gcMs: (await place?.garbageTime(start, end)) ?? null,
      bytes: typeof result === 'number' ? result : sizeOf(/** @type {import('./contenders/contender.js').Encoded} */ (result)),
    };
  },

  /** JSON.stringify and TextEncoder once: milliseconds; null where there is no value. */
  baseline() {
    if (plain === undefined) return null;
    const start = performance.now();
    result = encodeJson(plain);
    return performance.now() - start;
  },

  /** Encodes the same value one call after the other for about `forMs`, or JSON does. Gives the time of one call, and its bytes. */
  async calls(/** @type {number} */ forMs, /** @type {boolean} */ isBaseline) {
    const encode = isBaseline ? encodeJson : (encoding.encodeSmall ?? encoding.encode).bind(encoding);
    const value = isBaseline ? plain : prepared;
    const first = encode(value);
    const isAsync = first instanceof Promise;
    const bytes = sizeOf(/** @type {import('./contenders/contender.js').Encoded} */ (await first));
    const start = performance.now();
    let count = 0;
    do {
      // The clock is read once in 32 calls, so that it costs nothing.
      if (isAsync) for (let index = 0; index < 32; index += 1) result = await encode(value);
      else for (let index = 0; index < 32; index += 1) result = encode(value);
      count += 32;
    } while (performance.now() - start < forMs);
    return { ms: (performance.now() - start) / count, bytes };
  },
};

/** @typedef {typeof encodeBench} EncodeBench */

Object.assign(globalThis, { encodeBench });

/** @param {unknown} value */
const encodeJson = (value) => text.encode(JSON.stringify(value));

/**
 * @param {Preparation} preparation
 * @param {number} rows
 * @returns {Promise<any>}
 */
async function valueOf({ task: { dataset, format }, url }, rows) {
  if (dataset === 'trips') return trips(rows);
  if (dataset === 'numbers') return numbers(rows);
  const value = JSON.parse(await readText(String(url)));
  // Only documents stand at the root of BSON.
  return format === 'bson' && Array.isArray(value) ? { items: value } : value;
}

/** What the library reads of bytes. @param {Uint8Array} bytes */
async function readBack(bytes) {
  const { id } = FORMATS[task.format];
  const [{ decodeSync, compileSchema }, { default: format }] = await Promise.all([
    import(`${task.library}/sync.js`),
    import(`${task.library}/formats/${id}.js`),
  ]);
  const definition = SCHEMAS[id]?.[task.dataset];
  return decodeSync(format, bytes, definition && { schema: await compileSchema(format, definition) });
}

/** @param {import('./contenders/contender.js').Encoded} encoded */
function joined(encoded) {
  if (encoded instanceof Uint8Array) return encoded;
  const all = new Uint8Array(sizeOf(encoded));
  let at = 0;
  for (const chunk of encoded) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

/** @param {import('./contenders/contender.js').Encoded} encoded */
function sizeOf(encoded) {
  return encoded instanceof Uint8Array ? encoded.length : encoded.reduce((sum, { length }) => sum + length, 0);
}

/** @param {string} url */
async function readText(url) {
  return place ? await place.readText(url) : await (await fetch(url)).text();
}
