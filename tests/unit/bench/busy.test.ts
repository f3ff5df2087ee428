import { describe, expect, test } from 'vitest';
import { busyTime, longestBlock, takenTime } from '../../../bench/page/busy.js';

type Block = readonly [from: number, to: number];

/** End of the block in progress at a time, or a moment later. */
const reached = (at: number, blocks: readonly Block[]) => (blocks.find(([from, to]) => at >= from && at < to)?.[1] ?? at) + 0.02;

/** Ticks until 100. Each is due one millisecond after the previous one ran. */
function ticks(blocks: readonly Block[]) {
  const due: number[] = [];
  const ran: number[] = [];
  for (let at = 0; at < 100; at = ran.at(-1)! + 1) {
    due.push(at);
    ran.push(reached(at, blocks));
  }
  return { due, ran };
}

/** Messages sent every millisecond until 100, with a clock that may be offset. */
function messages(blocks: readonly Block[], clockDifference = 0) {
  const times = Array.from({ length: 100 }, (_, index) => index);
  return { sent: times.map((at) => at + clockDifference), handled: times.map((at) => reached(at, blocks)) };
}

describe('longestBlock', () => {
  test('returns zero for an idle thread', () => {
    expect(longestBlock(ticks([]), 10, 90)).toBe(0);
  });

  test("returns the block's length, at most one period too long", () => {
    const longest = longestBlock(
      ticks([
        [20.5, 52.5],
        [60, 65],
      ]),
      10,
      90,
    );
    expect(longest).toBeGreaterThanOrEqual(32);
    expect(longest).toBeLessThanOrEqual(33.1);
  });

  test('ignores blocks outside the window', () => {
    expect(
      longestBlock(
        ticks([
          [5.5, 15.5],
          [70.5, 95.5],
        ]),
        20,
        60,
      ),
    ).toBe(0);
  });

  test('counts only the part of a block inside the window', () => {
    expect(longestBlock(ticks([[10, 60]]), 20, 60)).toBeCloseTo(40, 0);
  });
});

describe('busyTime', () => {
  test('returns zero for an idle thread', () => {
    expect(busyTime(messages([]), 10, 90)).toEqual({ mainMs: 0, longestWaitMs: 0 });
  });

  test('returns the sum of the blocks and the longest wait', () => {
    const { mainMs, longestWaitMs } = busyTime(
      messages([
        [20.5, 25.5],
        [26.5, 31.5],
        [50.5, 58.5],
      ]),
      10,
      90,
    );
    expect(mainMs).toBe(18);
    expect(longestWaitMs).toBeCloseTo(7.5, 1);
  });

  test('ignores blocks outside the window', () => {
    expect(
      busyTime(
        messages([
          [5.5, 15.5],
          [70.5, 95.5],
        ]),
        20,
        60,
      ),
    ).toEqual({ mainMs: 0, longestWaitMs: 0 });
  });

  test("counts a block that fills the window at the window's length", () => {
    expect(busyTime(messages([[20, 60]]), 20, 60).mainMs).toBeCloseTo(40, -0.5);
  });

  test('ignores an offset between the clocks', () => {
    const same = busyTime(messages([[20.5, 30.5]]), 10, 50);
    const other = busyTime(messages([[20.5, 30.5]], -250), 10, 50);
    expect(other.mainMs).toBeCloseTo(same.mainMs, 9);
    expect(other.longestWaitMs).toBeCloseTo(same.longestWaitMs, 9);
  });
});

describe('takenTime', () => {
  test('returns zero for an idle thread', () => {
    expect(takenTime(ticks([]), 10, 90)).toBe(0);
  });

  test('returns the sum of the blocks, each at most a millisecond too long', () => {
    const taken = takenTime(
      ticks([
        [20, 30],
        [40, 44],
        [60, 60.5],
      ]),
      10,
      90,
    );
    expect(taken).toBeGreaterThanOrEqual(14);
    expect(taken).toBeLessThan(17);
  });

  test('ignores time before and after the window', () => {
    const taken = takenTime(
      ticks([
        [5, 15],
        [85, 99],
      ]),
      10,
      90,
    );
    expect(taken).toBeGreaterThanOrEqual(10);
    expect(taken).toBeLessThan(12);
  });
});
