import { describe, expect, it } from 'vitest';
import { formatBytes, formatMs, formatRatio } from '../../../demo/ui/numbers.ts';

describe('formatMs', () => {
  it.each([
    [0.84, '0.8 ms'],
    [9.96, '10.0 ms'],
    [16.7, '17 ms'],
    [2_310.4, '2,310 ms'],
  ])('writes %d with a fitting unit and number of digits', (ms, text) => expect(formatMs(ms)).toBe(text));
});

describe('formatBytes', () => {
  it.each([
    [940, '940 B'],
    [12_400, '12.4 kB'],
    [33_900_000, '33.9 MB'],
    [276_400_000, '276 MB'],
  ])('writes %d with a fitting unit and number of digits', (bytes, text) => expect(formatBytes(bytes)).toBe(text));
});

describe('formatRatio', () => {
  it.each([
    [0.0062, '0.006 ×'],
    [0.284, '0.28 ×'],
    [3.94, '3.9 ×'],
    [12.4, '12 ×'],
    [Infinity, '–'],
  ])('writes %d with a fitting number of digits', (ratio, text) => expect(formatRatio(ratio)).toBe(text));
});
