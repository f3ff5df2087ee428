import { describe, expect, it } from 'vitest';
import { frameHeight, frameLevel, layoutFrames, longestFrame, type Frame } from '../../../demo/frames/frames.ts';

/** Consecutive frames of these durations, starting at 0. */
function frames(...durations: number[]): Frame[] {
  let start = 0;
  return durations.map((duration) => {
    const frame = { start, duration };
    start += duration;
    return frame;
  });
}

describe('frameLevel', () => {
  it.each([
    [8.3, 'smooth'],
    [16.7, 'smooth'],
    [33.3, 'late'],
    [50, 'blocked'],
    [2_500, 'blocked'],
  ])('classifies %d ms as %s', (duration, level) => {
    expect(frameLevel(duration)).toBe(level);
  });
});

describe('frameHeight', () => {
  it('grows logarithmically from 4 ms to 4 s, and stays constant outside', () => {
    expect(frameHeight(0.5)).toBe(0);
    expect(frameHeight(4)).toBe(0);
    expect(frameHeight(128)).toBeCloseTo(0.5);
    expect(frameHeight(4_096)).toBe(1);
    expect(frameHeight(60_000)).toBe(1);
  });
});

describe('layoutFrames', () => {
  it("draws a bar as wide as its frame's duration", () => {
    const bars = layoutFrames(frames(100, 700, 200), 0, 1_000, 100, 50);
    expect(bars.map(({ x, width }) => [x, width])).toEqual([
      [0, 10],
      [10, 70],
      [80, 20],
    ]);
  });

  it('merges frames that share a pixel into one bar, as high as the longest', () => {
    const bars = layoutFrames(frames(4, 30, 4, 4, 58), 0, 100, 1, 50);
    expect(bars).toHaveLength(1);
    expect(bars[0]!.level).toBe('blocked');
    expect(bars[0]!.width).toBe(1);
  });

  it('leaves no gaps and no overlaps at any scale', () => {
    const many = frames(...Array.from({ length: 2_000 }, (_, index) => 4 + ((index * 7_919) % 97)));
    const end = many.at(-1)!.start + many.at(-1)!.duration;
    for (const width of [37, 300, 1_200]) {
      const bars = layoutFrames(many, 0, end, width, 80);
      let x = 0;
      for (const bar of bars) {
        expect(bar.x).toBe(x);
        x += bar.width;
      }
      expect(x).toBe(width);
    }
  });

  it('clips frames at the edges and omits those outside', () => {
    const bars = layoutFrames(frames(100, 100, 100, 100), 150, 250, 100, 50);
    expect(bars.map(({ x, width }) => [x, width])).toEqual([
      [0, 50],
      [50, 50],
    ]);
  });
});

describe('longestFrame', () => {
  it('considers only frames that end after a given time', () => {
    expect(longestFrame(frames(500, 16, 33))).toBe(500);
    expect(longestFrame(frames(500, 16, 33), 501)).toBe(33);
    expect(longestFrame([])).toBe(0);
  });
});
