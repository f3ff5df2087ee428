/**
 * Number of cases of a property: all in the deep tier in Node, a tenth in the `rest` tier. In the quick tier and in browsers, which run
 * the same code, a twentieth, and 40 where that is more. `RUNS=50` tries 50 cases in Node. The result is at least `least`, which
 * tests with hostile inputs raise; never 0, since fast-check would not end.
 */
export function caseCount(count: number, { least = 1 } = {}): number {
  const runs = env?.['RUNS'];
  return runs === undefined ? Math.max(least, Math.ceil(isDeep ? count : isRest ? count / 10 : Math.min(count / 20, 40))) : Number(runs);
}

/** Distance between two cuts of a payload: `step`, five times it in the `rest` tier, and ten times it in the quick tier and in browsers. */
export function cutStep(step = 1): number {
  return Math.round(step * (isDeep ? 1 : isRest ? 5 : 10));
}

const env = globalThis.process?.versions?.node === undefined ? undefined : process.env;
const isRest = env?.['UNSPOOL_TIER'] === 'rest';
const isDeep = env !== undefined && !isRest && env['UNSPOOL_TIER'] !== 'quick';
