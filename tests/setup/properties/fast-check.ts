import * as fc from 'fast-check';
import { caseCount } from './case-count.ts';

export * from 'fast-check';

/** Code points that are no surrogates. */
const codePoint = fc.integer({ min: 0, max: 0x10_f7ff }).map(
  (index) => String.fromCodePoint(index < 0xd800 ? index : index + 0x800),
  (text) => {
    const code = typeof text === 'string' ? text.codePointAt(0)! : -1;
    if (typeof text !== 'string' || text !== String.fromCodePoint(code)) throw new TypeError('no code point');
    return code < 0xd800 ? code : code - 0x800;
  },
);

/** The same strings as fast-check's, which builds a Map of all code points for the unit `binary`: that takes seconds in each file. */
export function string(constraints: fc.StringConstraints = {}): fc.Arbitrary<string> {
  return fc.string(constraints.unit === 'binary' ? { ...constraints, unit: codePoint } : constraints);
}

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
