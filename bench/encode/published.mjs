import { median } from '../statistics.mjs';
import { FORMAT_NAMES } from './cases.mjs';
import { caseNames, ratioToJson } from './figures.mjs';
import { markdown } from '../documents/figures.mjs';

/** @typedef {import('./measure.mjs').EncodeResult} EncodeResult */

/**
 * @typedef {object} Published
 * @property {string} source
 * @property {[format: string, contender: string, ratio: number][]} figures time ÷ that of JSON
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
  },
  {
    // https://sia.timeleap.swiss/docs/advanced/benchmarks
    source: 'Sia’s table: small user objects',
    figures: [
      ['sia', 'sializer', 480 / 1850],
      ['protobuf', 'protobufjs-static', 480 / 720],
      ['messagepack', 'msgpackr', 480 / 650],
    ],
  },
];

/** The group of ours that corresponds to each published table. */
const GROUPS = ['trips-100000', 'numbers-100000', 'trips-100000', 'trips-3'];

const WORDS = `Published figures are the time of the library ÷ that of JSON in the same table; ours are from Node. Where they differ:

- *Serialization from NodeJS* counts what its application makes for a serialiser as part of the time. Our libraries get plain objects that were made before the time begins, where they take plain objects. Its author found almost all of the time in the garbage collector before such objects went; the figures above are those after that.
- The comparison of 2020 measures numbers; ours are the 100,000 rows of three doubles. Engines and libraries have changed since then. \`protons\` of that time is another library than today’s of the same name, which is the one measured here.
- msgpackr’s table encodes one document of some kilobytes again and again. Its native addition is for reading alone.
- Sia’s table is of its second version, whose users write each field by a call of their own and whose bytes have no keys; version 1, which we measure, walks any value.`;

/**
 * Compares published figures with ours.
 *
 * @param {readonly EncodeResult[]} results
 */
export function publishedEncoding(results) {
  const rows = PUBLISHED.flatMap(({ source, figures }, index) =>
    figures.map(([format, contender, ratio]) => {
      const own = results.find((result) => {
        const names = caseNames(result);
        return names.group === GROUPS[index] && names.format === format && result.contender === contender && result.place === 'node';
      });
      const unspool = results.find((result) => own && result.case === own.case && result.place === 'node' && result.contender === 'unspool');
      const ours = own && ratioToJson(own)?.median;
      const best = unspool && ratioToJson(unspool)?.median;
      return [source, String(FORMAT_NAMES.get(format)), contender, ratio.toFixed(2), ours?.toFixed(2) ?? '–', best?.toFixed(2) ?? '–'];
    }),
  );
  return `${markdown([['published', 'format', 'library', '÷ JSON, published', 'ours', 'Unspool'], ...rows])}\n\n${WORDS}`;
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
  return `- **“Compute the length first”** costs a pass over all strings and numbers: 31 of the 50 ms that writing took in a prototype. Chunks that are never copied took 78 ms with a peak of the output alone, one array joined from them 108 ms and twice the memory, a buffer that doubles 159 to 176 ms and three times. Chunks are also what a stream, \`writev\` and a Blob take, so the library writes chunks, and joins them only where one array is asked for (“one array” in the tables).
- **Objects that are made only for the serialiser** are part of the time where a library writes nothing else (@bufbuild/protobuf with bigints, google-protobuf, and the offsets of FlatBuffers and Cap’n Proto). Time in the garbage collector, as a share of the time in Node, medians: of these libraries ${share(({ contender }) => withMessages.includes(contender))}, of the others ${share((result) => contenderOfKind(result, 'library') && !withMessages.includes(result.contender))}, of Unspool ${share(({ contender }) => contender === 'unspool')}.
- **Garbage** of Unspool's writers is the chunks, and for JSON the engine’s text of some records at a time.`;
}

/** @param {EncodeResult} result @param {string} kind */
function contenderOfKind({ contender }, kind) {
  return kind === 'library' && !contender.startsWith('unspool') && contender !== 'json-stringify';
}
