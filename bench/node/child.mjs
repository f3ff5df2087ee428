// Measures one contender with one document in a Node process of its own: its arguments are the contender's id, the
// document's name, megabytes of JSON, and the number of runs. Sends a `NodeResult`.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { Packr } from 'msgpackr';
import { DOCUMENTS } from '../documents/sources.mjs';
import { median } from '../statistics.mjs';
import { CONTENDERS } from './contenders.mjs';

const [, , id, name, megabytes, runs] = process.argv;
const contender = CONTENDERS.find((one) => one.id === id);
const document = DOCUMENTS.find((one) => one.name === name);
if (!contender || !document) throw new RangeError(`No contender ${id} or no document ${name}.`);

/** Bytes decoded in one run: a small document is decoded as often as that takes, and its time is that of one call. */
const RUN_BYTES = 2_000_000;

/** Milliseconds between two samples of the event loop's delay, which each sample includes. */
const RESOLUTION = 1;

const resized = (await document.open())(Number(megabytes) * 1e6).value;
const expected = digest(resized);
const made = contender.format === 'json' ? new TextEncoder().encode(JSON.stringify(resized)) : new Packr({ useRecords: false }).pack(resized);
const bytes = new Uint8Array(made);
const decode = await contender.open();
/** @type {{ totalMs: number, p99Ms: number, maxMs: number }[]} */
const samples = [];
/** @type {string | undefined} */
let error;
try {
  // The first run warms the code up.
  for (let run = -1; run < Number(runs); run += 1) {
    const sample = await measure();
    if (run >= 0) samples.push(sample);
  }
} catch (cause) {
  error = String(cause);
}
const of = (/** @type {'totalMs' | 'p99Ms' | 'maxMs'} */ key) => (error === undefined ? median(samples.map((sample) => sample[key])) : null);
process.send?.({ contender: id, document: name, bytes: bytes.length, totalMs: of('totalMs'), p99Ms: of('p99Ms'), maxMs: of('maxMs'), error });
process.disconnect();

async function measure() {
  globalThis.gc?.();
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION });
  delays.enable();
  await setTimeout(20);
  delays.reset();
  // The first sample after a reset has no time before it.
  await setTimeout(10);
  const calls = Math.ceil(RUN_BYTES / bytes.length);
  const start = performance.now();
  let value;
  for (let call = 0; call < calls; call += 1) {
    value = decode(bytes);
    // A call that returns the value takes no turn of the event loop.
    if (value instanceof Promise) value = await value;
  }
  const totalMs = (performance.now() - start) / calls;
  // Until the sample that covers the end.
  await setTimeout(10);
  delays.disable();
  if (digest(value) !== expected) throw new Error('The value differs.');
  const lag = (/** @type {number} */ nanoseconds) => Math.max(0, nanoseconds / 1e6 - RESOLUTION);
  return { totalMs, p99Ms: lag(delays.percentile(99)), maxMs: lag(delays.max) };
}

/**
 * The length, the start and the end of the list in a document, also of `Rows`.
 *
 * @param {any} value
 */
function digest(value) {
  const list = /** @type {any} */ (Object.values(value)[0]);
  return JSON.stringify([list.length, ...list.slice(0, 3), list.at(-1)]);
}
