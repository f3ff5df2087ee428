/** The time between two frames that the page drew. Times are in milliseconds. */
export interface Frame {
  /** Time of the previous frame. */
  start: number;
  /** Time until the next frame. */
  duration: number;
}

/** `smooth`: at most one frame of a 60 Hz display. `late`: a person may notice. `blocked`: a long task, 50 ms or more. */
export type FrameLevel = 'smooth' | 'late' | 'blocked';

/** A bar of the graph, in pixels from the left and the bottom. */
export interface FrameBar {
  x: number;
  width: number;
  height: number;
  level: FrameLevel;
}

/** The grid lines of the graph's logarithmic scale, in milliseconds. */
export const FRAME_GRID = [16, 50, 250, 1_000] as const;

const SCALE_FLOOR = 4;
const SCALE_CEILING = 4_096;

export function frameLevel(duration: number): FrameLevel {
  return duration < 25 ? 'smooth' : duration < 50 ? 'late' : 'blocked';
}

/** Logarithmic position of a duration on the graph, from 0 (up to 4 ms) to 1 (4 s and more). */
export function frameHeight(duration: number): number {
  const height = Math.log(duration / SCALE_FLOOR) / Math.log(SCALE_CEILING / SCALE_FLOOR);
  return Math.min(1, Math.max(0, height));
}

/**
 * Lays out the frames between `from` and `to` as bars of a graph of `width` × `height` pixels. The width of a bar is its
 * duration. Frames that share a column of pixels become one bar of the longest one's height.
 */
export function layoutFrames(frames: readonly Frame[], from: number, to: number, width: number, height: number): FrameBar[] {
  const bars: FrameBar[] = [];
  const scale = width / (to - from);
  let end = 0;
  for (const { start, duration } of frames) {
    if (start + duration <= from || start >= to) continue;
    const x = Math.max(end, Math.round((start - from) * scale));
    const right = Math.min(width, Math.max(1, Math.round((start + duration - from) * scale)));
    const bar: FrameBar = { x, width: right - x, height: frameHeight(duration) * height, level: frameLevel(duration) };
    const last = bars.at(-1);
    if (bar.width > 0) {
      bars.push(bar);
      end = right;
    } else if (last?.width === 1 && last.height < bar.height) {
      Object.assign(last, { height: bar.height, level: bar.level });
    }
  }
  return bars;
}

/** The longest frame that ends after `from`; 0 without one. */
export function longestFrame(frames: readonly Frame[], from = -Infinity): number {
  return frames.reduce((longest, { start, duration }) => (start + duration > from ? Math.max(longest, duration) : longest), 0);
}
