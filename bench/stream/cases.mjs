// Cases of payloads that are used while they arrive: trips, orders and readings over a line of a given speed.

/**
 * @typedef {object} StreamCase
 * @property {string} name
 * @property {string} format an encoder's id
 * @property {'trips' | 'orders' | 'readings'} dataset dataset, and key of the list
 * @property {number} rows
 * @property {boolean} fresh whether each run has its own page, without a warm-up
 * @property {number} rate Mbit/s
 * @property {boolean} quick belongs to the short selection
 */

const FORMATS = ['json', 'messagepack', 'messagepack-records', 'avro', 'protobuf'];
const LINES = [
  { name: '1gbit', rate: 1000 },
  { name: '100mbit', rate: 100 },
];

/** @type {readonly StreamCase[]} */
export const STREAM_CASES = [
  ...FORMATS.map((format) => streamCase(format, 1_000_000, '1m', LINES[0])),
  ...FORMATS.slice(0, 2).map((format) => streamCase(format, 100_000, '100k', LINES[1])),
  ...FORMATS.slice(0, 2).map((format) => nestedCase(format, 'orders', 57_500)),
  ...FORMATS.slice(0, 2).map((format) => nestedCase(format, 'readings', 250_000)),
];

/**
 * @param {string} format
 * @param {number} rows
 * @param {string} size
 * @param {{ name: string, rate: number }} line
 */
function streamCase(format, rows, size, { name, rate }) {
  return {
    name: `stream-${size}-${name}/${format}`,
    dataset: /** @type {const} */ ('trips'),
    format,
    rows,
    rate,
    fresh: false,
    quick: rows === 100_000,
  };
}

/**
 * Nested records, 43 MB as MessagePack: orders of 750 bytes, or readings of 170.
 *
 * @param {string} format
 * @param {'orders' | 'readings'} dataset
 * @param {number} rows
 */
function nestedCase(format, dataset, rows) {
  const [{ name, rate }] = LINES;
  return { name: `stream-${dataset}-${name}/${format}`, dataset, format, rows, rate, fresh: true, quick: false };
}

/**
 * Payloads larger than memory, which are read slowly. The MessagePack payload exceeds 2³¹ bytes and ends in an invalid byte,
 * whose offset the error must report.
 *
 * @type {readonly { name: string, format: string, bytes: number }[]}
 */
export const FLAT_CASES = [
  { name: 'stream-1gb/json', format: 'json', bytes: 1e9 },
  { name: 'stream-2gb/messagepack', format: 'messagepack', bytes: 2.2e9 },
];
/** Milliseconds of work per batch. */
export const FLAT_STEP_MS = 1;
