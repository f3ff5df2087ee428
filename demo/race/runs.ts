import type { Encoding } from '../payloads/catalogue.ts';
import type { Recording } from '../frames/frame-monitor.ts';

/** Measurements of one run. Times are in milliseconds. */
export interface Outcome {
  encoding: Encoding;
  bytes: number;
  rowCount: number;
  readyMs: number;
  totalMs: number;
  recording: Recording;
}

/** `first`: in a new page. `warm`: later in the same page. */
export type RunKind = 'first' | 'warm';

export const RUN_LABELS: Record<RunKind, string> = { first: 'first (cold)', warm: 'warm' };

/** The runs of one contender in one page. */
export interface Runs {
  first: Outcome | undefined;
  /** The newest last. */
  warm: readonly Outcome[];
}

export const NO_RUNS: Runs = { first: undefined, warm: [] };

/** More runs would hardly change the median. */
const MAX_WARM = 25;

export function withRun({ first, warm }: Runs, kind: RunKind, outcome: Outcome): Runs {
  return kind === 'first' ? { first: outcome, warm: [] } : { first, warm: [...warm, outcome].slice(-MAX_WARM) };
}

/** The runs of one kind. */
export function runsOf({ first, warm }: Runs, kind: RunKind): readonly Outcome[] {
  return kind === 'warm' ? warm : first ? [first] : [];
}

/** `warm, median of 3` */
export function runsLabel(kind: RunKind, count: number): string {
  return count > 1 ? `${RUN_LABELS[kind]}, median of ${count}` : RUN_LABELS[kind];
}

/** The middle value, or the mean of the two middle values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle) - 1]!) / 2;
}

/** Rotates the items by `turn`, so that each comes first once in as many turns. */
export function inTurn<Item>(items: readonly Item[], turn: number): Item[] {
  const start = turn % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}
