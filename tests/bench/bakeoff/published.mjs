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

const TRIPS_WORDS = `The trips are not the same ones: the published are a public file, ours are generated with its columns, so the shares of JSON say more than the megabytes. What differs, and why: in JSON, MessagePack and CBOR ours keep each time as text of 23 characters; as numbers of 13 digits or 9 bytes the two of a row would take 24 bytes less in JSON and 32 less in the others, which is half of the difference. Formats with a schema have them as numbers in both, and there ours are 5 % below the published (Avro, Protocol Buffers, FlatBuffers). In Bebop and Cap’n Proto ours are smaller by a sixth and more, since each of the two enums takes one byte, or two; as text both would take 25 bytes more a row in Bebop and 40 in Cap’n Proto, which is nearly the difference.`;

const NUMBERS_WORDS = `Three doubles take 24 bytes; what is more is the format’s own. Ours take 71 bytes a row in JSON, with 16 or 17 digits each, and the shares follow from that. BSON takes 40 bytes a row and the digits of its index, which is its key.`;

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
