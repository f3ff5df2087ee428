import { useEffect, useRef } from 'preact/hooks';
import type { FrameMonitor } from './frame-monitor.ts';

const PERIOD_MS = 2_400;

/** A dot that the page moves in every frame: it stops while the page is blocked. */
export function Pulse({ monitor }: { monitor: FrameMonitor }) {
  const dot = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const isStill = matchMedia('(prefers-reduced-motion: reduce)');
    return monitor.subscribe((now) => {
      const element = dot.current;
      // A frame may follow between the removal of the element and the end of the subscription.
      const track = element?.parentElement;
      if (!track || isStill.matches) return;
      const room = track.clientWidth - 20;
      element.style.transform = `translateX(${pulsePosition(now) * room}px)`;
    });
  }, [monitor]);
  return (
    <div class="pulse" aria-hidden="true">
      <div class="pulse-dot" ref={dot} />
    </div>
  );
}

/** Position of the oscillating dot at a time, from 0 to 1; slower at the ends. */
function pulsePosition(now: number): number {
  return (1 - Math.cos((now / PERIOD_MS) * 2 * Math.PI)) / 2;
}
