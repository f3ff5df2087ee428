import { JSON_FORMATS, MSGPACKR_FORMATS } from '../decoders.js';
import { withDates, withDatesInSlices } from '../plain.js';

/** The built library on the benchmark's server; it is not bundled. */
export const LIBRARY = '/dist/index.js';

/** By encoding, Unspool's format. */
export const FORMATS = new Map([
  ...JSON_FORMATS.map((format) => /** @type {const} */ ([format, 'json'])),
  ...MSGPACKR_FORMATS.map((format) => /** @type {const} */ ([format, 'messagepack'])),
  ['cbor', 'cbor'],
  ['cbor-records', 'cbor'],
  ...['avro', 'protobuf', 'bson', 'bebop', 'flatbuffers', 'capnproto', 'sia', 'jsbinary'].map((format) => /** @type {const} */ ([format, format])),
]);

const WITH_SCHEMA = ['avro', 'protobuf', 'flatbuffers', 'capnproto', 'bebop', 'jsbinary'];

/**
 * The schema of a dataset; undefined for formats without one.
 *
 * @param {string} format
 * @param {string} dataset
 */
export const schemaOf = async (format, dataset) =>
  WITH_SCHEMA.includes(format) ? (await import('../../schemas.js')).SCHEMAS[format][dataset] : undefined;

/** Formats that store the times of trips as numbers. */
const TIMES_AS_NUMBERS = ['protobuf', 'flatbuffers', 'capnproto'];

/**
 * @param {Pick<import('../contender.js').Contender, 'id' | 'label' | 'result'>} options
 * @returns {import('../contender.js').Contender}
 */
export function unspool({ id, label, result }) {
  return {
    id,
    label,
    kind: 'unspool',
    result,
    formats: [...FORMATS.keys()],
    async setup({ format: encoding, dataset, list, repeated, schema: own }) {
      const { createDecoder } = await import(LIBRARY);
      const format = String(FORMATS.get(encoding));
      const schema = own ?? (await schemaOf(format, String(dataset)));
      const decoder = createDecoder({ formatOptions: { protobuf: { names: 'proto' } } });
      const options = { format, schema, as: result, transfer: !repeated };
      const needsDates = result === 'objects' && TIMES_AS_NUMBERS.includes(format) && own === undefined;
      return {
        decode: (buffer) => decoder.decode(buffer, options),
        // A small payload needs no slices.
        ...(needsDates && {
          plain: (/** @type {{ [list: string]: any }} */ value) => (repeated ? withDates(value, list) : withDatesInSlices(value, list)),
        }),
        close: () => decoder.close(),
      };
    },
  };
}
