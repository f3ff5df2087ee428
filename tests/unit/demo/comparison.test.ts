import { describe, expect, it } from 'vitest';
import { CONTENDERS } from '../../../demo/contenders/about.ts';
import type { ContenderAbout, ContenderId } from '../../../demo/contenders/contender.ts';
import { announce, compare, figureOf } from '../../../demo/race/comparison.ts';
import { inTurn, median, NO_RUNS, type Outcome, runsLabel, withRun, type Runs } from '../../../demo/race/runs.ts';
import { DecodeError } from '../../../core/errors.ts';

const contender = (id: ContenderId): ContenderAbout => ({ ...CONTENDERS.find((about) => about.id === id)!, title: id });

const outcome = (longestBlock: number, readyMs: number, totalMs: number): Outcome => ({
  encoding: 'json',
  bytes: 1_000,
  rowCount: 10,
  readyMs,
  totalMs,
  recording: { frames: [], longestBlock, wasHidden: false },
});

const ran = (first: Outcome, ...warm: Outcome[]): Runs => ({ first, warm });

describe('compare', () => {
  it('compares first runs with first runs and warm runs with warm runs, on one scale', () => {
    const [parse, own] = compare([
      { contender: contender('json-parse'), runs: ran(outcome(2_000, 2_000, 2_000), outcome(1_000, 1_000, 1_000)) },
      { contender: contender('unspool'), runs: ran(outcome(40, 4_000, 8_000), outcome(20, 500, 500)) },
    ]);
    expect(parse!.lines.map(({ kind, figures }) => [kind, figures.block.share, figures.block.ratio])).toEqual([
      ['first', 1, undefined],
      ['warm', 0.5, undefined],
    ]);
    expect(own!.lines.map(({ figures }) => [figures.block.ratio, figures.ready.ratio, figures.total.ratio])).toEqual([
      [0.02, 2, 4],
      [0.02, 0.5, 0.5],
    ]);
    expect(own!.lines.map(({ figures }) => figures.ready.share)).toEqual([1, 0.125]);
  });

  it('shows warm runs as their median, with their number', () => {
    const runs = ran(outcome(9, 9, 9), outcome(1, 30, 50), outcome(2, 10, 90), outcome(3, 20, 70));
    const [{ lines }] = compare([{ contender: contender('unspool'), runs }]) as [ReturnType<typeof compare>[number]];
    expect(lines.map(({ count }) => count)).toEqual([1, 3]);
    expect([lines[1]!.figures.block.ms, lines[1]!.figures.ready.ms, lines[1]!.figures.total.ms]).toEqual([2, 20, 70]);
    expect(figureOf(runs, 'first', 'ready')).toBe(9);
  });

  it('omits ratios without the baseline, and contenders that have not run', () => {
    const rows = compare([
      { contender: contender('json-parse'), runs: NO_RUNS },
      { contender: contender('clone'), runs: ran(outcome(100, 200, 200)) },
    ]);
    expect(rows.map((row) => row.contender.id)).toEqual(['clone']);
    expect(rows[0]!.lines.map(({ kind, figures }) => [kind, figures.ready.ratio])).toEqual([['first', undefined]]);
  });
});

describe('run history', () => {
  it('discards runs when a page reloads, and keeps them while it stays open', () => {
    const [one, two, three] = [outcome(1, 1, 1), outcome(2, 2, 2), outcome(3, 3, 3)];
    const kept = withRun(withRun(withRun(NO_RUNS, 'first', one), 'warm', two), 'warm', three);
    expect(kept).toEqual({ first: one, warm: [two, three] });
    expect(withRun(kept, 'first', three)).toEqual({ first: three, warm: [] });
  });

  it('returns the middle run as the median, or the mean of the two in the middle', () => {
    expect(median([5, 1, 9])).toBe(5);
    expect(median([5, 1, 9, 7])).toBe(6);
    expect(runsLabel('first', 1)).toBe('first (cold)');
    expect(runsLabel('warm', 4)).toBe('warm, median of 4');
  });

  it('starts with a different contender each round', () => {
    const firsts = [0, 1, 2, 3, 4].map((turn) => inTurn(['a', 'b', 'c', 'd'], turn)[0]);
    expect(firsts).toEqual(['a', 'b', 'c', 'd', 'a']);
    expect(inTurn(['a', 'b', 'c', 'd'], 6)).toEqual(['c', 'd', 'a', 'b']);
  });
});

describe('announce', () => {
  it('announces the run and its figures in words', () => {
    expect(announce({ title: 'Unspool' }, { phase: 'done', kind: 'warm', outcome: outcome(12.4, 640, 1_300) })).toBe(
      'Unspool, warm: rows after 640 milliseconds, the page blocked for up to 12 milliseconds.',
    );
  });

  it('announces a failed run, and nothing while a lane runs', () => {
    const error = new DecodeError('truncated', 'the input ends inside a value', { format: 'json' });
    expect(announce({ title: 'Unspool' }, { phase: 'failed', error, encoding: 'json', recording: undefined })).toBe(
      'Unspool failed: The payload ends too early.',
    );
    expect(announce({ title: 'Unspool' }, { phase: 'preparing', kind: 'first' })).toBe('');
  });
});
