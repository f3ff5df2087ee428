// A document's value in each format.
import avsc from 'avsc';
import { serialize, setInternalBufferSize } from 'bson';
import { compileRaw } from 'pbf/compile';
import parseProto from 'protocol-buffers-schema';
import protobufjs from 'protobufjs';
import { encodeDocument } from '../../demo/server/encode.mjs';
import { avroSchema, inferType, protoText } from './infer.mjs';

/**
 * @typedef {object} Encoding
 * @property {Uint8Array} bytes
 * @property {object} [schema] as the library takes it
 * @property {string} [code] what pbf generates for the schema, an ES module
 * @property {boolean} wrapped whether the list at the root became the field `items` of a record
 */

/** @type {Record<string, (value: any) => Omit<Encoding, 'wrapped'>>} */
const ENCODERS = {
  json: (value) => ({ bytes: encodeDocument('json', value) }),
  messagepack: (value) => ({ bytes: encodeDocument('messagepack', value) }),
  cbor: (value) => ({ bytes: encodeDocument('cbor', value) }),
  bson(value) {
    // It is written into a buffer of a fixed size.
    setInternalBufferSize(BSON_ROOM * JSON.stringify(value).length + 1024);
    return { bytes: serialize(value) };
  },
  avro(value) {
    const schema = avroSchema(inferType(value));
    return { bytes: avsc.Type.forSchema(/** @type {any} */ (schema), { wrapUnions: false }).toBuffer(value), schema };
  },
  protobuf(value) {
    const proto = protoText(inferType(value));
    const type = protobufjs.parse(proto, { keepCase: true }).root.lookupType('Root');
    // Only reading is measured.
    const code = compileRaw(parseProto(proto), { noWrite: true });
    return { bytes: type.encode(value).finish(), schema: { proto, message: 'Root' }, code };
  },
};

/** Bytes for each of JSON: lists of small numbers take about five. */
const BSON_ROOM = 8;

/** The formats in the order of the tables. */
export const DOCUMENT_FORMATS = Object.keys(ENCODERS);
/** Absent and null are one in these, and an empty list is absent. */
export const CANONICAL_FORMATS = ['avro', 'protobuf'];
/** Formats whose root is a record. */
const RECORD_ROOT = ['bson', 'avro', 'protobuf'];

/**
 * @param {string} format
 * @param {any} value
 * @returns {Encoding}
 * @throws {RangeError} where the format cannot hold the value
 */
export function encode(format, value) {
  const wrapped = RECORD_ROOT.includes(format) && Array.isArray(value);
  return { ...ENCODERS[format](wrapped ? { items: value } : value), wrapped };
}
