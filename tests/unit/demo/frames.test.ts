import { describe, expect, it } from 'vitest';
import { frameHeight, frameLevel, layoutFrames, longestFrame, type Frame } from '../../../demo/frames/frames.ts';

/** Frames of these durations, one after another from 0 on. */
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
  ])('takes %d ms for %s', (duration, level) => {
    expect(frameLevel(duration)).toBe(level);
  });
});

describe('frameHeight', () => {
  it('is logarithmic between 4 ms and 4 s, and ends there', () => {
    expect(frameHeight(0.5)).toBe(0);
    expect(frameHeight(4)).toBe(0);
    expect(frameHeight(128)).toBeCloseTo(0.5);
    expect(frameHeight(4_096)).toBe(1);
    expect(frameHeight(60_000)).toBe(1);
  });
});

describe('layoutFrames', () => {
  it('makes a bar as wide as its frame took', () => {
    const bars = layoutFrames(frames(100, 700, 200), 0, 1_000, 100, 50);
    expect(bars.map(({ x, width }) => [x, width])).toEqual([
      [0, 10],
      [10, 70],
      [80, 20],
    ]);
  });

  it('makes one bar of the frames that share a pixel, as high as the longest', () => {
    const bars = layoutFrames(frames(4, 30, 4, 4, 58), 0, 100, 1, 50);
    expect(bars).toHaveLength(1);
    expect(bars[0]!.level).toBe('blocked');
    expect(bars[0]!.width).toBe(1);
  });

  it('leaves no gaps and no overlaps, whatever the scale', () => {
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

  it('cuts frames off at the edges and leaves out those outside', () => {
    const bars = layoutFrames(frames(100, 100, 100, 100), 150, 250, 100, 50);
    expect(bars.map(({ x, width }) => [x, width])).toEqual([
      [0, 50],
      [50, 50],
    ]);
  });
});

describe('longestFrame', () => {
  it('looks at what ends after a time', () => {
    expect(longestFrame(frames(500, 16, 33))).toBe(500);
    expect(longestFrame(frames(500, 16, 33), 501)).toBe(33);
    expect(longestFrame([])).toBe(0);
  });
});
