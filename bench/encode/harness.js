// Runs in a page or in a Node process: prepares one contender, then encodes whenever the runner calls, in turn with
// JSON.stringify of the same value. The runner reads the memory of the process between the calls.
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
 * @property {string | null} url address of a document's JSON
 * @property {boolean} isSmall whether one call among many is measured
 */

/** Rows of the warm-up value, and the least number and duration of warm-up encodes. */
const WARM_UP_ROWS = 10_000;
const WARM_UPS = 6;
const WARM_UP_MS = 300;
/** Idle time before each run. */
const IDLE_MS = 30;

const ticker = new Ticker();
const text = new TextEncoder();
const place = 'encodePlace' in globalThis ? encodePlace : undefined;

/** @type {import('./contenders/contender.js').Encoding} */
let encoding;
/** @type {import('./contenders/contender.js').Task} */
let task;
/** The value as JSON, and in the contender's form. @type {unknown} */
let plain;
/** @type {unknown} */
let prepared;
/** @type {unknown} */
let result;
let isSmall = false;

const encodeBench = {
  /**
   * @param {Preparation} preparation
   * @returns {Promise<{ digest: string, expected: string }>} digests of the value that was read back, and of the original
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
      // Keeps nothing else in memory.
      prepared = encoding.stream.open(preparation.rows ?? 0);
      return { digest, expected };
    }
    plain = await valueOf(preparation, preparation.rows ?? 0);
    prepared = encoding.prepare ? encoding.prepare(plain) : plain;
    return { digest, expected };
  },

  /** Drops the bytes of the last run and collects garbage. */
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
      // The call itself is a block, even if the ticker misses it.
      blockMs: Math.max(longestBlock(ticks, start, end), callMs),
      gcMs: (await place?.garbageTime(start, end)) ?? null,
      bytes: typeof result === 'number' ? result : sizeOf(/** @type {import('./contenders/contender.js').Encoded} */ (result)),
    };
  },

  /** Milliseconds of JSON.stringify and TextEncoder; null without a value. */
  baseline() {
    if (plain === undefined) return null;
    const start = performance.now();
    result = encodeJson(plain);
    return performance.now() - start;
  },

  /** Encodes the same value repeatedly for about `forMs`. Returns the time of one call, and its bytes. */
  async calls(/** @type {number} */ forMs, /** @type {boolean} */ isBaseline) {
    const encode = isBaseline ? encodeJson : (encoding.encodeSmall ?? encoding.encode).bind(encoding);
    const value = isBaseline ? plain : prepared;
    const first = encode(value);
    const isAsync = first instanceof Promise;
    const bytes = sizeOf(/** @type {import('./contenders/contender.js').Encoded} */ (await first));
    const start = performance.now();
    let count = 0;
    do {
      // Reads the clock once in 32 calls, so that its cost is negligible.
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
  // The root of BSON is a document.
  return format === 'bson' && Array.isArray(value) ? { items: value } : value;
}

/** Decodes bytes with Unspool. @param {Uint8Array} bytes */
async function readBack(bytes) {
  const { id } = FORMATS[task.format];
  const [{ decodeSync, compileSchema }, { default: format }] = await Promise.all([
    import(`${task.library}/sync.js`),
    import(`${task.library}/formats/${id}.js`),
  ]);
  const definition = SCHEMAS[id]?.[task.dataset];
  const options = id === 'protobuf' ? { names: 'proto' } : undefined;
  return decodeSync(format, bytes, definition && { options, schema: await compileSchema(format, definition) });
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
