// For developer tools.
import { type DecodeReport, registry } from '../call/observe.ts';

/** Least size of a body that is kept, in bytes, and the number of kept bodies. */
const LARGE_BODY = 8 * 1024 * 1024;
const MAX_BODIES = 3;

/** Keeps a copy of a large body. */
export function recordBody(id: number, bytes: Uint8Array<ArrayBuffer>): void {
  if (bytes.length < LARGE_BODY) return;
  const { bodies } = registry();
  bodies.set(id, bytes.slice().buffer);
  for (const oldest of bodies.keys()) {
    if (bodies.size <= MAX_BODIES) break;
    bodies.delete(oldest);
  }
}

/** Marks a decode in the browser's Performance panel, in a track of its own. */
export function measureDecode(report: DecodeReport): void {
  const { label, format, startTime, duration, bytes, rows, error } = report;
  const name = `decode ${label ?? format ?? ''}`;
  const devtools = {
    dataType: 'track-entry',
    track: 'Unspool',
    color: error ? 'error' : 'primary',
    // Not `toLocaleString`, whose first call is slow.
    tooltipText: `${format ?? 'unknown'}, ${bytes} bytes, ${rows} rows`,
    properties: Object.entries({ ...report, error: error?.message }).map(([key, value]) => [
      key,
      typeof value === 'number' ? value.toFixed(1) : `${value}`,
    ]),
  };
  performance.measure(name, { start: startTime, duration, detail: { report, devtools } });
  // Observers and the panel have the entry by now; the page's list would grow without end.
  performance.clearMeasures(name);
}
