#!/usr/bin/env node
/**
 * Runs the tests repeatedly, and lists each test that did not pass every time:
 *
 *   npm run test:steady                            the quick tier, ten times
 *   npm run test:steady -- --tier deep --rounds 3  the deep tier, three times
 *
 * Every second round runs under load: on one core, together with eight busy processes. `--load all` or `--load none`
 * changes that for all rounds. The output of a failed round is printed in full.
 */
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../run.mjs';
import { describe } from '../summary.mjs';

const BUSY_PROCESSES = 8;
/** Factor for the time limits in a loaded round. */
const PATIENCE = 8;

/** Ends with its parent, which may be killed before it can end this process. */
const BUSY = 'const parent = process.ppid; while (process.ppid === parent);';

const { values } = parseArgs({
  options: {
    tier: { type: 'string', default: 'quick' },
    rounds: { type: 'string', default: '10' },
    load: { type: 'string', default: 'half' },
  },
});
const rounds = Number(values.rounds);
const canPin = spawnSync('taskset', ['--version']).status === 0;
if (!canPin) console.log('taskset is not available: loaded rounds run on all cores');

/** @type {Map<string, number>} how many rounds each test failed in */
const failures = new Map();
let passed = 0;
const folder = mkdtempSync(join(tmpdir(), 'unspool-steady-'));
try {
  for (let round = 1; round <= rounds; round++) {
    const loaded = values.load === 'all' || (values.load === 'half' && round % 2 === 0);
    if (await passes(round, loaded)) passed++;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const [name, count] of failures) console.log(`failed in ${count} of ${rounds} rounds: ${name}`);
console.log(`\n${passed} of ${rounds} rounds passed`);
process.exitCode = passed === rounds ? 0 : 1;

/**
 * @param {number} round
 * @param {boolean} loaded
 * @returns {Promise<boolean>}
 */
async function passes(round, loaded) {
  const summaryFile = join(folder, `${round}.json`);
  const outputFile = join(folder, `${round}.txt`);
  const tests = [process.execPath, 'scripts/test.mjs', ...(values.tier === 'deep' ? ['--deep'] : [])];
  const [command = '', ...options] = loaded && canPin ? ['taskset', '-c', '0', ...tests] : tests;
  const busy = loaded ? Array.from({ length: BUSY_PROCESSES }, () => spawn(process.execPath, ['-e', BUSY], { stdio: 'ignore' })) : [];
  const start = performance.now();
  const output = openSync(outputFile, 'w');
  /** @type {number | null} */
  let status;
  try {
    status = await new Promise((settle, reject) => {
      const env = { ...process.env, NO_COLOR: '1', UNSPOOL_SUMMARY: summaryFile, UNSPOOL_PATIENCE: `${loaded ? PATIENCE : 1}` };
      spawn(command, options, { cwd: ROOT, env, stdio: ['ignore', output, output] })
        .once('error', reject)
        .once('exit', settle);
    });
  } finally {
    closeSync(output);
    for (const process of busy) process.kill('SIGKILL');
  }
  const summary = readSummary(summaryFile);
  const seconds = Math.round((performance.now() - start) / 1000);
  console.log(`round ${round}${loaded ? ', loaded' : ''}: ${summary ? describe(summary) : 'did not complete'}, ${seconds} s`);
  for (const name of summary?.failures ?? []) failures.set(name, (failures.get(name) ?? 0) + 1);
  if (status !== 0) console.log(readFileSync(outputFile, 'utf8'));
  return status === 0;
}

/**
 * @param {string} file
 * @returns {import('../summary.mjs').Summary | undefined} undefined if the tests did not complete
 */
function readSummary(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
