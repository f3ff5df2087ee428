import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../../scripts/run.mjs';
import type { FuzzResult } from '../../fuzz/fuzz.ts';
import { laterSeed, Random } from '../../fuzz/mutate.ts';
import { type Runner, share, type Slice, slicesOf } from '../../fuzz/plan.ts';

const sum = (slices: readonly Slice[], target: number): number => slices.reduce((all, slice) => all + (slice.target === target ? slice.count : 0), 0);
const good = ({ count }: Slice): FuzzResult => ({ good: count, refused: 0, faults: [] });

describe('slicesOf', () => {
  it('covers all inputs of each target', () => {
    const counts = [1_000_000, 250_000, 12_345, 0, 1];
    const slices = slicesOf(counts, 1);
    expect(counts.map((_, target) => sum(slices, target))).toEqual(counts);
  });

  it('starts with the seed itself, so that one slice can be run again', () => {
    const { count, seed } = slicesOf([50_000], 77)[3]!;
    expect(slicesOf([count], seed)).toEqual([{ target: 0, count, seed }]);
    expect(slicesOf([50_000], 77)[0]!.seed).toBe(77);
  });

  it('uses no random number twice', () => {
    const random = new Random(5);
    for (let taken = 0; taken < 2 ** 18; taken += 1) random.below(2);
    const next = new Random(laterSeed(5, 1));
    const [rest, first] = [random, next].map((from) => Array.from({ length: 20 }, () => from.below(1_000_000)));
    expect(first).toEqual(rest);
    expect(new Set(Array.from({ length: 2 ** 14 }, (_, slice) => laterSeed(5, slice))).size).toBe(2 ** 14);
  });

  it('leaves out the inputs that an earlier run has had, and no others', () => {
    const all = slicesOf([100_000, 50_000], 1);
    expect(slicesOf([100_000, 50_000], 1, 0.4)).toEqual(all.slice(6));
  });

  it('advances all targets at the same rate', () => {
    const slices = slicesOf([100_000, 50_000], 1);
    const half = slices.slice(0, slices.length / 2);
    expect(Math.abs(sum(half, 0) - 2 * sum(half, 1))).toBeLessThanOrEqual(20_000);
  });
});

describe('share', () => {
  it('runs each slice once with any number of processes', async () => {
    for (const runners of [1, 3, 100]) {
      const done: Slice[] = [];
      const start = (): Runner => ({ run: async (slice) => good(slice), end() {} });
      await share(slicesOf([100_000, 7], 1), { runners, start, skip: () => false, done: (slice) => done.push(slice) });
      expect(done.toSorted((a, b) => a.target - b.target || a.seed - b.seed)).toEqual(
        slicesOf([100_000, 7], 1).toSorted((a, b) => a.target - b.target || a.seed - b.seed),
      );
    }
  });

  it('reports a slice with its seed if the process dies, and continues with another', async () => {
    const results: FuzzResult[] = [];
    let started = 0;
    let ended = 0;
    const start = (): Runner => {
      const first = started++ === 0;
      return {
        run: (slice) => (first ? Promise.reject(new Error('The process ended (SIGABRT)')) : Promise.resolve(good(slice))),
        end: () => (ended += 1),
      };
    };
    await share(slicesOf([30_000], 9), { runners: 1, start, skip: () => false, done: (_, result) => results.push(result) });
    expect(results.map(({ faults }) => faults)).toEqual([['Error: The process ended (SIGABRT), with --count 10000 --seed 9'], [], []]);
    expect([started, ended]).toEqual([2, 2]);
  });

  it('omits skipped slices', async () => {
    const done: Slice[] = [];
    const start = (): Runner => ({ run: async (slice) => good(slice), end() {} });
    await share(slicesOf([30_000, 30_000], 1), { runners: 2, start, skip: ({ target }) => target === 1, done: (slice) => done.push(slice) });
    expect([sum(done, 0), sum(done, 1)]).toEqual([30_000, 0]);
  });
});

describe('npm run fuzz', () => {
  it('shares the inputs among processes and writes the totals', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'unspool-fuzz-'));
    try {
      const summary = join(folder, 'summary.json');
      const options = ['--format', 'bebop', '--count', '200', '--seed', '3', '--processes', '2', '--summary', summary];
      const run = spawn(process.execPath, ['tests/fuzz/run.mjs', ...options], { cwd: ROOT, stdio: 'ignore' });
      expect(await once(run, 'exit')).toEqual([0, null]);
      const { seed, inputs, findings, targets } = JSON.parse(await readFile(summary, 'utf8')) as {
        seed: number;
        inputs: number;
        findings: number;
        targets: { name: string; inputs: number; good: number; refused: number; findings: string[] }[];
      };
      expect({ seed, inputs, findings }).toEqual({ seed: 3, inputs: 200 + 2 * 50 + 20 + 2 * 10, findings: 0 });
      expect(targets.map(({ name, inputs }) => [name, inputs])).toEqual([
        ['decoded', 200],
        ['decoded into columns', 50],
        ['written and read again', 50],
        ['written as trees', 20],
        ['compiled: .bop texts', 10],
        ['compiled: binary schemas', 10],
      ]);
      expect(targets.every((target) => target.good + target.refused === target.inputs)).toBe(true);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
