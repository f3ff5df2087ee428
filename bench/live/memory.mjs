// Memory of a value in part. Runs in Node, since Chromium does not count the text of strings that its TextDecoder makes.
import v8 from 'node:v8';
import vm from 'node:vm';
import { median } from '../statistics.mjs';
import { DOCUMENTS } from './growing.js';

const PARTIAL = '../../dist/partial.js';
const JSON_FORMAT = '../../dist/formats/json.js';
/** Times that memory is looked at while a document grows. */
const LOOKS = 32;

/** Bytes that are in use once garbage is collected. */
function inUse() {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

v8.setFlagsFromString('--expose-gc');
/** @type {() => void} */
const collect = vm.runInNewContext('gc');

/**
 * Bytes that a document takes as the result of `JSON.parse`, and the most that its value in part takes, with the reader, while it
 * grows by pieces of `step` bytes and a value is asked for after each. Medians of `runs`.
 *
 * @param {string} name @param {number} bytes @param {number} step @param {number} runs
 */
export async function memoryOfPartial(name, bytes, step, runs) {
  const [{ createPartial }, { default: json }] = await Promise.all([import(PARTIAL), import(JSON_FORMAT)]);
  const encoded = new TextEncoder().encode(JSON.stringify(DOCUMENTS[name]?.(bytes)));
  const decoder = new TextDecoder();
  const kept = { value: /** @type {unknown} */ (undefined) };
  // A function of its own, so that nothing refers to the text when it returns.
  const parse = () => {
    kept.value = JSON.parse(decoder.decode(encoded));
  };
  const grow = () => {
    const before = inUse();
    const partial = createPartial(json);
    const look = Math.ceil(encoded.length / step / LOOKS) * step;
    let most = 0;
    for (let at = 0; at < encoded.length; at += step) {
      partial.push(decoder.decode(encoded.subarray(at, at + step)));
      kept.value = partial.value;
      if (at % look === 0) most = Math.max(most, inUse() - before);
    }
    kept.value = partial.finish();
    return Math.max(most, inUse() - before);
  };
  const values = [];
  const partials = [];
  // The first turn warms up.
  for (let turn = 0; turn <= runs; turn += 1) {
    kept.value = undefined;
    const before = inUse();
    parse();
    const value = inUse() - before;
    kept.value = undefined;
    const partial = grow();
    if (turn === 0) continue;
    values.push(value);
    partials.push(partial);
  }
  return { bytes: encoded.length, valueBytes: median(values) ?? 0, partialBytes: median(partials) ?? 0 };
}
