/**
 * How many of a property's cases are tried: all of them in Node; a tenth in Node by `npm test`, and in browsers, which
 * decode with the same code. `RUNS=50` tries 50 of each, in Node. Never none: fast-check would not end.
 */
export function caseCount(count: number): number {
  const env = globalThis.process?.versions?.node === undefined ? undefined : process.env;
  if (env?.['RUNS'] !== undefined) return Number(env['RUNS']);
  const share = env === undefined || env['UNSPOOL_TIER'] === 'quick' ? 0.1 : 1;
  return Math.max(1, Math.ceil(count * share));
}
