import { BAKEOFF_CASES, BAKEOFF_CONTENDERS } from './bakeoff/cases.mjs';
import { CASES, isBaseline } from './cases.mjs';
import { CONTENDERS } from './contenders/index.js';

/** @typedef {import('./statistics.mjs').Result} Result */

const contenders = new Map([...BAKEOFF_CONTENDERS, ...CONTENDERS].map((contender) => [contender.id, contender]));
const cases = new Map([...BAKEOFF_CASES, ...CASES].map((benchCase) => [benchCase.name, benchCase]));

/** @param {Result} result */
export function contenderOf({ contender }) {
  return /** @type {import('./contenders/contender.js').Contender} */ (contenders.get(contender));
}

/** @param {Result} result */
export function caseOf({ case: name }) {
  return /** @type {import('./cases.mjs').Case} */ (cases.get(name));
}

/**
 * The result of JSON.parse for the JSON form of the same value.
 *
 * @param {readonly Result[]} results
 * @param {Result} result
 */
export function baselineOf(results, result) {
  const { group } = caseOf(result);
  return results.find((other) => {
    const { group: otherGroup, format } = caseOf(other);
    return otherGroup === group && isBaseline(format, other.contender) && other.readyMs !== null;
  });
}

/**
 * The fastest library that decodes the same payload on the main thread into plain objects.
 *
 * @param {readonly Result[]} results
 * @param {Result} result
 */
export function fastestMain(results, result) {
  return results
    .filter((other) => other.case === result.case && contenderOf(other).kind === 'main' && other.totalMs !== null)
    .toSorted((a, b) => Number(a.totalMs) - Number(b.totalMs))[0];
}

/**
 * @param {number | null | undefined} value
 * @param {number | null | undefined} reference
 * @returns {number | null} null if either is missing
 */
export function ratio(value, reference) {
  return value == null || reference == null || reference === 0 ? null : value / reference;
}
