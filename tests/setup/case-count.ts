/**
 * How many of a property's cases are tried: all of them in Node, half where `--rest` follows `npm test`, and a tenth by
 * `npm test`, and in browsers, which decode with the same code. `RUNS=50` tries 50 of each, in Node. Never none: fast-check
 * would not end.
 */
export function caseCount(count: number): number {
  const env = globalThis.process?.versions?.node === undefined ? undefined : process.env;
  if (env?.['RUNS'] !== undefined) return Number(env['RUNS']);
  const tier = env?.['UNSPOOL_TIER'];
  const share = env === undefined || tier === 'quick' ? 0.1 : tier === 'rest' ? 0.5 : 1;
  return Math.max(1, Math.ceil(count * share));
}
