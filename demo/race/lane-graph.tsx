import type { ReadonlySignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Recording } from '../frames/frame-monitor.ts';
import { formatMs } from '../ui/numbers.ts';
import type { Palette } from '../frames/palette.ts';
import { paintFrames } from '../frames/paint-frames.ts';

interface LaneGraphProps {
  recording: Recording;
  marks: readonly number[];
  /** End of the graph in milliseconds from the start, shared by all lanes. */
  end: number;
  palette: ReadonlySignal<Palette>;
}

const LEAD_MS = 250;

/** Draws the frames of one run on the time scale of all runs. */
export function LaneGraph({ recording, marks, end, palette }: LaneGraphProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const colors = palette.value;
  useLayoutEffect(() => {
    // The observer may call once more after the element was removed.
    const element = canvas.current!;
    const paint = (): void => {
      paintFrames(element, { frames: recording.frames, from: -LEAD_MS, to: end + LEAD_MS, marks, palette: colors });
    };
    paint();
    const observer = new ResizeObserver(paint);
    observer.observe(element);
    return () => observer.disconnect();
  });
  const label = `Frame times of the latest run; the longest block is ${formatMs(recording.longestBlock)}`;
  return <canvas ref={canvas} class="lane-graph" role="img" aria-label={label} />;
}
