/**
 * Number of cases of a property: all in Node, a fifth in the `rest` tier, and a tenth in the quick tier and in browsers, which run
 * the same code. `RUNS=50` tries 50 cases in Node. At least one, as fast-check would not end otherwise.
 */
export function caseCount(count: number): number {
  const runs = env?.['RUNS'];
  return runs === undefined ? Math.max(1, Math.ceil(count * share())) : Number(runs);
}

/** Distance between two cuts of a payload: `step`, or more where `caseCount` returns fewer cases. */
export function cutStep(step = 1): number {
  return Math.round(step / share());
}

const env = globalThis.process?.versions?.node === undefined ? undefined : process.env;

function share(): number {
  const tier = env?.['UNSPOOL_TIER'];
  return env === undefined || tier === 'quick' ? 0.1 : tier === 'rest' ? 0.2 : 1;
}
