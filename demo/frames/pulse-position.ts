const PERIOD_MS = 2_400;

/** Position of the oscillating dot at a time, from 0 to 1; slower at the ends. */
export function pulsePosition(now: number): number {
  return (1 - Math.cos((now / PERIOD_MS) * 2 * Math.PI)) / 2;
}
