import { BASELINE_FORMAT } from '../cases.mjs';
import { megabytes } from '../table.mjs';
import { FORMAT_NAMES } from './cases.mjs';
import { table } from './tables.mjs';

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

const TRIPS_WORDS = `The published trips are a public file with the same 13 columns as ours: compare ratios, not megabytes. In MessagePack and CBOR, half of the difference are our times, stored as text of 23 characters. In Bebop and Cap’n Proto, it is nearly all due to our two enums, which take one or two bytes where text takes 25 and 40 more per row.`;

const NUMBERS_WORDS = `Three doubles take 24 bytes. Our rows take 71 bytes in JSON, whose numbers have 16 or 17 digits, and 40 in BSON, plus the digits of each row’s index, which is its key.`;

/** Published sizes by dataset. */
const PUBLISHED = new Map([
  ['trips', { shares: new Map([...TRIPS_MB].map(([format, mb]) => [format, mb / Number(TRIPS_MB.get('json'))])), words: TRIPS_WORDS }],
  ['numbers', { shares: NUMBERS_SHARE, words: NUMBERS_WORDS }],
]);

/** @typedef {import('./sizes.mjs').Size} Size */

/**
 * A table of sizes for each dataset, next to published ones.
 *
 * @param {readonly Size[]} sizes
 */
export function sizeTables(sizes) {
  const datasets = [...new Set(sizes.map(({ group }) => datasetOf(group)))];
  const tables = datasets.map((dataset) =>
    datasetTable(
      dataset,
      sizes.filter(({ group }) => datasetOf(group) === dataset),
    ),
  );
  return [
    ...tables,
    'Megabytes; gzip uses level 6, Brotli level 5, as servers do for dynamic responses; × JSON is that of the largest payload.',
  ].join('\n\n');
}

/** @param {string} group */
const datasetOf = (group) => [...PUBLISHED.keys()].find((dataset) => group.startsWith(`${dataset}-`)) ?? group;

/**
 * @param {string} dataset
 * @param {readonly Size[]} sizes
 */
function datasetTable(dataset, sizes) {
  const groups = [...new Set(sizes.map(({ group }) => group))];
  const isCompressed = new Set(sizes.filter(({ gzip }) => gzip !== null).map(({ group }) => group));
  const published = PUBLISHED.get(dataset);
  const sizedIn = (/** @type {string} */ group, /** @type {string} */ format) =>
    sizes.find((sized) => sized.group === group && sized.format === format);
  const head = groups.flatMap((group) => (isCompressed.has(group) ? [group, 'gzip', 'Brotli'] : [group]));
  const rows = [...FORMAT_NAMES].flatMap(([format, name]) => {
    const own = groups.map((group) => sizedIn(group, format));
    if (own.every((sized) => sized === undefined)) return [];
    const cells = groups.flatMap((group, index) => {
      const sized = own[index];
      return [
        megabytes(sized?.bytes ?? null),
        ...(isCompressed.has(group) ? [megabytes(sized?.gzip ?? null), megabytes(sized?.brotli ?? null)] : []),
      ];
    });
    const last = groups.at(-1) ?? '';
    const share = Number(sizedIn(last, format)?.bytes) / Number(sizedIn(last, BASELINE_FORMAT)?.bytes);
    return [[name, ...cells, Number.isNaN(share) ? '' : share.toFixed(2), ...(published ? [published.shares.get(format)?.toFixed(2) ?? ''] : [])]];
  });
  return `${table(['format', ...head, '× JSON', ...(published ? ['published, × JSON'] : [])], rows)}${published ? `\n\n${published.words}` : ''}`;
}
