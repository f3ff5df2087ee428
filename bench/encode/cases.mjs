// Cases of encoding: the same values in every format, encoded by every library of the format.
import { ENCODING_FIELD } from './contenders/field.js';

/** Name of each format by id, in the order of the tables. */
export const FORMAT_NAMES = new Map([
  ['json', 'JSON'],
  ['messagepack', 'MessagePack, maps'],
  ['messagepack-records', 'MessagePack, records'],
  ['messagepack-bundled', 'MessagePack, records and bundled strings'],
  ['cbor', 'CBOR, maps'],
  ['cbor-records', 'CBOR, records'],
  ['avro', 'Avro'],
  ['protobuf', 'Protocol Buffers'],
  ['bebop', 'Bebop'],
  ['sia', 'Sia'],
  ['bson', 'BSON'],
  ['jsbinary', 'js-binary'],
  ['flatbuffers', 'FlatBuffers'],
  ['capnproto', 'Cap’n Proto'],
]);

export const ENCODE_FORMATS = [...FORMAT_NAMES.keys()];

/** Formats without a schema, which can hold any document. */
const SCHEMALESS = ['json', 'messagepack', 'messagepack-records', 'cbor', 'cbor-records', 'bson', 'sia'];

/** Rows of trips. */
export const SIZES = [3, 1000, 100_000, 1_000_000];
const QUICK_SIZES = [3, 100_000];
/** Fewer rows than this are a small call. */
const LARGE = 10_000;
const NUMBERS = 100_000;
/** Documents of many shapes. */
const CHOSEN = ['twitter', 'github_events', 'citm_catalog', 'canada', 'gsoc-2018', 'movies'];

/** Contenders measured on a million trips without `--full`: the fastest or best known of each format. */
const MAIN = [
  'json-stringify',
  'msgpackr',
  'msgpack-msgpack',
  'cbor-x',
  'avsc6',
  'pbf',
  'protobufjs-static',
  'bson',
  'bebop',
  'flatbuffers',
  'sializer',
  'js-binary',
  'unspool',
  'unspool-slices',
];

/** Contenders that write a stream without keeping its bytes, and their only group. */
export const STREAMS = ['unspool-stream', 'unspool-stream-items'];
const MAX_STREAM_LENGTH = 'trips-1000000';

/**
 * @typedef {object} EncodeCase
 * @property {string} name `group/format`
 * @property {string} group shared by all formats of one value
 * @property {string} format
 * @property {'once' | 'calls'} mode one encode of a large value, or the time of a small call among many
 * @property {'trips' | 'numbers' | 'document'} dataset
 * @property {string | null} list the key of the long list in the root value
 * @property {number | null} rows
 * @property {number} runs
 * @property {boolean} quick belongs to the short selection
 */

/**
 * @param {'trips' | 'numbers'} dataset
 * @param {number} rows
 * @returns {EncodeCase[]}
 */
function listCases(dataset, rows) {
  const isSmall = rows < LARGE;
  const group = `${dataset}-${rows}`;
  return ENCODE_FORMATS.map((format) => ({
    name: `${group}/${format}`,
    group,
    format,
    mode: isSmall ? 'calls' : 'once',
    dataset,
    list: dataset === 'trips' ? 'trips' : 'items',
    rows,
    runs: rows >= 1_000_000 ? 3 : 7,
    quick: dataset === 'trips' && QUICK_SIZES.includes(rows),
  }));
}

/**
 * @param {string} document
 * @returns {EncodeCase[]}
 */
function documentCases(document) {
  return SCHEMALESS.map((format) => ({
    name: `${document}/${format}`,
    group: document,
    format,
    mode: 'once',
    dataset: 'document',
    list: null,
    rows: null,
    runs: 11,
    quick: false,
  }));
}

/**
 * Selects cases with their contenders. The baseline is measured with each of them, and is a contender of
 * JSON as well.
 *
 * @param {Pick<import('../options.mjs').Options, 'quick' | 'full' | 'only' | 'sizes' | 'formats' | 'contenderNames'>} choice
 */
export function selectEncoding({ quick, full, only, sizes, formats, contenderNames }) {
  const rows = sizes ?? (quick ? QUICK_SIZES : SIZES);
  const lists = [...rows.flatMap((count) => listCases('trips', count)), ...(sizes ? [] : listCases('numbers', NUMBERS))];
  const all = [...lists, ...(sizes ? [] : CHOSEN.flatMap(documentCases))];
  return all
    .filter(({ group, quick: isQuick }) => (only.length > 0 ? only.some((part) => group.includes(part)) : isQuick || !quick))
    .filter(({ format }) => formats?.includes(format) ?? true)
    .map((encodeCase) => ({
      encodeCase,
      contenders: ENCODING_FIELD.filter(({ id, formats: own }) => {
        if (!own.includes(encodeCase.format)) return false;
        if (contenderNames.length > 0) return contenderNames.some((part) => id.includes(part));
        // These measure the memory of a long stream.
        if (STREAMS.includes(id) && encodeCase.group !== MAX_STREAM_LENGTH) return false;
        // A small call always returns one array.
        if (encodeCase.mode === 'calls' && id === 'unspool-array') return false;
        return full || Number(encodeCase.rows) < 1_000_000 || MAIN.includes(id) || STREAMS.includes(id);
      }),
    }))
    .filter(({ contenders }) => contenders.length > 0);
}
