// CBOR as cbor-x writes it: plain maps, records.
import { Encoder } from 'cbor-x';
import { batches, counted } from './encoder.mjs';

const MEDIA_TYPE = 'application/cbor';

/** −0 becomes 0 in cbor-x, and a Map has a tag that few readers know. */
const CARRIES = Object.freeze({ nonFinite: true, undefined: true, bigint: true, largeBigint: true, date: true, bytes: true, set: true });

/** Every head in its shortest form, and bytes as a byte string without a tag. */
const SETTINGS = { useRecords: false, variableMapSize: true, tagUint8Array: false };

/** @type {import('./encoder.mjs').Encoder} Every object a map; byte for byte what cbor-x gives for the whole value. */
export const cbor = {
  id: 'cbor',
  mediaType: MEDIA_TYPE,
  version: 1,
  carries: CARRIES,

  *encode(rows, { key, count }) {
    const encoder = new Encoder({ ...SETTINGS });
    const envelope = bytesOf(encoder.encode({ [key]: [] }));
    // The empty array, 0x80, is the last byte: the head of the real one takes its place.
    yield envelope.subarray(0, -1);
    yield arrayHead(count);
    for (const batch of batches(counted(rows, count))) {
      yield bytesOf(encoder.encode(batch)).subarray(arrayHead(batch.length).length);
    }
  },

  encodeDocument: (value) => [bytesOf(new Encoder({ ...SETTINGS }).encode(value))],
};

/** @type {import('./encoder.mjs').Encoder} Objects as records: a shape's keys once, then values alone. */
export const cborRecords = {
  id: 'cbor-records',
  mediaType: MEDIA_TYPE,
  version: 1,
  carries: CARRIES,
  // Records refer to shapes seen before, so the value is encoded whole.
  encode: (rows, { key, count }) => encodeRecords({ [key]: [...counted(rows, count)] }),
  encodeDocument: encodeRecords,
};

/**
 * @param {unknown} value
 * @returns {import('./encoder.mjs').Chunks}
 */
function encodeRecords(value) {
  return [bytesOf(new Encoder({ useRecords: true, tagUint8Array: false }).encode(value))];
}

/**
 * The head of an array, `100xxxxx` with the count in it or behind it: the shortest that fits.
 *
 * @param {number} count
 */
function arrayHead(count) {
  if (count < 0x18) return Uint8Array.of(0x80 | count);
  if (count < 0x100) return Uint8Array.of(0x98, count);
  if (count < 0x10000) return Uint8Array.of(0x99, count >> 8, count & 0xff);
  return Uint8Array.of(0x9a, count >>> 24, (count >>> 16) & 0xff, (count >>> 8) & 0xff, count & 0xff);
}

/**
 * cbor-x's result as its type says it is: a view that later calls do not write to.
 *
 * @param {Uint8Array} encoded
 */
function bytesOf(encoded) {
  return /** @type {Uint8Array<ArrayBuffer>} */ (encoded);
}
