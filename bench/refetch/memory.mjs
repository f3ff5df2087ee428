// Memory that a value with `previous` takes in addition to the value, in Node.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = /** @type {() => void} */ (runInNewContext('gc'));

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

/** Bytes in use. Buffers are freed in the background, so that what is used is asked until it stays. */
async function usedMemory() {
  let used = Infinity;
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    if (heapUsed + arrayBuffers > used - 100_000) return used;
    used = heapUsed + arrayBuffers;
  }
}
