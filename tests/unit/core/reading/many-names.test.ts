import { expect, test } from 'vitest';
import { RowSteps } from '../../../../core/reading/rows/steps.ts';
import { keysOf } from '../../../../core/formats/protobuf/schema/names.ts';

const MANY = 300_000;
const names = Array.from({ length: MANY }, (_, at) => `n${at}`);

test('a schema may have any number of symbols, steps and oneofs', () => {
  const steps = new RowSteps();
  expect(steps.addSymbols(['a'])).toBe(0);
  expect(steps.addSymbols(names)).toBe(1);
  expect(steps.symbols).toHaveLength(MANY + 1);
  const branches = new RowSteps(steps.symbols);
  for (let at = 0; at < MANY; at += 1) branches.add(1, at);
  steps.addBranches(2, 0, branches);
  expect(steps.finish().words).toHaveLength(4 * (MANY + 1));
  expect(keysOf({ fields: [], oneofs: names } as never, 'json', true, true)).toHaveLength(MANY + 1);
});
