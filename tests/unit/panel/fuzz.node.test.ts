import { expect, test } from 'vitest';
import { fuzzPanel } from '../../fuzz/panel.ts';
import { caseCount } from '../../setup/properties/case-count.ts';

/** The same number in every tier: a tenth of them missed a fault. `npm run fuzz` takes 50,000. */
const COUNT = caseCount(3000, { least: 3000 });

test('the panel reads, searches, formats, edits and saves mutated bodies, or gives a reason', async () => {
  const { good, refused, faults } = await fuzzPanel(COUNT);
  expect(faults).toEqual([]);
  expect(good + refused).toBe(COUNT);
  // Both outcomes must occur, or the mutations are useless.
  expect(Math.min(good, refused)).toBeGreaterThan(COUNT / 30);
});
