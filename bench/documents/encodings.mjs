// Encodes a document in each format.
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
 * @property {object} [schema]
 * @property {string} [code] ES module that pbf generates for the schema
 * @property {boolean} wrapped whether the list at the root became the field `items` of a record
 */

/** @type {Record<string, (value: any) => Omit<Encoding, 'wrapped'>>} */
const ENCODERS = {
  json: (value) => ({ bytes: encodeDocument('json', value) }),
  messagepack: (value) => ({ bytes: encodeDocument('messagepack', value) }),
  cbor: (value) => ({ bytes: encodeDocument('cbor', value) }),
  bson(value) {
    // bson writes into a buffer of fixed size.
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
    // Without the writer, which is not measured.
    const code = compileRaw(parseProto(proto), { noWrite: true });
    return { bytes: type.encode(value).finish(), schema: { proto, message: 'Root' }, code };
  },
};

/** Bytes of BSON per byte of JSON, at most: lists of small numbers take about five. */
const BSON_ROOM = 8;

/** Formats in the order of the tables. */
export const DOCUMENT_FORMATS = Object.keys(ENCODERS);
/** Formats that do not distinguish null and empty lists from absent fields. */
export const CANONICAL_FORMATS = ['avro', 'protobuf'];
/** Formats whose root is a record. */
const RECORD_ROOT = ['bson', 'avro', 'protobuf'];

/**
 * @param {string} format
 * @param {any} value
 * @returns {Encoding}
 * @throws {RangeError} if the format cannot hold the value
 */
export function encode(format, value) {
  const wrapped = RECORD_ROOT.includes(format) && Array.isArray(value);
  return { ...ENCODERS[format](wrapped ? { items: value } : value), wrapped };
}
