// What is measured of payloads that are used while they come: trips and orders over a line of a given speed.

/**
 * @typedef {object} StreamCase
 * @property {string} name
 * @property {string} format an encoder's id
 * @property {'trips' | 'orders'} dataset also the key of the list
 * @property {number} rows
 * @property {boolean} fresh whether each run has a page of its own, which has decoded nothing before
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
  ...FORMATS.slice(0, 2).map(ordersCase),
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
 * Nested records. As MessagePack they have 43 MB.
 *
 * @param {string} format
 */
function ordersCase(format) {
  const [{ name, rate }] = LINES;
  return { name: `stream-orders-${name}/${format}`, dataset: /** @type {const} */ ('orders'), format, rows: 57_500, rate, fresh: true, quick: false };
}

/**
 * Payloads larger than memory wants, that are taken slowly. The one of MessagePack passes 2³¹ bytes and ends in an error,
 * whose offset must be right.
 *
 * @type {readonly { name: string, format: string, bytes: number }[]}
 */
export const FLAT_CASES = [
  { name: 'stream-1gb/json', format: 'json', bytes: 1e9 },
  { name: 'stream-2gb/messagepack', format: 'messagepack', bytes: 2.2e9 },
];
/** What a loop does with a batch, in milliseconds. */
export const FLAT_STEP_MS = 1;
