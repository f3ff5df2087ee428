import * as fc from './fast-check.ts';

/**
 * fast-check with one seed for all properties, so that results are reproducible. In Node, `SEED=7` sets another seed, and
 * `SEED=random` a random one for every property. Counterexamples are not shrunk, since shrinking may exceed the time limit,
 * which then hides the cause; `SHRINK=1` enables it.
 */
const given = globalThis.process?.env['SEED'] ?? '20261121';
const settings = { endOnFailure: globalThis.process?.env['SHRINK'] === undefined };
fc.configureGlobal(given === 'random' ? settings : { ...settings, seed: Number(given) });

export default fc;
