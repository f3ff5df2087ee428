import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { programOf, ROOT } from '../../../scripts/run.mjs';
import { type Counts, describe as describeCounts, merge, type Summary } from '../../../scripts/summary.mjs';

const counts = (passed: number, failed = 0, skipped = 0): Counts => ({ passed, failed, skipped });
const summary = (files: Record<string, Counts>, outside = 0): Summary => {
  const all = Object.values(files);
  const total = (state: keyof Counts): number => all.reduce((sum, each) => sum + each[state], 0);
  return { passed: total('passed'), failed: total('failed') + outside, skipped: total('skipped'), files, failures: [] };
};

describe('merge', () => {
  it('adds up the files of all runs', () => {
    expect(merge([summary({ a: counts(3, 1) }), summary({ b: counts(2, 0, 4) })])).toMatchObject(counts(5, 1, 4));
  });

  it('counts a file that ran twice once, from its last run', () => {
    expect(merge([summary({ a: counts(3) }), summary({ a: counts(5) })])).toMatchObject(counts(5));
  });

  it('preserves the failures of a file that failed in one run', () => {
    expect(merge([summary({ a: counts(3, 2) }), summary({ a: counts(5) })])).toMatchObject(counts(5, 2));
  });

  it('preserves failures outside of any file', () => {
    expect(merge([summary({ a: counts(3) }, 1), summary({ a: counts(3) }, 2)])).toMatchObject(counts(3, 3));
  });

  it('mentions skipped tests only if there are any', () => {
    expect([counts(3, 1), counts(3, 0, 2)].map(describeCounts)).toEqual(['3 passed, 1 failed', '3 passed, 0 failed, 2 skipped']);
  });
});

describe('last line of .ci/run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'unspool-summary-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'quick.json'), JSON.stringify(summary({ a: counts(3) })));
  writeFileSync(join(folder, 'deep.json'), JSON.stringify(summary({ a: counts(3), b: counts(4, 1) })));

  const conclude = (...steps: string[]): [string, number | null] => {
    const { stdout, status } = spawnSync(process.execPath, [join(ROOT, 'scripts/summary.mjs'), folder, ...steps], { encoding: 'utf8' });
    return [stdout.trim(), status];
  };

  it('gives the number of passed tests if every step passed', () => {
    expect(conclude('quick=0', 'check=0')).toEqual(['3 passed, 0 failed', 0]);
  });

  it('counts failed tests but not their step', () => {
    expect(conclude('quick=0', 'deep=1', 'check=0')).toEqual(['7 passed, 1 failed', 1]);
  });

  it('counts a step that failed without a failed test or never ran its tests', () => {
    expect(conclude('quick=1', 'deep=1', 'check=1', 'missing=124')).toEqual(['7 passed, 4 failed', 1]);
  });
});

describe('summary of a Vitest run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'unspool-summary-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const reporter = JSON.stringify(join(ROOT, 'tests/setup/reporters/summary-reporter.ts'));
  writeFileSync(
    join(folder, 'vitest.config.mjs'),
    `import { SummaryReporter } from ${reporter};
     export default { test: { name: 'own', globals: true, reporters: [new SummaryReporter()] } };`,
  );
  writeFileSync(
    join(folder, 'mixed.test.mjs'),
    `it('passes', () => {});
     it('fails', () => { throw new Error('wanted'); });
     describe('inner', () => it('fails too', () => expect(1).toBe(2)));
     it.skip('skips', () => {});`,
  );
  writeFileSync(join(folder, 'without-tests.test.mjs'), `throw new Error('wanted');`);

  it('counts and names each failed test, and each file that failed to load', () => {
    const file = join(folder, 'summary.json');
    const { status } = spawnSync(process.execPath, [programOf('vitest'), 'run', '--root', folder], {
      env: { ...process.env, UNSPOOL_SUMMARY: file },
    });
    expect(status).toBe(1);
    const written: Summary = JSON.parse(readFileSync(file, 'utf8'));
    const { failures, ...numbers } = written;
    expect(failures.toSorted()).toEqual(['own mixed.test.mjs > fails', 'own mixed.test.mjs > inner > fails too', 'own without-tests.test.mjs']);
    expect(numbers).toEqual({
      ...counts(1, 3, 1),
      files: { 'own mixed.test.mjs': counts(1, 2, 1), 'own without-tests.test.mjs': counts(0, 1) },
    });
    expect(merge([written])).toEqual(written);
  });
});
