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

/**
 * Limits for nested records on a fresh page, by dataset and contender.
 *
 * @type {Readonly<Record<string, Readonly<Record<string, { firstMs: number, readyMs: number }>>>>}
 */
const NESTED = {
  orders: { 'unspool-batches': { firstMs: 100, readyMs: 100 }, 'unspool-rows': { firstMs: 100, readyMs: 100 } },
  readings: { 'unspool-batches': { firstMs: 100, readyMs: 200 }, 'unspool-rows': { firstMs: 100, readyMs: 80 } },
};
const NESTED_FORMAT = 'messagepack';

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
    const nested = NESTED[streamCase.dataset];
    if (nested) {
      const limits = nested[result.contender];
      return limits && streamCase.format === NESTED_FORMAT ? barsOf(result, what, limits) : [];
    }
    if (streamCase.rate !== LINE.rate || streamCase.rows !== LINE.rows) return [];
    return barsOf(result, what, { firstMs: FIRST_MS, readyMs: streamCase.format === 'json' ? READY_JSON_MS : READY_MS });
  });
}

/** @param {StreamResult} result @param {string} what @param {{ firstMs: number, readyMs: number }} limits */
function barsOf(result, what, { firstMs, readyMs }) {
  return [
    ...bar(result, `${what}: first rows after the first byte`, result.firstMs, firstMs),
    ...bar(result, `${what}: all rows after the last byte`, result.readyMs, readyMs),
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
