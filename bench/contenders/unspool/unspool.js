import { JSON_FORMATS, MSGPACKR_FORMATS } from '../decoders.js';
import { withDates, withDatesInSlices } from '../dates.js';

/** Where the benchmark's server has the built library; loaded as it is, not bundled. */
export const LIBRARY = '/dist/index.js';

/** Unspool's own name of each encoding. */
export const FORMATS = new Map([
  ...JSON_FORMATS.map((format) => /** @type {const} */ ([format, 'json'])),
  ...MSGPACKR_FORMATS.map((format) => /** @type {const} */ ([format, 'messagepack'])),
  ['cbor', 'cbor'],
  ['cbor-records', 'cbor'],
  ...['avro', 'protobuf', 'bson', 'bebop', 'flatbuffers', 'capnproto', 'sia', 'jsbinary'].map((format) => /** @type {const} */ ([format, format])),
]);

/** The schemas of formats that need one, by dataset. Those of a format are loaded with its case. */
export const SCHEMAS = /** @type {Record<string, () => Promise<{ schemaOf: (dataset: string) => object }>>} */ ({
  avro: () => import('../../schemas/avro.js'),
  protobuf: () => import('../../schemas/protobuf.js'),
  flatbuffers: () => import('../../schemas/flatbuffers.js'),
  capnproto: () => import('../../schemas/capnproto.js'),
  bebop: () => import('../../schemas/bebop.js'),
  jsbinary: () => import('../../schemas/jsbinary.js'),
});

/** Formats that keep the times of trips as numbers. */
const TIMES_AS_NUMBERS = ['protobuf', 'flatbuffers', 'capnproto'];

/**
 * @param {Pick<import('../contender.js').Contender, 'id' | 'label' | 'result'> & { decoder?: object }} options `decoder`: the decoder's options
 * @returns {import('../contender.js').Contender}
 */
export function unspool({ id, label, result, decoder: decoderOptions = {} }) {
  return {
    id,
    label,
    kind: 'unspool',
    result,
    needsList: false,
    formats: [...FORMATS.keys()],
    async setup({ format: encoding, dataset, list, repeated, schema: own }) {
      const { createDecoder } = await import(LIBRARY);
      const format = String(FORMATS.get(encoding));
      const schema = own ?? (await SCHEMAS[format]?.())?.schemaOf(String(dataset));
      const decoder = createDecoder(decoderOptions);
      const options = { format, schema, as: result, transfer: !repeated };
      const needsDates = result === 'objects' && TIMES_AS_NUMBERS.includes(format) && own === undefined;
      return {
        decode: (buffer) => decoder.decode(buffer, options),
        // Of a small payload there is no need for slices.
        ...(needsDates && {
          plain: (/** @type {{ [list: string]: any }} */ value) => (repeated ? withDates(value, list) : withDatesInSlices(value, list)),
        }),
        close: () => decoder.close(),
      };
    },
  };
}
