import { useSignal, type ReadonlySignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { FrameMonitor } from './frame-monitor.ts';
import { frameLevel, longestFrame } from './frames.ts';
import { formatMs } from '../ui/numbers.ts';
import type { Palette } from './palette.ts';
import { paintFrames } from './paint-frames.ts';
import { Pulse } from './pulse.tsx';

const SHOWN_MS = 10_000;
/** Interval of updates of the figures and, with reduced motion, of the graph. */
const CALM_MS = 500;

interface MonitorProps {
  monitor: FrameMonitor;
  palette: ReadonlySignal<Palette>;
}

/** Draws the frames of the last seconds. */
export function Monitor({ monitor, palette }: MonitorProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const figures = useSignal({ perSecond: 0, longest: 0 });

  useEffect(() => {
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)');
    let updated = 0;
    return monitor.subscribe((now) => {
      // One frame may follow after the page was left.
      if (!canvas.current) return;
      const isDue = now - updated >= CALM_MS;
      if (isDue || !isCalm.matches) {
        paintFrames(canvas.current, { frames: monitor.frames, from: now - SHOWN_MS, to: now, palette: palette.peek() });
      }
      if (!isDue) return;
      updated = now;
      figures.value = {
        perSecond: monitor.frames.filter(({ start }) => start > now - 1_000).length,
        longest: longestFrame(monitor.frames, now - SHOWN_MS),
      };
    });
  }, [monitor, palette, figures]);

  const { perSecond, longest } = figures.value;
  return (
    <section class="monitor" aria-label="Frame times of this page">
      <canvas
        ref={canvas}
        class="monitor-graph"
        role="img"
        aria-label="Every frame of the last ten seconds: the higher and wider the bar, the longer the page stood still"
      />
      <div class="monitor-side">
        <Pulse monitor={monitor} />
        <dl class="monitor-figures">
          <dt class="muted">Frames per second</dt>
          <dd>{perSecond}</dd>
          <dt class="muted monitor-worst">Longest in 10 s</dt>
          <dd class={`monitor-worst level-${frameLevel(longest)}`}>{formatMs(longest)}</dd>
        </dl>
      </div>
    </section>
  );
}
