import { namedOnce } from '../bakeoff/tables.mjs';
import { median } from '../statistics.mjs';
import { FORMAT_NAMES } from './cases.mjs';
import { caseNames, ratioToJson } from './figures.mjs';
import { markdown } from '../documents/figures.mjs';

/** @typedef {import('./measure.mjs').EncodeResult} EncodeResult */

/**
 * @typedef {object} Published
 * @property {string} source
 * @property {[format: string, contender: string, ratio: number][]} figures time ÷ that of JSON
 * @property {string} group the group of ours that corresponds to it
 * @property {string} words how it differs from ours
 */

/** Published figures of encoding in Node: the time ÷ that of JSON in the same table. @type {readonly Published[]} */
const PUBLISHED = [
  {
    // https://adamfaulkner.github.io/serialization_from_nodejs.html
    source: 'Serialization from NodeJS, 2025: 100,000 public bike trips',
    figures: [
      ['messagepack', 'msgpackr', 713 / 1440.67],
      ['cbor', 'cbor-x', 716.65 / 1440.67],
      ['avro', 'avsc', 586.67 / 1440.67],
      ['protobuf', 'pbf', 563.33 / 1440.67],
      ['protobuf', 'protobufjs-static', 5532.67 / 1440.67],
      ['bebop', 'bebop', 2700.67 / 1440.67],
      ['flatbuffers', 'flatbuffers', 3723 / 1440.67],
    ],
    group: 'trips-100000',
    words: 'counts what its application makes for a serialiser as part of the time. Ours does so only for libraries that take no plain objects.',
  },
  {
    // https://github.com/Adelost/javascript-serialization-benchmark
    source: 'Binary serialization comparison in JavaScript, 2020: lists of three numbers',
    figures: [
      ['avro', 'avsc', 1 / 10],
      ['jsbinary', 'js-binary', 1 / 2],
      ['protobuf', 'protons', 1 / 2],
      ['protobuf', 'pbf', 1 / 1.2],
      ['protobuf', 'protobufjs-reflection', 1 / 0.75],
      ['protobuf', 'google-protobuf', 1 / 0.4],
      ['bson', 'bson', 1 / 0.5],
    ],
    group: 'numbers-100000',
    words: 'measures numbers; ours are the 100,000 rows of three doubles. `protons` of that time is another library than today’s of the same name.',
  },
  {
    // node_modules/msgpackr/README.md
    source: 'msgpackr’s table: a document of clinical research, Node 15',
    figures: [
      ['messagepack', 'msgpackr', 16_313 / 33_940],
      ['messagepack-records', 'msgpackr', 16_313 / 38_072],
      ['messagepack', 'msgpack-msgpack', 16_313 / 20_607],
      ['messagepack', 'notepack', 16_313 / 13_081],
      ['messagepack', 'msgpack-lite', 16_313 / 6253],
      ['avro', 'avsc', 16_313 / 17_842],
    ],
    group: 'trips-100000',
    words: 'encodes one document of some kilobytes again and again.',
  },
  {
    // https://sia.timeleap.swiss/docs/advanced/benchmarks
    source: 'Sia’s table: small user objects',
    figures: [
      ['sia', 'sializer', 480 / 1850],
      ['protobuf', 'protobufjs-static', 480 / 720],
      ['messagepack', 'msgpackr', 480 / 650],
    ],
    group: 'trips-3',
    words:
      'is of its second version, whose users write each field by a call of their own and whose bytes have no keys; version 1, which we measure, walks any value.',
  },
];

/**
 * Compares published figures with ours, as far as these were measured.
 *
 * @param {readonly EncodeResult[]} results
 */
export function publishedEncoding(results) {
  const measured = PUBLISHED.map((published) => ({ ...published, rows: publishedRows(published, results) })).filter(({ rows }) => rows.length > 0);
  const table = markdown([
    ['published', 'format', 'library', '÷ JSON, published', 'ours', 'Unspool'],
    ...namedOnce(measured.flatMap(({ rows }) => rows)),
  ]);
  const notes = measured.map(({ source, words }) => `*${source.split(/[,:]/, 1)[0]}* ${words}`);
  return `${table}\n\nThe time of the library ÷ that of JSON in the same table; ours are from Node. ${notes.join(' ')}`;
}

/**
 * @param {Published} published
 * @param {readonly EncodeResult[]} results
 */
function publishedRows({ source, figures, group }, results) {
  const inNode = results.filter((result) => result.place === 'node' && caseNames(result).group === group);
  return figures.flatMap(([format, contender, ratio]) => {
    const own = inNode.find((result) => caseNames(result).format === format && result.contender === contender);
    if (!own) return [];
    const unspool = inNode.find((result) => result.case === own.case && result.contender === 'unspool');
    const ratios = [ratioToJson(own), unspool && ratioToJson(unspool)].map((figure) => figure?.median.toFixed(2) ?? '–');
    return [[source, String(FORMAT_NAMES.get(format)), contender, ratio.toFixed(2), ...ratios]];
  });
}

/**
 * The findings, with the share of garbage collection from the results.
 *
 * @param {readonly EncodeResult[]} results
 */
export function findings(results) {
  const share = (/** @type {(result: EncodeResult) => boolean} */ of) => {
    const found = results.filter((result) => result.place === 'node' && caseNames(result).group === 'trips-100000' && of(result));
    const shares = found.flatMap(({ samples }) => samples.flatMap(({ ms, gcMs }) => (gcMs == null ? [] : [gcMs / ms])));
    const middle = median(shares);
    return middle === null ? 'not measured here' : `${(middle * 100).toFixed(0)} %`;
  };
  const withMessages = ['bufbuild', 'google-protobuf'];
  return `- Computing the length first takes a pass over all strings and numbers: 31 of the 50 ms that writing took in a prototype. Chunks that are never copied took 78 ms with a peak of the output alone; one array joined from them, 108 ms and twice the memory; a buffer that doubles, 159 to 176 ms and three times. Streams, \`writev\` and a Blob take chunks too, so the library writes chunks, and joins them only where one array is asked for.
- Libraries that write only objects of their own have these made within the time (@bufbuild/protobuf with bigints, google-protobuf, the offsets of FlatBuffers and Cap’n Proto). The collector’s share of the time in Node, medians: of these libraries ${share(({ contender }) => withMessages.includes(contender))}, of the others ${share((result) => contenderOfKind(result, 'library') && !withMessages.includes(result.contender))}, of Unspool ${share(({ contender }) => contender === 'unspool')}. Garbage of Unspool’s writers is the chunks, and for JSON the engine’s text of some records at a time.`;
}

/** @param {EncodeResult} result @param {string} kind */
function contenderOfKind({ contender }, kind) {
  return kind === 'library' && !contender.startsWith('unspool') && contender !== 'json-stringify';
}
