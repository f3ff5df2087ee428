/**
 * How many cases a property takes: all of them in Node, a quarter in browsers, which decode with the same code; or what
 * `RUNS` says, in Node. A whole number, without which fast-check does not end.
 */
export function caseCount(count: number): number {
  if (globalThis.process?.versions?.node === undefined) return Math.ceil(count / 4);
  return Number(process.env['RUNS'] ?? count);
}
