import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../../scripts/run.mjs';
import { SUBJECTS } from '../../fuzz/targets.ts';

const FOLDER = join(ROOT, '.github/workflows');

interface Job {
  name: string;
  /** Lines of the job, with their indentation. */
  text: string;
}

/** Splits a workflow into jobs by their indentation of two columns. */
function jobsOf(workflow: string): Job[] {
  const [, jobs = ''] = workflow.split(/^jobs:\n/m);
  const [, ...parts] = jobs.split(/^ {2}([\w-]+):\n/m);
  return Array.from({ length: parts.length / 2 }, (_, index) => ({ name: parts[2 * index]!, text: parts[2 * index + 1]! }));
}

/** Commands that install packages or run package code. */
const RUNS_PACKAGES = /\b(?:npm (?:ci|i|install|run|test|exec)|npx|node|yarn|pnpm)\b|\.ci\/run/;
const COMMAND = /^ *-? *run: (.*(?:\n {10,}.*)*)/gm;

describe.each(readdirSync(FOLDER))('workflow %s', (file) => {
  const workflow = readFileSync(join(FOLDER, file), 'utf8');
  const jobs = jobsOf(workflow);
  const uses = [...workflow.matchAll(/\buses: *(.*)/g)].map(([, action]) => action!);

  it('defines jobs, each with a time limit and explicit permissions', () => {
    expect(jobs).not.toEqual([]);
    expect(jobs.filter(({ text }) => !/^ {4}timeout-minutes: \d+$/m.test(text)).map(({ name }) => name)).toEqual([]);
    expect(jobs.filter(({ text }) => !/^ {4}permissions:(?: \{\})?$/m.test(text)).map(({ name }) => name)).toEqual([]);
  });

  it('grants its jobs no permission that they do not request', () => {
    expect(workflow).toMatch(/^permissions: \{\}$/m);
    expect(workflow).not.toMatch(/write-all|read-all/);
  });

  it('pins each action to a commit, and names the version', () => {
    expect(uses).not.toEqual([]);
    expect(uses.filter((action) => !/^[\w-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([]);
  });

  it('stores no token in the clone', () => {
    const checkouts = workflow.split(/^ {6}- /m).filter((step) => step.includes('uses: actions/checkout@'));
    expect(checkouts.filter((step) => !step.includes('persist-credentials: false'))).toEqual([]);
  });

  it('installs only packages that a lockfile names', () => {
    expect(workflow.match(/\b(?:npm (?:i|install|add|exec)|npx|pnpm|yarn)\b.*/g) ?? []).toEqual([]);
  });

  it('runs no package scripts during installation', () => {
    expect(workflow.match(/\bnpm (?:ci|install)\b(?!.*--ignore-scripts).*/g) ?? []).toEqual([]);
  });

  it('runs no code of the project or of packages in a job that can prove its identity', () => {
    for (const { text } of jobs.filter((job) => job.text.includes('id-token: write'))) {
      expect(text).not.toContain('actions/checkout@');
      expect([...text.matchAll(COMMAND)].map(([, command]) => command!).filter((command) => RUNS_PACKAGES.test(command))).toEqual([]);
    }
  });

  it('passes expressions to commands in environment variables, not in the command text', () => {
    const commands = [...workflow.matchAll(COMMAND)].map(([, command]) => command!);
    expect(commands.filter((command) => command.includes('${{'))).toEqual([]);
  });
});

describe('release workflow', () => {
  const jobs = jobsOf(readFileSync(join(FOLDER, 'release.yml'), 'utf8'));

  it('lets only one job prove its identity, in a protected environment, without scripts', () => {
    expect(jobs.filter(({ text }) => text.includes('id-token')).map(({ name }) => name)).toEqual(['publish']);
    const { text } = jobs.find(({ name }) => name === 'publish')!;
    expect(text).toMatch(/^ {4}environment: npm$/m);
    expect(text).toMatch(/npm publish .*--ignore-scripts/);
  });

  it('publishes the tarball only after verifying its digest', () => {
    const { text } = jobs.find(({ name }) => name === 'publish')!;
    expect(text.indexOf('sha256sum --check')).toBeGreaterThan(0);
    expect(text.indexOf('npm publish')).toBeGreaterThan(text.indexOf('sha256sum --check'));
  });
});

it('fuzzes every subject each night', () => {
  const [, formats] = /format: \[(.*)\]/.exec(readFileSync(join(FOLDER, 'fuzz.yml'), 'utf8'))!;
  expect(formats!.split(', ')).toEqual(expect.arrayContaining([...SUBJECTS]));
});

it('analyses the sources and the repository, and updates packages and actions', () => {
  expect(readFileSync(join(FOLDER, 'codeql.yml'), 'utf8')).toContain('github/codeql-action/analyze@');
  expect(readFileSync(join(FOLDER, 'scorecard.yml'), 'utf8')).toContain('ossf/scorecard-action@');
  const updates = readFileSync(join(ROOT, '.github/dependabot.yml'), 'utf8');
  expect([...updates.matchAll(/package-ecosystem: (.*)/g)].map(([, name]) => name)).toEqual(['npm', 'github-actions']);
});
