import { describe, expect, test } from 'vitest';
import { baselineOf, fastestMain, ratio } from '../../../bench/ratios.mjs';
import { median, summarise } from '../../../bench/statistics.mjs';
import { resultOf } from './result.ts';

describe('median', () => {
  test.each([
    [[], null],
    [[3], 3],
    [[10, 9, 100], 10],
    [[4, 1, 3, 2], 2.5],
  ])('returns for %j the median %j', (values, expected) => {
    expect(median(values)).toBe(expected);
  });
});

describe('summarise', () => {
  const sample = (readyMs: number, peakBytes: number | null) => ({
    readyMs,
    peakBytes,
    longestBlockMs: readyMs / 2,
    mainMs: readyMs / 4,
    longestWaitMs: readyMs / 5,
    longTaskMs: 0,
  });

  test('returns the median of the times and the largest peak', () => {
    const samples = [sample(30, 5), sample(10, 9), sample(20, 7)];
    expect(summarise(samples, 'objects')).toEqual({
      readyMs: 20,
      totalMs: 20,
      longestBlockMs: 10,
      mainMs: 5,
      longestWaitMs: 4,
      longTaskMs: 0,
      peakBytes: 9,
      runs: 3,
      samples,
    });
  });

  test('returns no total for lazy rows, and no peak if none was measured', () => {
    expect(summarise([sample(10, null)], 'rows')).toMatchObject({ readyMs: 10, totalMs: null, peakBytes: null });
  });

  test('returns no figures without runs', () => {
    expect(summarise([], 'objects')).toMatchObject({ readyMs: null, totalMs: null, longestBlockMs: null, runs: 0 });
  });
});

describe('ratio', () => {
  const results = [
    resultOf('trips-10k/json', 'json-parse', 20),
    resultOf('trips-1k/json', 'json-parse', 2),
    resultOf('trips-10k/messagepack', 'msgpackr', 40),
    resultOf('trips-10k/messagepack', 'msgpack-msgpack', 30),
    resultOf('trips-10k/messagepack', 'worker-clone', 10),
    resultOf('trips-10k/messagepack', 'unspool-rows', 6),
    resultOf('numbers-1k/messagepack', 'msgpackr', null, { error: 'failed' }),
  ];

  test('uses JSON.parse of the same value as baseline', () => {
    expect(baselineOf(results, results[5]!)).toBe(results[0]);
    expect(baselineOf(results, results[6]!)).toBeUndefined();
  });

  test('uses the fastest library on the main thread, not in a worker', () => {
    expect(fastestMain(results, results[5]!)).toBe(results[3]);
    expect(fastestMain(results, results[6]!)).toBeUndefined();
  });

  test('returns null if a figure is missing', () => {
    expect(ratio(6, 30)).toBe(0.2);
    expect(ratio(null, 30)).toBeNull();
    expect(ratio(6, undefined)).toBeNull();
    expect(ratio(6, 0)).toBeNull();
  });
});
