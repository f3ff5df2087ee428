import { describe, expect, test } from 'vitest';
import { busyTime, longestBlock, takenTime } from '../../../bench/page/busy.js';
import { baselineOf, fastestMain } from '../../../bench/ratios.mjs';
import { median, summarise } from '../../../bench/statistics.mjs';

type Block = readonly [from: number, to: number];

/** End of the block at a time, or else a moment later. */
const reached = (at: number, blocks: readonly Block[]) => (blocks.find(([from, to]) => at >= from && at < to)?.[1] ?? at) + 0.02;

/** Ticks until 100, each due one millisecond after the previous one ran. */
function ticks(...blocks: readonly Block[]) {
  const due: number[] = [];
  const ran: number[] = [];
  for (let at = 0; at < 100; at = ran.at(-1)! + 1) {
    due.push(at);
    ran.push(reached(at, blocks));
  }
  return { due, ran };
}

/** Messages sent every millisecond until 100 by a clock that differs by a constant. */
function messages(blocks: readonly Block[], clockDifference = 0) {
  const times = Array.from({ length: 100 }, (_, index) => index);
  return { sent: times.map((at) => at + clockDifference), handled: times.map((at) => reached(at, blocks)) };
}

describe('blocks of the main thread', () => {
  test('longestBlock and takenTime find each block, at most one period too long', () => {
    const seen = ticks([20.5, 52.5], [60, 65]);
    expect(longestBlock(seen, 10, 90)).toBeGreaterThanOrEqual(32);
    expect(longestBlock(seen, 10, 90)).toBeLessThanOrEqual(33.1);
    expect(takenTime(seen, 10, 90)).toBeGreaterThanOrEqual(37);
    expect(takenTime(seen, 10, 90)).toBeLessThanOrEqual(39.2);
  });

  test('longestBlock and takenTime count only the window', () => {
    expect(longestBlock(ticks(), 10, 90)).toBe(0);
    expect(longestBlock(ticks([5.5, 15.5], [70.5, 95.5]), 20, 60)).toBe(0);
    expect(longestBlock(ticks([10, 60]), 20, 60)).toBeCloseTo(40, 0);
    const taken = takenTime(ticks([5, 15], [85, 99]), 10, 90);
    expect(taken).toBeGreaterThanOrEqual(10);
    expect(taken).toBeLessThan(12);
  });

  test('busyTime sums the blocks and finds the longest wait although clocks differ', () => {
    const blocks: Block[] = [
      [20.5, 25.5],
      [26.5, 31.5],
      [50.5, 58.5],
    ];
    for (const difference of [0, -250]) {
      const { mainMs, longestWaitMs } = busyTime(messages(blocks, difference), 10, 90);
      expect(mainMs).toBeCloseTo(18, 9);
      expect(longestWaitMs).toBeCloseTo(7.5, 1);
    }
    expect(busyTime(messages([[5.5, 15.5]]), 20, 60)).toEqual({ mainMs: 0, longestWaitMs: 0 });
    expect(busyTime(messages([[20, 60]]), 20, 60).mainMs).toBeCloseTo(40, -0.5);
  });
});

describe('statistics', () => {
  test.each([
    [[], null],
    [[3], 3],
    [[10, 9, 100], 10],
    [[4, 1, 3, 2], 2.5],
  ])('the median of %j is %j', (values, expected) => {
    expect(median(values)).toBe(expected);
  });

  test('summarise takes the median of the times and the largest of the peaks', () => {
    const rest = { mainMs: null, longestWaitMs: null, longTaskMs: 0 };
    const sample = (readyMs: number, peakBytes: number | null) => ({
      ...rest,
      readyMs,
      peakBytes,
      longestBlockMs: readyMs / 2,
    });
    const figures = { readyMs: 20, totalMs: 20, longestBlockMs: 10, peakBytes: 9, runs: 3 };
    expect(summarise([sample(30, 5), sample(10, 9), sample(20, 7)], 'objects')).toMatchObject(figures);
    expect(summarise([sample(10, null)], 'rows')).toMatchObject({ readyMs: 10, totalMs: null, peakBytes: null });
    expect(summarise([], 'objects')).toMatchObject({ readyMs: null, totalMs: null, longestBlockMs: null, runs: 0 });
  });

  test('ratios compare with JSON.parse of the same value and with the fastest library on the main thread', () => {
    const about = { bytes: 1000, rows: 10_000, ...summarise([], 'objects') };
    const result = (name: string, contender: string, readyMs: number) => ({ ...about, case: name, contender, readyMs, totalMs: readyMs });
    const results = [
      result('trips-10k/json', 'json-parse', 20),
      result('trips-1k/json', 'json-parse', 2),
      result('trips-10k/messagepack', 'msgpackr', 40),
      result('trips-10k/messagepack', 'msgpack-msgpack', 30),
      result('trips-10k/messagepack', 'worker-clone', 10),
      result('trips-10k/messagepack', 'unspool-rows', 6),
    ];
    expect(baselineOf(results, results[5]!)).toBe(results[0]);
    expect(fastestMain(results, results[5]!)).toBe(results[3]);
  });
});
