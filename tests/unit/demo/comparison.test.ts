import { describe, expect, it } from 'vitest';
import type { Contender, ContenderId } from '../../../demo/contenders/contender.ts';
import { announce, compare } from '../../../demo/models/comparison.ts';
import type { LaneState, Outcome } from '../../../demo/models/race.ts';

const contender = (id: ContenderId): Contender => ({
  id,
  title: id,
  how: '',
  encodingFor: (chosen) => chosen,
  prepare: () => Promise.resolve(),
  decode: () => Promise.reject(new Error('Does not run here')),
});

const outcome = (longestBlock: number, readyMs: number, totalMs: number): Outcome => ({
  encoding: 'json',
  bytes: 1_000,
  rowCount: 10,
  readyMs,
  totalMs,
  recording: { frames: [], longestBlock, wasHidden: false },
});

const done = (id: ContenderId, ...figures: Parameters<typeof outcome>): { contender: Contender; state: LaneState } => ({
  contender: contender(id),
  state: { phase: 'done', outcome: outcome(...figures) },
});

describe('compare', () => {
  it('gives each figure its share of the longest and its ratio to the baseline', () => {
    const [parse, own] = compare([done('json-parse', 2_000, 2_000, 2_000), done('unspool', 20, 500, 1_000)]);
    expect(parse!.figures.map(({ share, ratio }) => [share, ratio])).toEqual([
      [1, undefined],
      [1, undefined],
      [1, undefined],
    ]);
    expect(own!.figures.map(({ ms, share, ratio }) => [ms, share, ratio])).toEqual([
      [20, 0.01, 0.01],
      [500, 0.25, 0.25],
      [1_000, 0.5, 0.5],
    ]);
  });

  it('has no ratios without the baseline, and leaves out what has not run', () => {
    const rows = compare([
      { contender: contender('json-parse'), state: { phase: 'idle' } },
      done('clone', 100, 200, 200),
      { contender: contender('unspool'), state: { phase: 'failed', error: new Error('x'), encoding: 'json', recording: undefined } },
    ]);
    expect(rows.map((row) => row.contender.id)).toEqual(['clone']);
    expect(rows[0]!.figures.every(({ ratio }) => ratio === undefined)).toBe(true);
  });
});

describe('announce', () => {
  it('says the figures as words', () => {
    expect(announce(contender('unspool'), outcome(12.4, 640, 1_300))).toBe(
      'unspool is done: rows after 640 milliseconds, the page blocked for up to 12 milliseconds.',
    );
  });
});
