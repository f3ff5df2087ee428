/**
 * How many of a property's cases are tried: all of them in Node, half where `--rest` follows `npm test`, and a tenth by
 * `npm test`, and in browsers, which decode with the same code. `RUNS=50` tries 50 of each, in Node. Never none: fast-check
 * would not end.
 */
export function caseCount(count: number): number {
  const runs = env?.['RUNS'];
  return runs === undefined ? Math.max(1, Math.ceil(count * share())) : Number(runs);
}

/** From one place at which a payload is cut to the next: `step` where all cases are tried, further where `caseCount` gives fewer. */
export function cutStep(step = 1): number {
  return Math.round(step / share());
}

const env = globalThis.process?.versions?.node === undefined ? undefined : process.env;

function share(): number {
  const tier = env?.['UNSPOOL_TIER'];
  return env === undefined || tier === 'quick' ? 0.1 : tier === 'rest' ? 0.5 : 1;
}
