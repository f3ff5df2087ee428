import { expect, test } from 'vitest';
import { type FormatId, FORMATS } from '../../worker/formats/registry.ts';
import { fuzz, subjectOf } from '../fuzz/fuzz.ts';

/** `npm run fuzz` takes a million. */
const COUNT = 3000;

test.each(FORMATS.map(({ id }) => id))('mutated input of %s gives a value or a typed error', async (id: FormatId) => {
  const entry = FORMATS.find((known) => known.id === id)!;
  const [{ default: format }, subject] = await Promise.all([entry.load(), subjectOf(id)]);
  const { good, refused, faults } = await fuzz(format, subject, COUNT);
  expect(faults).toEqual([]);
  expect(good + refused).toBe(COUNT);
  // Both have been seen, or the mutations are of no use.
  expect(Math.min(good, refused)).toBeGreaterThan(COUNT / 100);
});
