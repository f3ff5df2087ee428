import { expect, test } from 'vitest';
import { countRows } from '../../../../main/decoder/observe.ts';

test('the reported rows are the items of the longest array at the root, and those of a root that is one', () => {
  expect(countRows([1, 2, 3])).toBe(3);
  expect(countRows({ a: [1], b: [1, 2], c: 'text' })).toBe(2);
  for (const none of [null, undefined, 1, 'text', {}, new Map([['a', [1]]])]) expect(countRows(none)).toBe(0);
});

test('the count of rows does not look at the elements of a typed array one by one', () => {
  const watched = Object.defineProperty(new Float64Array(2), 'extra', { value: [1, 2], enumerable: true });
  expect(countRows(watched)).toBe(0);
});
