import { describe, expect, test } from 'vitest';
import { analyse } from '../../bench/page/ticks.js';

/** Ticks sent every millisecond from 0 to `count`, and handled at once unless the thread is busy in `blocks`. */
function ticks(count: number, blocks: readonly (readonly [number, number])[], clockDifference = 0) {
  const sent = Array.from({ length: count }, (_, index) => index);
  const handled = sent.map((at) => {
    const block = blocks.find(([from, to]) => at >= from && at < to);
    return (block ? block[1] : at) + 0.02;
  });
  return [sent.map((at) => at + clockDifference), handled] as const;
}

describe('analyse', () => {
  test('an idle thread has no block', () => {
    expect(analyse(...ticks(50, []), 10, 40)).toMatchObject({ longestBlockMs: 0, mainMs: 0 });
  });

  test('a block is seen with its length, at most one period longer', () => {
    const { longestBlockMs, mainMs } = analyse(...ticks(100, [[20.5, 52.5]]), 10, 90);
    expect(longestBlockMs).toBeGreaterThanOrEqual(32);
    expect(longestBlockMs).toBeLessThanOrEqual(33.1);
    expect(mainMs).toBe(32);
  });

  test('blocks are counted apart, and the busy time is their sum', () => {
    const { longestBlockMs, mainMs } = analyse(...ticks(100, [[20.5, 25.5], [26.5, 31.5], [50.5, 58.5]]), 10, 90);
    expect(longestBlockMs).toBeGreaterThanOrEqual(8);
    expect(longestBlockMs).toBeLessThanOrEqual(9.1);
    expect(mainMs).toBe(18);
  });

  test('what lies outside the window does not count', () => {
    expect(analyse(...ticks(100, [[5.5, 15.5], [70.5, 95.5]]), 20, 60)).toMatchObject({ longestBlockMs: 0, mainMs: 0 });
  });

  test('a block that fills the window is as long as the window', () => {
    const { longestBlockMs, mainMs } = analyse(...ticks(100, [[20, 60]]), 20, 60);
    expect(longestBlockMs).toBeCloseTo(40, 0);
    expect(mainMs).toBeCloseTo(40, -0.5);
  });

  test('clocks that differ make no difference', () => {
    const blocks = [[20.5, 30.5]] as const;
    const same = analyse(...ticks(60, blocks), 10, 50);
    const other = analyse(...ticks(60, blocks, -250), 10, 50);
    expect(other.longestBlockMs).toBeCloseTo(same.longestBlockMs, 9);
    expect(other.mainMs).toBeCloseTo(same.mainMs, 9);
  });
});
