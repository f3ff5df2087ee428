// MessagePack as msgpackr writes it: plain maps, records, records with bundled strings.
import { Packr } from 'msgpackr';
import { batches, counted } from './encoder.mjs';

const MEDIA_TYPE = 'application/vnd.msgpack';

/** Map and Set need msgpackr's extensions, which a plain reader of MessagePack does not know. */
const CARRIES = Object.freeze({ nonFinite: true, negativeZero: true, undefined: true, bigint: true, date: true, bytes: true });

/** @type {import('./encoder.mjs').Encoder} Every object a map; byte for byte what msgpackr gives for the whole value. */
export const messagepack = {
  id: 'messagepack',
  mediaType: MEDIA_TYPE,
  version: 1,
  carries: CARRIES,

  *encode(rows, { key, count }) {
    const packr = mapPackr();
    const envelope = bytesOf(packr.pack({ [key]: [] }));
    // The empty array, 0x90, is the last byte: the header of the real one takes its place.
    yield envelope.subarray(0, -1);
    yield arrayHeader(count);
    for (const batch of batches(counted(rows, count))) {
      yield bytesOf(packr.pack(batch)).subarray(arrayHeader(batch.length).length);
    }
  },

  encodeDocument: (value) => [bytesOf(mapPackr().pack(value))],
};

/** @type {import('./encoder.mjs').Encoder} Objects as records: a shape's keys once, then values alone. */
export const messagepackRecords = recordsEncoder('messagepack-records', {});

/** @type {import('./encoder.mjs').Encoder} Records, and strings joined apart from the structure. */
export const messagepackRecordsBundled = recordsEncoder('messagepack-records-bundled', { bundleStrings: true });

/**
 * Records refer to shapes seen before and bundles to positions, so the value is packed whole.
 *
 * @param {string} id
 * @param {import('msgpackr').Options} options
 * @returns {import('./encoder.mjs').Encoder}
 */
function recordsEncoder(id, options) {
  /** @param {unknown} value */
  const encodeDocument = (value) => [bytesOf(new Packr({ ...options, useRecords: true }).pack(value))];
  return {
    id,
    mediaType: MEDIA_TYPE,
    version: 1,
    carries: CARRIES,
    encode: (rows, { key, count }) => encodeDocument({ [key]: [...counted(rows, count)] }),
    encodeDocument,
  };
}

function mapPackr() {
  return new Packr({ useRecords: false });
}

/**
 * fixarray `0x90 | count`, array 16 `0xdc u16`, array 32 `0xdd u32`; big-endian, the shortest that fits.
 *
 * @param {number} count
 */
function arrayHeader(count) {
  if (count < 0x10) return Uint8Array.of(0x90 | count);
  if (count < 0x10000) return Uint8Array.of(0xdc, count >> 8, count & 0xff);
  return Uint8Array.of(0xdd, count >>> 24, (count >>> 16) & 0xff, (count >>> 8) & 0xff, count & 0xff);
}

/**
 * msgpackr's result as its type says it is: a view that later calls do not write to.
 *
 * @param {Uint8Array} packed
 */
function bytesOf(packed) {
  return /** @type {Uint8Array<ArrayBuffer>} */ (packed);
}
