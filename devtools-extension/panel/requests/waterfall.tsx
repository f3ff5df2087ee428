import type { Exchange } from '../../adapter/adapter.ts';
import { formatMilliseconds } from '../../text/numbers.ts';
import type { Row } from './row.ts';

/** Time from the first request to the end of the last, in milliseconds since the epoch. */
export interface TimeRange {
  from: number;
  end: number;
}

/** Range of all requests of the list, without opened files. */
export function timeRangeOf(rows: readonly Row[]): TimeRange {
  let from = Infinity;
  let end = -Infinity;
  for (const { exchange } of rows) {
    if (exchange.method === 'FILE') continue;
    from = Math.min(from, exchange.time);
    end = Math.max(end, exchange.time + Math.max(0, exchange.duration));
  }
  return { from, end };
}

/** Phases of a request in the waterfall, with the names of their times in a HAR. */
const PHASES = [
  { id: 'connect', label: 'before it was sent', names: ['queueing', 'blocked', 'dns', 'connect', 'send'] },
  { id: 'wait', label: 'waiting', names: ['wait'] },
  { id: 'receive', label: 'receiving', names: ['receive'] },
] as const;

/** Milliseconds of each phase. */
export function phasesOf({ network, duration }: Exchange): { id: string; label: string; time: number }[] {
  const timings = network?.timings ?? {};
  const phases = PHASES.map(({ id, label, names }) => ({ id, label, time: names.reduce((sum, name) => sum + (timings[name] ?? 0), 0) }));
  return phases.some(({ time }) => time > 0) ? phases : [{ id: 'receive', label: 'in all', time: Math.max(0, duration) }];
}

/** A request as a bar in the time of all requests. */
export function Waterfall({ exchange, range }: { exchange: Exchange; range: TimeRange }) {
  if (exchange.method === 'FILE') return null;
  const length = Math.max(1, range.end - range.from);
  const start = exchange.time - range.from;
  const phases = phasesOf(exchange);
  const percent = (time: number): string => `${((100 * time) / length).toFixed(3)}%`;
  const title = [
    `${formatMilliseconds(start)} after the first request`,
    ...phases.map(({ label, time }) => `${formatMilliseconds(time)} ${label}`),
  ].join(', ');
  return (
    <span class="request-bar" title={title} role="img" aria-label={title}>
      <i style={{ width: percent(start) }} />
      {phases.map(({ id, time }) => (
        <i key={id} class={`phase-${id}`} style={{ width: percent(time) }} />
      ))}
    </span>
  );
}
