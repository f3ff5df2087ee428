import { expect, test } from 'vitest';
import { fuzzPanel } from '../../fuzz/panel.ts';
import { caseCount } from '../../setup/properties/case-count.ts';

/** `npm run fuzz` takes 50,000. */
const COUNT = caseCount(3000);

test('mutated bodies are read, searched, formatted, edited and saved by the panel, or it says why not', async () => {
  const { good, refused, faults } = await fuzzPanel(COUNT);
  expect(faults).toEqual([]);
  expect(good + refused).toBe(COUNT);
  // Both have been seen, or the mutations are of no use.
  expect(Math.min(good, refused)).toBeGreaterThan(COUNT / 30);
});
