// BSON as the bson package writes it.
import { serialize } from 'bson';
import { batches, counted } from './encoder.mjs';

/** Only documents stand at the root. */
const CARRIES = Object.freeze({ nonFinite: true, negativeZero: true, date: true, bytes: true });

const SETTINGS = { ignoreUndefined: false };
const utf8 = new TextEncoder();

/** @type {import('./encoder.mjs').Encoder} Byte for byte what bson gives for the whole value. */
export const bson = {
  id: 'bson',
  mediaType: 'application/bson',
  version: 1,
  carries: CARRIES,

  // Sizes come first, so all is written before any of it is sent.
  encode(rows, { key, count }) {
    const chunks = [...items(counted(rows, count))];
    const size = 4 + chunks.reduce((total, chunk) => total + chunk.length, 0) + 1;
    const name = utf8.encode(key);
    const head = new Uint8Array(4 + 1 + name.length + 1 + 4);
    const view = new DataView(head.buffer);
    view.setInt32(0, head.length - 4 + size + 1, true);
    head[4] = ARRAY;
    head.set(name, 5);
    view.setInt32(head.length - 4, size, true);
    return [head, ...chunks, new Uint8Array(2)];
  },

  encodeDocument: (value) => [bytesOf(serialize(/** @type {object} */ (value), SETTINGS))],
};

const ARRAY = 0x04;

/**
 * The rows as items of an array, each with its index as its key: what is in a document of a batch, but for the size
 * before it and the zero behind it.
 *
 * @param {Iterable<unknown>} rows
 * @returns {Generator<Uint8Array<ArrayBuffer>, void, void>}
 */
function* items(rows) {
  let index = 0;
  for (const batch of batches(rows)) {
    const first = index;
    index += batch.length;
    yield bytesOf(serialize(Object.fromEntries(batch.map((row, i) => [first + i, row])), SETTINGS)).slice(4, -1);
  }
}

/**
 * bson's result as its type says it is.
 *
 * @param {Uint8Array} encoded
 */
function bytesOf(encoded) {
  return /** @type {Uint8Array<ArrayBuffer>} */ (encoded);
}
