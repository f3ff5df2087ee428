// Measures one contender on one case.

/** Duration of the calls of one run of a small value. */
const CALLS_MS = 150;

/**
 * One run, and one of JSON.stringify and TextEncoder in the same process. For small calls, `ms` is the time of one call
 * among many, and nothing else is measured.
 *
 * @typedef {object} EncodeSample
 * @property {number} ms
 * @property {number | null} jsonMs null if measured without JSON
 * @property {number} [blockMs]
 * @property {number | null} [gcMs]
 * @property {number | null} [peakBytes]
 */

/**
 * @typedef {object} EncodeResult
 * @property {string} case
 * @property {'node' | 'chromium'} place
 * @property {string} contender
 * @property {number} bytes
 * @property {number | null} rows
 * @property {EncodeSample[]} samples
 * @property {string} [differs] explains how the encoded value differs
 * @property {string} [error] reason for missing figures
 */

/**
 * @param {import('./places.mjs').Place} place
 * @param {import('./harness.js').Preparation} preparation
 * @param {number} runs
 * @param {number} enoughMs after this time no further run starts
 * @returns {Promise<Pick<EncodeResult, 'bytes' | 'samples' | 'differs'>>}
 */
export async function measureEncoding(place, preparation, runs, enoughMs) {
  const { digest, expected } = await place.call('prepare', preparation);
  const measured = preparation.isSmall ? await calls(place, runs) : await once(place, runs, enoughMs);
  return { ...measured, ...(digest !== expected && { differs: `reads as ${digest}, and was ${expected}` }) };
}

/** @param {import('./places.mjs').Place} place @param {number} runs */
async function calls(place, runs) {
  /** @type {EncodeSample[]} */
  const samples = [];
  let bytes = 0;
  for (let index = -1; index < runs; index += 1) {
    await place.call('release');
    const { ms: jsonMs } = await place.call('calls', CALLS_MS, true);
    const own = await place.call('calls', CALLS_MS, false);
    bytes = own.bytes;
    // The first call is a warm-up.
    if (index >= 0) samples.push({ ms: own.ms, jsonMs });
  }
  return { bytes, samples };
}

/** @param {import('./places.mjs').Place} place @param {number} runs @param {number} enoughMs */
async function once(place, runs, enoughMs) {
  const { memory } = place;
  /** @type {EncodeSample[]} */
  const samples = [];
  let bytes = 0;
  const begun = performance.now();
  for (let index = 0; index < runs && (index === 0 || performance.now() - begun < enoughMs); index += 1) {
    await place.call('release');
    await memory.mark();
    const { bytes: size, ...sample } = await place.call('run');
    bytes = size;
    const peakBytes = await memory.peak();
    await place.call('release');
    samples.push({ ...sample, peakBytes, jsonMs: await place.call('baseline') });
  }
  return { bytes, samples };
}
