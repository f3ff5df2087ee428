import * as fc from 'fast-check';
import { caseCount } from './case-count.ts';

export * from 'fast-check';

/**
 * fast-check with one seed for all properties, so that a tree that was green stays green. `SEED=7` takes another one and
 * `SEED=random` a new one for every property, in Node. The first counterexample is reported as it is: making it smaller
 * can take minutes, in which the test ends by its time limit and names no cause. `SHRINK=1` makes it smaller.
 */
const given = globalThis.process?.env['SEED'] ?? '20261121';
const settings = { endOnFailure: globalThis.process?.env['SHRINK'] === undefined };
fc.configureGlobal(given === 'random' ? settings : { ...settings, seed: Number(given) });

/** The cases of a property that does not say how many. */
const USUAL_RUNS = 100;

/**
 * fast-check's `assert`. `numRuns` counts the cases of the deep tier; the quick tier and browsers try a share of them, see
 * `caseCount`.
 */
export function assert<Ts>(property: fc.IAsyncProperty<Ts>, parameters?: fc.Parameters<Ts>): Promise<void>;
export function assert<Ts>(property: fc.IProperty<Ts>, parameters?: fc.Parameters<Ts>): void;
export function assert<Ts>(property: fc.IRawProperty<Ts>, parameters?: fc.Parameters<Ts>): Promise<void> | void {
  return fc.assert(property, { ...parameters, numRuns: caseCount(parameters?.numRuns ?? USUAL_RUNS) });
}
