import { expect, test } from 'vitest';
import { countRows } from '../../../../main/call/observe.ts';

test('the row count is the length of the root array, or else of the longest array in the root', () => {
  expect(countRows([1, 2, 3])).toBe(3);
  expect(countRows({ a: [1], b: [1, 2], c: 'text' })).toBe(2);
  for (const none of [null, undefined, 1, 'text', {}, new Map([['a', [1]]])]) expect(countRows(none)).toBe(0);
});

test('the row count does not iterate a typed array', () => {
  const watched = Object.defineProperty(new Float64Array(2), 'extra', { value: [1, 2], enumerable: true });
  expect(countRows(watched)).toBe(0);
});
