// Memory that a value with `previous` takes in addition to the value, in Node.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = /** @type {() => void} */ (runInNewContext('gc'));

/**
 * Bytes besides the value after some refetches: the difference to the same payload, decoded without `previous`.
 *
 * @param {object} given
 * @param {import('./contenders.js').CreateDecoder} given.createDecoder
 * @param {import('./contenders.js').Kind} given.kind
 * @param {readonly Uint8Array<ArrayBuffer>[]} given.versions
 */
export async function memoryBesides({ createDecoder, kind: { format, schema }, versions }) {
  const decoder = createDecoder();
  /** @param {readonly Uint8Array<ArrayBuffer>[]} payloads @param {object} options */
  const retained = async (payloads, options) => {
    const empty = await usedMemory();
    /** @type {unknown} */
    let value;
    for (const bytes of payloads) {
      const previous = 'previous' in options ? { previous: value } : {};
      value = await decoder.decode(bytes.slice(), { format, schema, transfer: true, ...previous });
    }
    const used = (await usedMemory()) - empty;
    // Keeps the value until here.
    return value === undefined ? 0 : used;
  };
  // The code and its feedback are in memory from now on.
  await retained(versions, { previous: undefined });
  const plain = await retained(versions.slice(-1), {});
  return (await retained(versions, { previous: undefined })) - plain;
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
