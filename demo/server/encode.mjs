// Encodes rows and other values with the library, as an application does. Runs in Node and in a page.
import { createEncoder } from 'unspool/encode';
import avro from 'unspool/encoders/avro';
import bebop from 'unspool/encoders/bebop';
import bson from 'unspool/encoders/bson';
import capnproto from 'unspool/encoders/capnproto';
import cbor from 'unspool/encoders/cbor';
import flatbuffers from 'unspool/encoders/flatbuffers';
import jsbinary from 'unspool/encoders/jsbinary';
import json from 'unspool/encoders/json';
import messagepack from 'unspool/encoders/messagepack';
import protobuf from 'unspool/encoders/protobuf';
import sia from 'unspool/encoders/sia';
import { compileSchema, encodeSync } from 'unspool/sync';
import { encodingFor } from './encodings.mjs';
import { fitted, lazyList } from './rows.mjs';
import { schemas } from './schemas.mjs';

/**
 * @typedef {object} ListOptions
 * @property {string} key name of the list: the encoded value is `{ [key]: rows }`
 * @property {number} count number of rows
 * @property {string} dataset selects the schema
 */

/** @type {Readonly<Record<string, import('unspool/sync').FormatWriter<any, any>>>} */
const writers = { avro, bebop, bson, capnproto, cbor, flatbuffers, jsbinary, json, messagepack, protobuf, sia };

/** @type {ReadonlyMap<object, unknown>} compiled schemas by schema */
const compiled = new Map(
  await Promise.all(
    Object.values(schemas).flatMap((byFormat) =>
      Object.entries(byFormat).map(async ([format, schema]) => /** @type {const} */ ([schema, await compileSchema(writers[format], schema)])),
    ),
  ),
);

const encoder = createEncoder();

/**
 * Encodes `{ [key]: rows }` as one array of bytes, for small payloads.
 *
 * @param {string} id of an encoding
 * @param {Iterable<unknown>} rows
 * @param {ListOptions} options
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function encodeRows(id, rows, { key, count, dataset }) {
  const { format, options } = encodingFor(id);
  const schema = schemaFor(id, dataset);
  const value = { [key]: listFor(format, rows, count, dataset) };
  return encodeSync(writers[format], value, { options, schema: schema && compiled.get(schema) });
}

/**
 * Encodes the same value as chunks and takes rows one by one. If the format allows it, neither all rows nor all bytes are
 * in memory at the same time.
 *
 * @param {string} id of an encoding
 * @param {Iterable<unknown>} rows
 * @param {ListOptions} options
 * @returns {ReadableStream<Uint8Array<ArrayBuffer>>}
 */
export function streamRows(id, rows, { key, count, dataset }) {
  const { format, options } = encodingFor(id);
  const value = { [key]: listFor(format, rows, count, dataset) };
  const schema = schemaFor(id, dataset);
  return encoder.stream(value, /** @type {import('unspool/encode').EncodeOptions} */ ({ format, options, ...(schema && { schema }) }));
}

/**
 * Encodes any value as one array of bytes.
 *
 * @param {string} id of an encoding
 * @param {unknown} value
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function encodeDocument(id, value) {
  const { format, options, datasets } = encodingFor(id);
  if (datasets) throw new RangeError(`${id} has a schema for each dataset and does not encode other values.`);
  return encodeSync(writers[format], value, { options });
}

/** Rows that the JSON writer reads ahead to estimate their size. */
const MEASURED = 5000;

/**
 * @param {string} format
 * @param {Iterable<unknown>} rows
 * @param {number} count
 * @param {string} dataset
 */
function listFor(format, rows, count, dataset) {
  return lazyList(fitted(rows, dataset, format), count, format === 'json' ? MEASURED : undefined);
}

/**
 * @param {string} id of an encoding
 * @param {string} dataset
 * @returns {object | undefined} undefined for formats without one
 */
function schemaFor(id, dataset) {
  const { format, datasets } = encodingFor(id);
  if (datasets && !datasets.includes(dataset)) throw new RangeError(`There is no schema of ${format} for ${dataset}.`);
  return datasets && schemas[dataset][format];
}
