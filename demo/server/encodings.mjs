// All encodings, by their names in `?format=`.
import { JSON_FEATURES } from './data/mixed/mixed.mjs';

/**
 * @typedef {object} Encoding
 * @property {string} id name in `?format=`
 * @property {import('unspool').FormatId} format format of the writer
 * @property {object} options options of the writer
 * @property {string} mediaType sent as Content-Type
 * @property {number} version raised whenever the bytes for the same rows change
 * @property {import('./data/mixed/mixed.mjs').MixedFeatures} carries values beyond JSON that it preserves
 * @property {readonly string[] | undefined} datasets datasets with a schema; undefined: any value
 */

const MESSAGEPACK = 'application/vnd.msgpack';
const CBOR = 'application/cbor';
const TABLES = ['trips', 'numbers'];

/** Map and Set need msgpackr's extensions, which plain MessagePack readers do not support. */
const IN_MESSAGEPACK = { nonFinite: true, negativeZero: true, undefined: true, bigint: true, date: true, bytes: true };
/** The tag of a Map is rarely supported. */
const IN_CBOR = { nonFinite: true, undefined: true, bigint: true, largeBigint: true, date: true, bytes: true, set: true };
/** Options for the same bytes as msgpackr and cbor-x, for comparison with published figures. */
const LIKE_MSGPACKR = { int64: 'float', mapSize: 'uint16' };
const LIKE_CBOR_X = { int64: 'float', float32: 'never' };

/**
 * Every encoding by its id. A new one is a line here; the schemas of a format are files in `schemas/`, which `schemas.mjs`
 * lists.
 *
 * @type {ReadonlyMap<string, Encoding>}
 */
export const encodings = new Map(
  [
    encoding('json', 'json', 'application/json', { carries: JSON_FEATURES, version: 1 }),
    encoding('messagepack', 'messagepack', MESSAGEPACK, { carries: IN_MESSAGEPACK, options: LIKE_MSGPACKR }),
    encoding('messagepack-records', 'messagepack', MESSAGEPACK, { carries: IN_MESSAGEPACK, options: { records: true } }),
    encoding('messagepack-records-bundled', 'messagepack', MESSAGEPACK, {
      carries: IN_MESSAGEPACK,
      options: { records: true, bundleStrings: true },
    }),
    encoding('cbor', 'cbor', CBOR, { carries: IN_CBOR, options: LIKE_CBOR_X }),
    encoding('cbor-records', 'cbor', CBOR, { carries: IN_CBOR, options: { ...LIKE_CBOR_X, records: true } }),
    encoding('avro', 'avro', 'application/avro', { datasets: TABLES }),
    encoding('protobuf', 'protobuf', 'application/x-protobuf', { datasets: TABLES, options: { names: 'proto' }, version: 1 }),
    encoding('bson', 'bson', 'application/bson', {
      carries: { nonFinite: true, negativeZero: true, date: true, bytes: true },
      options: { undefined: 'null' },
      version: 1,
    }),
    encoding('sia', 'sia', 'application/x-sia', { carries: { nonFinite: true, undefined: true, date: true, map: true, set: true } }),
    encoding('jsbinary', 'jsbinary', 'application/x-js-binary', { datasets: TABLES, version: 1 }),
    encoding('flatbuffers', 'flatbuffers', 'application/x-flatbuffers', { datasets: TABLES }),
    encoding('capnproto', 'capnproto', 'application/x-capnproto', { datasets: TABLES, version: 1 }),
    encoding('bebop', 'bebop', 'application/x-bebop', { datasets: TABLES, version: 1 }),
  ].map((one) => [one.id, one]),
);

/**
 * @param {string} id
 * @param {import('unspool').FormatId} format
 * @param {string} mediaType
 * @param {Partial<Encoding>} more
 * @returns {Encoding}
 */
function encoding(id, format, mediaType, { options = {}, version = 2, carries = {}, datasets }) {
  return { id, format, options, mediaType, version, carries: Object.freeze(carries), datasets };
}

/**
 * @param {string} id an id of `encodings`
 * @returns {Encoding}
 * @throws {RangeError} with the available formats
 */
export function encodingFor(id) {
  const found = encodings.get(id);
  if (found) return found;
  throw new RangeError(`No format is named ${JSON.stringify(id)}. There are: ${[...encodings.keys()].join(', ')}.`);
}
