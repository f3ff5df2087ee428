// The table of encoders. Pure: runs in Node and in a browser bundle.
import { bebop } from './encoders/bebop.mjs';
import { bson } from './encoders/bson.mjs';
import { avro } from './encoders/avro.mjs';
import { capnproto } from './encoders/capnproto.mjs';
import { cbor, cborRecords } from './encoders/cbor.mjs';
import { joinChunks } from './encoders/encoder.mjs';
import { flatbuffers } from './encoders/flatbuffers.mjs';
import { jsbinary } from './encoders/jsbinary.mjs';
import { json } from './encoders/json.mjs';
import { messagepack, messagepackRecords, messagepackRecordsBundled } from './encoders/messagepack.mjs';
import { protobuf } from './encoders/protobuf.mjs';
import { sia } from './encoders/sia.mjs';

/**
 * Every encoder by id. A further format is one file in `encoders/` and one line here.
 *
 * @type {ReadonlyMap<string, import('./encoders/encoder.mjs').Encoder>}
 */
export const encoders = new Map(
  [
    json,
    messagepack,
    messagepackRecords,
    messagepackRecordsBundled,
    cbor,
    cborRecords,
    avro,
    protobuf,
    bson,
    sia,
    jsbinary,
    flatbuffers,
    capnproto,
    bebop,
  ].map((encoder) => [encoder.id, encoder]),
);

/**
 * @param {string} format an id of `encoders`
 * @returns {import('./encoders/encoder.mjs').Encoder}
 * @throws {RangeError} naming the formats there are
 */
export function encoderFor(format) {
  const encoder = encoders.get(format);
  if (encoder) return encoder;
  throw new RangeError(`No format is named ${JSON.stringify(format)}. There are: ${[...encoders.keys()].join(', ')}.`);
}

/**
 * `{ [key]: rows }` as one array of bytes, for small payloads.
 *
 * @param {string} format
 * @param {Iterable<unknown>} rows
 * @param {import('./encoders/encoder.mjs').ListOptions} options
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function encodeRows(format, rows, options) {
  return joinChunks(encoderFor(format).encode(rows, options));
}

/**
 * Any value as one array of bytes.
 *
 * @param {string} format
 * @param {unknown} value
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function encodeDocument(format, value) {
  const { encodeDocument: encode } = encoderFor(format);
  if (encode) return joinChunks(encode(value));
  throw new RangeError(`${format} has a schema for each dataset and does not encode other values.`);
}
