import type { ReadonlySignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Recording } from '../models/frame-monitor.ts';
import { formatMs } from '../models/numbers.ts';
import type { Palette } from '../models/palette.ts';
import { paintFrames } from './paint-frames.ts';

interface LaneGraphProps {
  recording: Recording;
  marks: readonly number[];
  /** Where the graph ends, in milliseconds from the start; the same for all lanes, so that they can be compared. */
  end: number;
  palette: ReadonlySignal<Palette>;
}

const LEAD_MS = 250;

/** The frames of one run, on the time scale of all runs. */
export function LaneGraph({ recording, marks, end, palette }: LaneGraphProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const colors = palette.value;
  const paint = (): void => {
    paintFrames(canvas.current!, { frames: recording.frames, from: -LEAD_MS, to: end + LEAD_MS, marks, palette: colors });
  };
  useLayoutEffect(paint);
  useEffect(() => {
    const observer = new ResizeObserver(paint);
    observer.observe(canvas.current!);
    return () => observer.disconnect();
  });
  const label = `Frame times of this run; the longest block is ${formatMs(recording.longestBlock)}`;
  return <canvas ref={canvas} class="lane-graph" role="img" aria-label={label} />;
}
