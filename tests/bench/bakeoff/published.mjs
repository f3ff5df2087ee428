import { size } from '../table.mjs';
import { FORMAT_NAMES } from './cases.mjs';

/** Megabytes of a million trips, as a comparison of these formats has published them for its own trips of 13 columns. */
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

/** Of the numbers, the share of the JSON form. */
const NUMBERS_SHARE = new Map([
  ['avro', 0.32],
  ['jsbinary', 0.32],
  ['protobuf', 0.42],
  ['bson', 0.79],
]);

const TRIPS_WORDS = `Ours are not the same trips: the published ones are a public file, ours are generated with its columns, and in JSON ours take more. So the shares of JSON are what can be compared. Ours keep the 23 characters of each time as text in JSON, MessagePack and CBOR, and as an 8-byte or shorter number in the formats with a schema; enums are one byte there. Latitudes and longitudes are doubles everywhere.`;

const NUMBERS_WORDS = `Three doubles take 24 bytes; what is more is the format's own. In JSON ours take about 17 digits each, so the share of a binary form is about that of any such numbers.`;

/**
 * Our sizes beside the published ones.
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
    '| | published, 1M trips | × JSON | ours | × JSON | ours / published, of the shares |',
    '|---|---|---|---|---|---|',
    ...[...TRIPS_MB].flatMap(([format, published]) => {
      const own = of(trips, format);
      if (own === undefined || json === undefined) return [];
      const share = published / Number(TRIPS_MB.get('json'));
      const ownShare = own / json;
      return [`| ${FORMAT_NAMES.get(format)} | ${published} MB | ${share.toFixed(2)} | ${size(own)} | ${ownShare.toFixed(2)} | ${(ownShare / share).toFixed(2)} |`];
    }),
    '',
    TRIPS_WORDS,
  ];
  const numbers = [...new Set(sizes.map(({ group }) => group))].find((group) => group.startsWith('numbers'));
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
