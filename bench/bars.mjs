import { CASES } from './cases.mjs';
import { baselineOf, caseOf, fastestMain, ratio } from './ratios.mjs';

/** @typedef {import('./statistics.mjs').Result} Result */

/**
 * @typedef {object} Bar
 * @property {string} case
 * @property {string} name the two things compared
 * @property {number} value
 * @property {number} limit
 * @property {string} unit
 * @property {boolean} met
 */

/** Fewest rows to which the bars for large payloads apply. */
const LARGE_ROWS = 100_000;
const LONGEST_BLOCK_MS = 16;
/** Resolution of the ticker: see NOTES. */
const RESOLUTION_MS = 1;
/** Limit for the cost of a row divided by its cost at the next smaller size: allows for noise. */
const LINEAR = 1.25;

/**
 * Checks the performance bars for which the results contain figures.
 *
 * @param {readonly Result[]} results
 * @returns {Bar[]}
 */
export function checkBars(results) {
  return results.flatMap((result) => {
    const { mode, rows, list } = caseOf(result);
    if (result.contender !== 'unspool-rows' && result.contender !== 'unspool-objects') return [];
    if (mode === 'calls') return smallCalls(results, result);
    if (list === null) return result.contender === 'unspool-objects' ? irregular(results, result) : [];
    if (rows === null || rows < LARGE_ROWS) return [];
    return [...large(results, result), ...memory(result), ...linear(results, result)];
  });
}

/** @param {readonly Result[]} results @param {Result} result */
function large(results, result) {
  const isRows = result.contender === 'unspool-rows';
  const subject = isRows ? 'usable rows' : 'all objects';
  const baseline = baselineOf(results, result);
  const fastest = fastestMain(results, result);
  return [
    ...bar(result, `${subject} / JSON.parse of the JSON`, ratio(result.readyMs, baseline?.readyMs), isRows ? 0.35 : 0.6),
    ...bar(result, `${subject} / ${fastest?.contender}`, ratio(result.readyMs, fastest?.readyMs), isRows ? 0.5 : 1),
    ...bar(result, `${subject}: longest block`, result.longestBlockMs, LONGEST_BLOCK_MS, 'ms'),
  ];
}

/** @param {Result} result */
function memory(result) {
  if (result.contender !== 'unspool-objects' || result.retainedBytes === null) return [];
  const allowed = 2 * result.bytes + result.retainedBytes;
  return bar(result, 'all objects: peak memory / (2 × payload + result)', ratio(result.peakBytes, allowed), 1);
}

/** @param {readonly Result[]} results @param {Result} result */
function linear(results, result) {
  const { group, format, rows, query } = caseOf(result);
  const smaller = CASES.filter((other) => other.query['dataset'] === query['dataset'] && other.format === format && other.group !== group)
    .filter((other) => Number(other.rows) < Number(rows))
    .at(-1);
  const reference = results.find(({ case: name, contender }) => name === smaller?.name && contender === result.contender);
  if (!smaller || reference?.readyMs == null || result.readyMs === null) return [];
  const growth = result.readyMs / Number(rows) / (reference.readyMs / Number(smaller.rows));
  return bar(result, `${result.contender}: cost of a row / the same in ${smaller.group}`, growth, LINEAR);
}

/** @param {readonly Result[]} results @param {Result} result */
function smallCalls(results, result) {
  const fastest = fastestMain(results, result);
  return bar(result, `one call / one call of ${fastest?.contender}`, ratio(result.readyMs, fastest?.readyMs), 1.15);
}

/** @param {readonly Result[]} results @param {Result} result */
function irregular(results, result) {
  const clone = results.find(({ case: name, contender }) => name === result.case && contender === 'worker-clone');
  return [
    ...bar(result, 'all objects / worker-clone', ratio(result.totalMs, clone?.totalMs), 1.2),
    ...bar(result, 'longest block / worker-clone', ratio(result.longestBlockMs, clone && Math.max(clone.longestBlockMs ?? 0, RESOLUTION_MS)), 1),
  ];
}

/**
 * @param {Result} result
 * @param {string} name
 * @param {number | null} value
 * @param {number} limit
 * @param {string} unit
 * @returns {Bar[]} empty without a figure
 */
function bar(result, name, value, limit, unit = '×') {
  return value === null ? [] : [{ case: result.case, name, value, limit, unit, met: value <= limit }];
}
