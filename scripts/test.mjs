#!/usr/bin/env node
/**
 * Runs the tests, in one of two tiers:
 *
 *   npm test              the unit tests in Node with a tenth of the random cases, the browser tests in Chromium, and a
 *                         smoke test of the packed package, and of the demo's server
 *   npm run test:deep     everything: all cases, every browser that is there, the end-to-end tests
 *
 * Vitest's arguments may follow, as in `npm test -- --project chromium tests/browser/decoder/pool.test.ts`. After
 * `npm test`, `npm run test:deep -- --rest` runs what of the deep tier did not run in full.
 *
 * Chromium is installed where it is missing; other browsers are used where they are. `UNSPOOL_SUMMARY` names a file for
 * the numbers, see `summary.mjs`. Where `CI` is set, up to three files that failed run once more: what passes then is
 * named as unsteady, and does not fail the run.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ENGINES, provide } from './browsers.mjs';
import { describe, failedFiles, merge, withFiles } from './summary.mjs';
import { runVitest } from './vitest.mjs';

/**
 * Runs of Vitest, each with a limit of its own, so that one that hangs does not cost the others.
 *
 * @typedef {{ projects: string[], minutes: number }} Step
 * @type {Readonly<Record<'quick' | 'deep', readonly Step[]>>}
 */
const STEPS = {
  quick: [{ projects: ['node', 'chromium', 'smoke'], minutes: 12 }],
  deep: [
    { projects: ['node'], minutes: 8 },
    { projects: ['chromium', 'firefox'], minutes: 10 },
    { projects: ['webkit', 'e2e'], minutes: 12 },
    { projects: ['demo'], minutes: 6 },
  ],
};

/** More files than this that fail say that something is broken. */
const MOST_UNSTEADY = 3;

const given = process.argv.slice(2);
const isRest = given.includes('--rest');
const isDeep = isRest || given.includes('--deep');
const options = given.filter((option) => option !== '--rest' && option !== '--deep');

process.env['UNSPOOL_TIER'] = isRest ? 'rest' : isDeep ? 'deep' : 'quick';
process.exitCode = provide({ engines: isDeep ? ENGINES : ['chromium'], install: ['chromium'] }) ? await run() : 1;

/** @returns {Promise<number>} the exit status */
async function run() {
  const steps = STEPS[isDeep ? 'deep' : 'quick'];
  const all = { projects: [], minutes: steps.reduce((sum, { minutes }) => sum + minutes, 0) };
  const folder = mkdtempSync(join(tmpdir(), 'unspool-tests-'));
  const failed = [];
  const summaries = [];
  try {
    for (const { projects, minutes } of options.length > 0 ? [all] : steps) {
      const file = join(folder, 'summary.json');
      const chosen = projects.flatMap((name) => ['--project', name]);
      const summary = await again(await once([...chosen, ...options], { summary: file, minutes }), file);
      if (summary.failed > 0) failed.push(projects.join(', ') || 'some');
      summaries.push(summary);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const summary = merge(summaries);
  const target = process.env['UNSPOOL_SUMMARY'];
  if (target) writeFileSync(target, JSON.stringify(summary));
  if (summaries.length > 1) console.log(`\nAll tests: ${describe(summary)}${failed.map((step) => `\nfailed: ${step}`).join('')}`);
  return failed.length === 0 ? 0 : 1;
}

/**
 * @param {readonly string[]} tests Vitest's arguments
 * @param {{ summary: string, minutes: number }} how
 * @returns {Promise<import('./summary.mjs').Summary>} one failure where the run did not come to an end
 */
async function once(tests, how) {
  const status = await runVitest(tests, how);
  const summary = read(how.summary) ?? { passed: 0, failed: 0, skipped: 0, files: {} };
  return status !== 0 && summary.failed === 0 ? { ...summary, failed: 1 } : summary;
}

/**
 * Runs the few files that failed once more, in CI: a test that busy cores upset costs a line, and not the run.
 *
 * @param {import('./summary.mjs').Summary} summary
 * @param {string} file
 */
async function again(summary, file) {
  const failed = failedFiles(summary);
  if (!process.env['CI'] || failed === undefined || failed.length === 0 || failed.length > MOST_UNSTEADY) return summary;
  const tests = failed.flatMap((name) => {
    const [project = '', path = ''] = name.split(' ');
    return ['--project', project, path];
  });
  console.log(`\nOnce more: ${failed.join(', ')}`);
  const second = withFiles(summary, failed, await once(tests, { summary: file, minutes: 4 }));
  const unsteady = failed.filter((name) => second.files[name]?.failed === 0);
  if (unsteady.length > 0) console.log(`\nUnsteady, failed once and passed then: ${unsteady.join(', ')}`);
  return second;
}

/**
 * @param {string} file
 * @returns {import('./summary.mjs').Summary | undefined} undefined where the tests did not come to an end
 */
function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
