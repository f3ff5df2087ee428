#!/usr/bin/env node
/**
 * Runs the tests, in one of two tiers:
 *
 *   npm test              the unit tests in Node with a part of the random cases, most browser tests in Chromium, and
 *                         smoke tests of the packed package and of the payloads of the demo
 *   npm run test:deep     everything: all cases, every installed browser, the end-to-end tests
 *
 * Vitest's arguments may follow, as in `npm test -- --project chromium tests/browser/main/decoder/pool.test.ts`. After
 * `npm test`, `npm run test:deep -- --rest` runs the part of the deep tier that has not run in full.
 *
 * Chromium is installed if missing; other browsers are used if installed. `UNSPOOL_SUMMARY` names a file for the
 * results, see `summary.mjs`. `UNSPOOL_PATIENCE` multiplies the time limit of each step, for busy machines.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ENGINES, provide } from './browsers.mjs';
import { describe, merge } from './summary.mjs';
import { runVitest } from './testing/vitest.mjs';

/**
 * Runs of Vitest. Each has its own time limit, so that a hanging run does not affect the others.
 *
 * @typedef {{ projects: string[], minutes: number }} Step
 * @type {Readonly<Record<'quick' | 'deep', readonly Step[]>>}
 */
const STEPS = {
  quick: [{ projects: ['node', 'growth', 'chromium', 'smoke'], minutes: 18 }],
  deep: [
    { projects: ['node', 'growth'], minutes: 18 },
    { projects: [...ENGINES, ...ENGINES.map((engine) => `${engine}-formats`), 'e2e'], minutes: 35 },
  ],
};

const patience = Number(process.env['UNSPOOL_PATIENCE'] ?? 1);
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
      const summary = await once([...chosen, ...options], { summary: file, minutes: minutes * patience });
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
 * @returns {Promise<import('./summary.mjs').Summary>} with one failure if the run did not complete
 */
async function once(tests, how) {
  const status = await runVitest(tests, how);
  const summary = read(how.summary) ?? { passed: 0, failed: 0, skipped: 0, files: {}, failures: [] };
  return status !== 0 && summary.failed === 0 ? { ...summary, failed: 1 } : summary;
}

/**
 * @param {string} file
 * @returns {import('./summary.mjs').Summary | undefined} undefined if the tests did not complete
 */
function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
