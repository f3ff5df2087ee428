import { expect, test } from 'vitest';
import { type ByteDifference, diffBytes, sameBytes } from '../../../../devtools-extension/panel/compare/diff-bytes.ts';
import fc from '../../../setup/properties/property.ts';
import { finish } from '../open.ts';

const compare = (a: ArrayLike<number>, b: ArrayLike<number>): ByteDifference => finish(diffBytes(Uint8Array.from(a), Uint8Array.from(b)));

/** Reconstructs the second body from the first and the differences. */
function patch(a: Uint8Array, b: Uint8Array, { runs }: ByteDifference): Uint8Array {
  const bytes: number[] = [];
  let at = 0;
  for (const { before, beforeLength, after, afterLength } of runs) {
    bytes.push(...a.subarray(at, before), ...b.subarray(after, after + afterLength));
    at = before + beforeLength;
  }
  return Uint8Array.from([...bytes, ...a.subarray(at)]);
}

test('equal bodies have no differences', () => {
  expect(compare([1, 2, 3], [1, 2, 3])).toEqual({ before: 3, after: 3, runs: [], beforeDiffering: 0, afterDiffering: 0 });
  expect(sameBytes(Uint8Array.of(1, 2), Uint8Array.of(1, 2))).toBe(true);
  expect(sameBytes(Uint8Array.of(1, 2), Uint8Array.of(1, 3))).toBe(false);
});

test('an inserted byte does not affect the bytes after it', () => {
  const before = Uint8Array.from({ length: 200 }, (_, i) => (i * 7) & 0xff);
  const after = Uint8Array.from([...before.subarray(0, 50), 0xee, ...before.subarray(50, 120), 0xdd, ...before.subarray(121)]);
  expect(compare(before, after).runs).toEqual([
    { before: 50, beforeLength: 0, after: 50, afterLength: 1 },
    { before: 120, beforeLength: 1, after: 121, afterLength: 1 },
  ]);
});

test('the differences transform one body into the other', () =>
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300, max: 3 }), fc.uint8Array({ maxLength: 300, max: 3 }), fc.nat(300), (left, right, cut) => {
      // Bodies with much and with little in common.
      const after = Uint8Array.from([...left.subarray(0, cut), ...right.subarray(0, 5), ...left.subarray(cut)]);
      expect(patch(left, after, compare(left, after))).toEqual(after);
      expect(patch(left, right, compare(left, right))).toEqual(right);
    }),
    { numRuns: 300 },
  ));
