import * as fc from 'fast-check';
import { caseCount } from './case-count.ts';

export * from 'fast-check';

/** Code points other than surrogates. */
const codePoint = fc.integer({ min: 0, max: 0x10_f7ff }).map(
  (index) => String.fromCodePoint(index < 0xd800 ? index : index + 0x800),
  (text) => {
    const code = typeof text === 'string' ? text.codePointAt(0)! : -1;
    if (typeof text !== 'string' || text !== String.fromCodePoint(code)) throw new TypeError('no code point');
    return code < 0xd800 ? code : code - 0x800;
  },
);

/** The strings of fast-check, but without its Map of all code points for the unit `binary`, which takes seconds per file. */
export function string(constraints: fc.StringConstraints = {}): fc.Arbitrary<string> {
  return fc.string(constraints.unit === 'binary' ? { ...constraints, unit: codePoint } : constraints);
}

/** Default number of cases. */
const USUAL_RUNS = 100;

/**
 * fast-check's `assert`. `numRuns` is the number of cases in the deep tier; see `caseCount`.
 */
export function assert<Ts>(property: fc.IAsyncProperty<Ts>, parameters?: fc.Parameters<Ts>): Promise<void>;
export function assert<Ts>(property: fc.IProperty<Ts>, parameters?: fc.Parameters<Ts>): void;
export function assert<Ts>(property: fc.IRawProperty<Ts>, parameters?: fc.Parameters<Ts>): Promise<void> | void {
  return fc.assert(property, { ...parameters, numRuns: caseCount(parameters?.numRuns ?? USUAL_RUNS) });
}
