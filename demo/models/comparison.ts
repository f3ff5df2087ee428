import type { Contender, ContenderId } from '../contenders/contender.ts';
import type { LaneState, Outcome } from './race.ts';

export type Metric = 'block' | 'ready' | 'total';

export const METRICS: readonly { id: Metric; label: string; note: string }[] = [
  { id: 'block', label: 'Longest block', note: 'The longest time the page stood still.' },
  { id: 'ready', label: 'Time to rows', note: 'Until any row can be read.' },
  { id: 'total', label: 'Time to all objects', note: 'Until every row is a plain object.' },
];

export function metricOf({ recording, readyMs, totalMs }: Outcome, metric: Metric): number {
  return metric === 'block' ? recording.longestBlock : metric === 'ready' ? readyMs : totalMs;
}

export interface Figure {
  metric: Metric;
  ms: number;
  /** Its share of the longest in its column, from 0 to 1. */
  share: number;
  /** How many times the baseline's; undefined for the baseline itself, and where it has not run. */
  ratio: number | undefined;
}

export interface ComparisonRow {
  contender: Contender;
  outcome: Outcome;
  figures: Figure[];
}

/** The contender that the others are compared with: what pages do without any library. */
export const BASELINE: ContenderId = 'json-parse';

/** The runs that are done, side by side. */
export function compare(lanes: readonly { contender: Contender; state: LaneState }[]): ComparisonRow[] {
  const done = lanes.flatMap(({ contender, state }) => (state.phase === 'done' ? [{ contender, outcome: state.outcome }] : []));
  const baseline = done.find(({ contender }) => contender.id === BASELINE)?.outcome;
  return done.map(({ contender, outcome }) => ({
    contender,
    outcome,
    figures: METRICS.map(({ id }) => {
      const ms = metricOf(outcome, id);
      const longest = Math.max(...done.map((other) => metricOf(other.outcome, id)));
      return {
        metric: id,
        ms,
        share: longest > 0 ? ms / longest : 0,
        ratio: baseline && baseline !== outcome ? ms / metricOf(baseline, id) : undefined,
      };
    }),
  }));
}

/** A run as one sentence, for screen readers. */
export function announce({ title }: Contender, { readyMs, recording }: Outcome): string {
  return `${title} is done: rows after ${spoken(readyMs)}, the page blocked for up to ${spoken(recording.longestBlock)}.`;
}

function spoken(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} milliseconds` : `${(ms / 1_000).toFixed(1)} seconds`;
}
