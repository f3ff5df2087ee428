import * as fc from './fast-check.ts';

/**
 * fast-check with one seed for all properties, so that a tree that was green stays green. `SEED=7` takes another one and
 * `SEED=random` a new one for every property, in Node. The first counterexample is reported as it is: making it smaller
 * can take minutes, in which the test ends by its time limit and names no cause. `SHRINK=1` makes it smaller.
 */
const given = globalThis.process?.env['SEED'] ?? '20261121';
const settings = { endOnFailure: globalThis.process?.env['SHRINK'] === undefined };
fc.configureGlobal(given === 'random' ? settings : { ...settings, seed: Number(given) });

export default fc;
