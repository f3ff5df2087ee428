import { size } from '../table.mjs';
import { FORMAT_NAMES } from './cases.mjs';

/** Megabytes of a million trips, as a comparison of these formats has published for its own trips with 13 columns. */
const TRIPS_MB = new Map([
  ['json', 340.5],
  ['messagepack', 275.1],
  ['cbor', 275.5],
  ['avro', 129.2],
  ['protobuf', 137],
  ['bebop', 164.2],
  ['flatbuffers', 186.3],
  ['capnproto', 223.7],
]);

/** Published sizes of the numbers as a share of their JSON form. */
const NUMBERS_SHARE = new Map([
  ['avro', 0.32],
  ['jsbinary', 0.32],
  ['protobuf', 0.42],
  ['bson', 0.79],
]);

const TRIPS_WORDS = `The trips differ: the published ones are a public file, ours are generated with the same columns. The ratios to JSON are therefore more meaningful than the megabytes. Our trips store each time as text of 23 characters in JSON, MessagePack and CBOR; as numbers of 13 digits or 9 bytes, the two times of a row would take 24 bytes less in JSON and 32 less in the others, which explains half of the difference. Formats with a schema store times as numbers in both, and our sizes are 5 % below the published ones (Avro, Protocol Buffers, FlatBuffers). In Bebop and Cap’n Proto our sizes are smaller by a sixth and more, because each of the two enums takes one or two bytes; as text, they would take 25 more bytes per row in Bebop and 40 in Cap’n Proto, which is nearly the whole difference.`;

const NUMBERS_WORDS = `Three doubles take 24 bytes; the rest is overhead of the format. Our rows take 71 bytes in JSON, with 16 or 17 digits per number, which determines the ratios. BSON takes 40 bytes per row, plus the digits of the row’s index, which is its key.`;

/**
 * Compares our sizes with the published ones.
 *
 * @param {readonly import('./sizes.mjs').Size[]} sizes
 * @param {{ trips: string, numbers: string }} groups
 */
export function publishedSizes(sizes, groups) {
  const of = (/** @type {string} */ group, /** @type {string} */ format) =>
    sizes.find((sized) => sized.group === group && sized.format === format)?.bytes;
  const trips = groupOr(sizes, groups.trips, 'trips-100k');
  const json = of(trips, 'json');
  const lines = [
    '| format | published, 1M trips | × JSON | ours | × JSON | our ratio ÷ published |',
    '|---|---|---|---|---|---|',
    ...[...TRIPS_MB].flatMap(([format, published]) => {
      const own = of(trips, format);
      if (own === undefined || json === undefined) return [];
      const share = published / Number(TRIPS_MB.get('json'));
      const ownShare = own / json;
      return [
        `| ${FORMAT_NAMES.get(format)} | ${published} MB | ${share.toFixed(2)} | ${size(own)} | ${ownShare.toFixed(2)} | ${(ownShare / share).toFixed(2)} |`,
      ];
    }),
    '',
    TRIPS_WORDS,
  ];
  const numbers = sizes.map(({ group }) => group).find((group) => group === groups.numbers || group.startsWith('numbers'));
  const numbersJson = numbers === undefined ? undefined : of(numbers, 'json');
  if (numbers === undefined || numbersJson === undefined) return lines.join('\n');
  return [
    ...lines,
    '',
    `| numbers | published, × JSON | ours, × JSON |`,
    '|---|---|---|',
    ...[...NUMBERS_SHARE].flatMap(([format, published]) => {
      const own = of(numbers, format);
      return own === undefined ? [] : [`| ${FORMAT_NAMES.get(format)} | ${published.toFixed(2)} | ${(own / numbersJson).toFixed(2)} |`];
    }),
    '',
    NUMBERS_WORDS,
  ].join('\n');
}

/**
 * @param {readonly import('./sizes.mjs').Size[]} sizes
 * @param {string} group
 * @param {string} otherwise
 */
function groupOr(sizes, group, otherwise) {
  return sizes.some((sized) => sized.group === group) ? group : otherwise;
}
