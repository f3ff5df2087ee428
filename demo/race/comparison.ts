import type { Contender, ContenderAbout, ContenderId } from '../contenders/contender.ts';
import { describeError } from '../errors/describe-error.ts';
import type { LaneState } from './race.ts';
import { median, type Outcome, RUN_LABELS, type RunKind, type Runs, runsOf } from './runs.ts';

export type Metric = 'block' | 'ready' | 'total';

export const METRICS: readonly { id: Metric; label: string; note: string }[] = [
  { id: 'block', label: 'Longest block', note: 'The longest time the page was blocked.' },
  { id: 'ready', label: 'Time to rows', note: 'Until any row can be read.' },
  { id: 'total', label: 'Time to all objects', note: 'Until every row is a plain object.' },
];

const KINDS: readonly RunKind[] = ['first', 'warm'];

export function metricOf({ recording, readyMs, totalMs }: Outcome, metric: Metric): number {
  return metric === 'block' ? recording.longestBlock : metric === 'ready' ? readyMs : totalMs;
}

/** The median of the runs of one kind; undefined without runs. */
export function figureOf(runs: Runs, kind: RunKind, metric: Metric): number | undefined {
  const outcomes = runsOf(runs, kind);
  return outcomes.length > 0 ? median(outcomes.map((outcome) => metricOf(outcome, metric))) : undefined;
}

export interface Figure {
  ms: number;
  /** Share of the longest bar in its chart, from 0 to 1. */
  share: number;
  /** Ratio to the baseline of the same kind; undefined for the baseline, or if it has not run. */
  ratio: number | undefined;
}

export interface ComparisonLine {
  kind: RunKind;
  /** Number of runs behind the medians. */
  count: number;
  figures: Record<Metric, Figure>;
}

export interface ComparisonRow {
  contender: ContenderAbout;
  /** The first run, and the medians of the warm runs. */
  lines: ComparisonLine[];
}

/** The contender that the others are compared with: JSON without a library. */
export const BASELINE: ContenderId = 'json-parse';

/** Compares the contenders that have run. */
export function compare(lanes: readonly { contender: ContenderAbout; runs: Runs }[]): ComparisonRow[] {
  const baseline = lanes.find(({ contender }) => contender.id === BASELINE);
  const longest = (metric: Metric): number => Math.max(0, ...lanes.flatMap(({ runs }) => KINDS.map((kind) => figureOf(runs, kind, metric) ?? 0)));
  const scale = { block: longest('block'), ready: longest('ready'), total: longest('total') };

  const lineOf = ({ contender, runs }: (typeof lanes)[number], kind: RunKind): ComparisonLine[] => {
    const { length: count } = runsOf(runs, kind);
    if (count === 0) return [];
    const figure = (metric: Metric): Figure => {
      const ms = figureOf(runs, kind, metric)!;
      const base = baseline && contender.id !== BASELINE ? figureOf(baseline.runs, kind, metric) : undefined;
      return { ms, share: scale[metric] > 0 ? ms / scale[metric] : 0, ratio: base === undefined ? undefined : ms / base };
    };
    return [{ kind, count, figures: { block: figure('block'), ready: figure('ready'), total: figure('total') } }];
  };
  return lanes
    .map((lane) => ({ contender: lane.contender, lines: KINDS.flatMap((kind) => lineOf(lane, kind)) }))
    .filter(({ lines }) => lines.length > 0);
}

/** Describes how a run ended for screen readers; empty before the end. */
export function announce({ title }: Pick<Contender, 'title'>, state: LaneState): string {
  if (state.phase === 'failed') return `${title} failed: ${describeError(state.error, title).title}.`;
  if (state.phase !== 'done') return '';
  const { readyMs, recording } = state.outcome;
  return `${title}, ${RUN_LABELS[state.kind]}: rows after ${spoken(readyMs)}, the page blocked for up to ${spoken(recording.longestBlock)}.`;
}

function spoken(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} milliseconds` : `${(ms / 1_000).toFixed(1)} seconds`;
}
