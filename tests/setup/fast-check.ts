import * as fc from 'fast-check';
import { caseCount } from './case-count.ts';

export * from 'fast-check';

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
