// Cases of the bake-off: the same values in every format, decoded by every library of the format.
import { encodings } from '../../demo/server/encodings.mjs';
import { CONTENDERS } from '../contenders/index.js';
import { FIELD } from '../contenders/field.js';
import { isBaseline, WARM_UP_ROWS } from '../cases.mjs';

/** @typedef {import('../cases.mjs').Case} Case */
/** @typedef {import('../contenders/contender.js').Contender} Contender */

/** Name of each format by id, in the order of the tables. */
export const FORMAT_NAMES = new Map([
  ['json', 'JSON'],
  ['messagepack', 'MessagePack'],
  ['cbor', 'CBOR'],
  ['avro', 'Avro'],
  ['protobuf', 'Protocol Buffers'],
  ['bson', 'BSON'],
  ['bebop', 'Bebop'],
  ['flatbuffers', 'FlatBuffers'],
  ['capnproto', 'Cap’n Proto'],
  ['sia', 'Sia'],
  ['jsbinary', 'js-binary'],
]);

/** The formats with an encoder. */
export const FORMATS = [...FORMAT_NAMES.keys()].filter((format) => encodings.has(format));

/** Formats without a schema, which can hold any document. */
const SCHEMALESS = ['json', 'messagepack', 'cbor', 'bson', 'sia'];

/** All decoders but those that clone from a worker, which `npm run bench` without a mode measures. */
export const BAKEOFF_CONTENDERS = [
  ...CONTENDERS.filter(({ kind }) => kind === 'main'),
  ...FIELD,
  ...CONTENDERS.filter(({ id }) => id === 'unspool-rows' || id === 'unspool-objects'),
];

/** Contenders measured on a million trips without `--full`: the fastest or best known of each format. */
const MAIN = [
  'json-parse',
  'unspool-rows',
  'unspool-objects',
  'msgpackr',
  'cbor-x',
  'avsc',
  'bufbuild',
  'pbf',
  'protobufjs-static',
  'bson',
  'bebop',
  'flatbuffers',
  'capnp-es',
  'sializer',
  'js-binary',
];

const TRIPS = [
  { name: '1k', rows: 1000 },
  { name: '10k', rows: 10_000 },
  { name: '100k', rows: 100_000 },
  { name: '1m', rows: 1_000_000 },
];

/** Named by the size of their JSON form. */
const NUMBERS = [
  { name: '0.1mb', rows: 1400 },
  { name: '1mb', rows: 14_000 },
  { name: '10mb', rows: 140_000 },
  { name: '100mb', rows: 1_410_000 },
  { name: '372mb', rows: 5_250_000 },
];

/** Small payloads, of which one call among many is measured. */
const CALLS = [
  { name: '3', rows: 3 },
  { name: '8', rows: 8 },
];

const DOCUMENTS = ['vega-datasets/movies', 'vega-datasets/flights-200k', 'vega-datasets/miserables', 'world-atlas/countries-50m'];
/** Documents whose root is a list, which BSON cannot encode. */
const LISTS = ['vega-datasets/movies', 'vega-datasets/flights-200k'];

/** A group whose sizes are measured even if its times are not, for the comparison with published ones. */
export const SIZED_GROUP = 'numbers-10mb';

/** @type {readonly Case[]} */
export const BAKEOFF_CASES = [
  ...TRIPS.flatMap((size) => listCases('trips', 'trips', size)),
  ...NUMBERS.flatMap((size) => listCases('numbers', 'items', size)),
  ...DOCUMENTS.flatMap(documentCases),
  ...CALLS.flatMap((size) => listCases('trips', 'trips', size)).map((benchCase) => ({
    ...benchCase,
    mode: /** @type {const} */ ('calls'),
    runs: 5,
    quick: true,
  })),
];

/**
 * @param {string} dataset
 * @param {string} list
 * @param {{ name: string, rows: number }} size
 * @returns {Case[]}
 */
function listCases(dataset, list, { name, rows }) {
  const group = `${dataset}-${name}`;
  return FORMATS.filter((format) => encodings.get(format)?.datasets?.includes(dataset) ?? true).map((format) => ({
    name: `${group}/${format}`,
    group,
    format,
    mode: 'once',
    list,
    rows,
    query: { dataset, format, rows },
    warmUpQuery: { dataset, format, rows: Math.min(rows, WARM_UP_ROWS) },
    warmUps: 2,
    runs: 3,
    canonical: true,
    quick: dataset === 'trips' && rows >= 100_000,
  }));
}

/**
 * @param {string} document
 * @returns {Case[]}
 */
function documentCases(document) {
  const group = document.slice(document.indexOf('/') + 1);
  const formats = SCHEMALESS.filter((format) => format !== 'bson' || !LISTS.includes(document));
  return formats.map((format) => {
    const query = { dataset: 'irregular', document, format };
    return {
      name: `${group}/${format}`,
      group,
      format,
      mode: 'once',
      list: null,
      rows: null,
      query,
      warmUpQuery: query,
      warmUps: 5,
      runs: 3,
      quick: false,
    };
  });
}

/**
 * @param {{ names: readonly string[], contenderNames: readonly string[], full: boolean }} choice
 * @returns {{ benchCase: Case, contenders: Contender[] }[]}
 */
export function selectBakeoff({ names, contenderNames, full }) {
  const isChosen = (/** @type {Case} */ { name, quick }) => (names.length > 0 ? names.some((part) => name.includes(part)) : full || quick);
  const groups = new Set(BAKEOFF_CASES.filter(isChosen).map(({ group }) => group));
  return BAKEOFF_CASES.filter(({ group }) => groups.has(group)).flatMap((benchCase) => {
    const contenders = BAKEOFF_CONTENDERS.filter(({ id, formats, kind, result }) => {
      if (!formats.includes(benchCase.format)) return false;
      // A small call ends with plain objects.
      if (benchCase.mode === 'calls' && kind === 'unspool' && result === 'rows') return false;
      if (isBaseline(benchCase.format, id)) return true;
      if (!isChosen(benchCase)) return false;
      if (contenderNames.length > 0) return contenderNames.some((part) => id.includes(part));
      return full || names.length > 0 || Number(benchCase.rows) < 1_000_000 || MAIN.includes(id);
    });
    return contenders.length > 0 ? [{ benchCase, contenders }] : [];
  });
}
