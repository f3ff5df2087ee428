// Memory that a value with `previous` takes in addition to the value, in Node.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = /** @type {() => void} */ (runInNewContext('gc'));

/** Collections in a row that free fewer bytes than this end a reading: 2 kB are less than a fifth of a byte a record. */
const STEADY_BYTES = 2000;
const STEADY_READS = 3;

/**
 * Bytes in addition to the value after some refetches: the difference to the same payload, decoded without `previous`.
 *
 * @param {object} given
 * @param {import('./contenders.js').CreateDecoder} given.createDecoder
 * @param {import('./contenders.js').Kind} given.kind
 * @param {readonly Uint8Array<ArrayBuffer>[]} given.versions
 */
export async function memoryBesides({ createDecoder, kind: { format, schema }, versions }) {
  const decoder = createDecoder();
  // A function of its own, whose frame would keep an earlier value.
  /** @param {readonly Uint8Array<ArrayBuffer>[]} payloads @param {boolean} isAgain @param {unknown} previous @returns {Promise<unknown>} */
  const last = async ([bytes, ...rest], isAgain, previous) => {
    const value = await decoder.decode((bytes ?? new Uint8Array(0)).slice(), { format, schema, transfer: true, ...(isAgain && { previous }) });
    return rest.length > 0 ? await last(rest, isAgain, value) : value;
  };
  /** @param {readonly Uint8Array<ArrayBuffer>[]} payloads @param {boolean} isAgain */
  const retained = async (payloads, isAgain) => {
    const empty = await usedMemory();
    const value = await last(payloads, isAgain, undefined);
    const used = (await usedMemory()) - empty;
    // Keeps the value until here.
    return value === undefined ? 0 : used;
  };
  // The code and its feedback are in memory from now on.
  await retained(versions, true);
  const plain = await retained(versions.slice(-1), false);
  return (await retained(versions, true)) - plain;
}

/** Bytes in use. Buffers and unused code are freed in the background, so the figure is read until it no longer falls. */
async function usedMemory() {
  let used = Infinity;
  for (let steady = 0; steady < STEADY_READS;) {
    await new Promise((resolve) => setTimeout(resolve, 30));
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    const now = heapUsed + arrayBuffers;
    steady = used - now < STEADY_BYTES ? steady + 1 : 0;
    used = now;
  }
  return used;
}
