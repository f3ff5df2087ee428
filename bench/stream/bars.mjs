// Bars for payloads that are used while they arrive.
import { FLAT_CASES, STREAM_CASES } from './cases.mjs';

/** @typedef {import('./run.mjs').StreamResult} StreamResult */
/** @typedef {import('../table.mjs').Bar} Bar */

const FIRST_MS = 100;
const READY_MS = 50;
/** Decoding JSON takes nearly as long as its download. */
const READY_JSON_MS = 200;
const MAX_BLOCK_MS = 16;
const FLAT_BYTES = 150e6;
/** The line and the number of rows that have bars. */
const LINE = { rate: 1000, rows: 1_000_000 };

/** Limit for nested records on a fresh page. */
const ORDERS_MS = 100;
const ORDERS_FORMAT = 'messagepack';
const ORDERS_MEASURED = ['unspool-batches', 'unspool-rows'];

/** Result of each of our contenders. */
const MEASURED = new Map([
  ['unspool-rows', 'Rows'],
  ['unspool-batches', 'batches'],
  ['unspool-batches-rows', 'batches as Rows'],
  ['unspool-batches-columns', 'batches as columns'],
]);

/**
 * @param {readonly StreamResult[]} results
 * @returns {Bar[]} as far as there are figures
 */
export function checkStreamBars(results) {
  return results.flatMap((result) => {
    if (FLAT_CASES.some(({ name }) => name === result.case)) {
      return [
        ...bar(result, 'memory of the page', result.pageBytes, FLAT_BYTES, 'B'),
        ...bar(result, 'memory of the worker', result.workerBytes, FLAT_BYTES, 'B'),
      ];
    }
    const streamCase = STREAM_CASES.find(({ name }) => name === result.case);
    const what = MEASURED.get(result.contender);
    if (streamCase === undefined || what === undefined) return [];
    if (streamCase.dataset === 'orders') return isOrdersBar(result, streamCase) ? ordersBars(result, what) : [];
    if (streamCase.rate !== LINE.rate || streamCase.rows !== LINE.rows) return [];
    return [
      ...bar(result, `${what}: first rows after the first byte`, result.firstMs, FIRST_MS),
      ...bar(result, `${what}: all rows after the last byte`, result.readyMs, streamCase.format === 'json' ? READY_JSON_MS : READY_MS),
      ...bar(result, `${what}: longest block`, result.longestBlockMs, MAX_BLOCK_MS),
    ];
  });
}

/** @param {StreamResult} result @param {import('./cases.mjs').StreamCase} streamCase */
function isOrdersBar({ contender }, { format }) {
  return format === ORDERS_FORMAT && ORDERS_MEASURED.includes(contender);
}

/** @param {StreamResult} result @param {string} what */
function ordersBars(result, what) {
  return [
    ...bar(result, `${what}: first rows after the first byte`, result.firstMs, ORDERS_MS),
    ...bar(result, `${what}: all rows after the last byte`, result.readyMs, ORDERS_MS),
    ...bar(result, `${what}: longest block`, result.longestBlockMs, MAX_BLOCK_MS),
  ];
}

/**
 * @param {StreamResult} result
 * @param {string} name
 * @param {number | undefined} value
 * @param {number} limit
 * @param {string} unit
 * @returns {Bar[]}
 */
function bar(result, name, value, limit, unit = 'ms') {
  return value === undefined ? [] : [{ case: result.case, name, value, limit, unit, met: value <= limit }];
}
