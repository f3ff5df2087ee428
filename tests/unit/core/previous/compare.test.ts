import { expect, test } from 'vitest';
import { commonLength, viewOf } from '../../../../core/previous/compare.ts';

test('commonLength finds the first different byte wherever it is, from any position in both payloads', () => {
  const length = 40_000;
  const bytes = Uint8Array.from({ length }, (_, at) => (at * 31) ^ (at >> 7));
  for (const [from, at] of [
    [0, 0],
    [3, 0],
    [1, 6],
  ] as const) {
    const other = new Uint8Array(length + at);
    other.set(bytes.subarray(from), at);
    const common = length - from;
    for (const most of [0, 1, 31, 32, 8191, 8192, 8193, common]) {
      expect(commonLength(viewOf(bytes), from, viewOf(other), at, most)).toBe(most);
    }
    for (const place of [0, 1, 31, 32, 33, 8191, 8192, 8223, 16_383, 16_384, 16_400, common - 1]) {
      other[at + place]! ^= 1;
      expect(commonLength(viewOf(bytes), from, viewOf(other), at, common)).toBe(place);
      expect(commonLength(viewOf(bytes), from, viewOf(other), at, place)).toBe(place);
      other[at + place]! ^= 1;
    }
  }
});
