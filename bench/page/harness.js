// Runs in the page: prepares one contender, then decodes whenever the runner calls. The runner reads the memory of the
// process between the calls.
import { busyTime, longestBlock, takenTime } from './busy.js';
import { digestOf } from './digest.js';
import { LongTasks } from './long-tasks.js';
import { Messages } from './messages.js';
import { Ticker } from './ticker.js';

/**
 * @typedef {object} Preparation
 * @property {string} contender
 * @property {import('../contenders/contender.js').Payload} payload
 * @property {string} url of the payload
 * @property {string} warmUpUrl of the warm-up payload
 * @property {number} warmUps number of warm-up decodes
 */

/** Rows read as part of a run: the first screen of a table. */
const SCREEN_ROWS = 50;

/** Idle time before each run. */
const IDLE_MS = 30;

const ticker = new Ticker();
const messages = new Messages();
const longTasks = new LongTasks();

/** @type {import('../contenders/contender.js').Payload} */
let payload;
/** @type {import('../contenders/contender.js').Decoding} */
let decoding;
/** @type {ArrayBuffer} */
let bytes;
/** @type {unknown} */
let value;

const bench = {
  /** @param {Preparation} preparation @returns {Promise<number>} the payload's bytes */
  async prepare(preparation) {
    payload = preparation.payload;
    const { contender } = await import(`/bench/contenders/${preparation.contender}.js`);
    decoding = await contender.setup(payload);
    const warmUp = await download(preparation.warmUpUrl);
    for (let count = 0; count < preparation.warmUps; count += 1) readScreen(await decoding.decode(warmUp.slice(0)));
    bytes = await download(preparation.url);
    return bytes.byteLength;
  },

  /** Drops the value of the last run and collects garbage. */
  async release() {
    value = undefined;
    await collectGarbage();
  },

  /** Decodes a copy of the payload once. */
  async run() {
    const copy = bytes.slice(0);
    ticker.start();
    messages.start();
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
    await messages.next();
    const start = performance.now();
    const decoded = decoding.decode(copy);
    const callMs = performance.now() - start;
    value = await decoded;
    readScreen(value);
    const ready = performance.now();
    if (decoding.plain) value = await decoding.plain(value);
    const end = performance.now();
    await messages.next();
    const ticks = ticker.stop();
    const { mainMs, longestWaitMs } = busyTime(messages.stop(), start, end);
    return {
      readyMs: ready - start,
      plainMs: decoding.plain ? end - start : null,
      // The call itself is a block, even if the ticker misses it.
      longestBlockMs: Math.max(longestBlock(ticks, start, end), callMs),
      takenMs: Math.max(takenTime(ticks, start, end), callMs),
      mainMs: Math.max(mainMs, callMs),
      longestWaitMs: Math.max(longestWaitMs, callMs),
      longTaskMs: await longTasks.longest(start, end),
    };
  },

  /** Decodes the same payload to plain objects repeatedly for about `forMs`, and returns the time of one call. */
  async calls(/** @type {number} */ forMs) {
    const { plain } = decoding;
    const start = performance.now();
    let count = 0;
    do {
      // Reads the clock once in 16 calls, so that its cost is negligible.
      if (plain) for (let index = 0; index < 16; index += 1) value = await plain(await decoding.decode(bytes));
      else for (let index = 0; index < 16; index += 1) value = await decoding.decode(bytes);
      count += 16;
    } while (performance.now() - start < forMs);
    return (performance.now() - start) / count;
  },

  /** Digest of the last result. */
  check: () => digestOf(payload.root === undefined ? value : /** @type {any} */ (value)[payload.root], payload.list, payload.canonical),
};

/** @typedef {typeof bench} Bench */

Object.assign(globalThis, { bench });

/** @param {string} url */
async function download(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return await response.arrayBuffer();
}

/** The long list of a value, or an empty list. @param {any} decoded */
function longList(decoded) {
  const { list, path, root } = payload;
  const from = root === undefined ? decoded : decoded[root];
  const found = path ? path.reduce((value, key) => value[key], from) : list === null ? [] : decoded[list];
  return typeof found.at === 'function' ? found : [];
}

/** @param {any} decoded */
function readScreen(decoded) {
  const rows = longList(decoded);
  let read = 0;
  for (let index = 0; index < Math.min(SCREEN_ROWS, rows.length); index += 1) {
    for (const field of Object.values(rows.at(index) ?? {})) if (field !== null) read += 1;
  }
  return read;
}

async function collectGarbage() {
  // Twice, since the second collection frees what finalizers held.
  for (let round = 0; round < 2; round += 1) {
    /** @type {{ gc?: () => void }} */ (globalThis).gc?.();
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}
