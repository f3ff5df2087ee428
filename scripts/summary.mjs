import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Results of a test run, as written by `tests/setup/reporters/summary-reporter.ts`.
 *
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 * @typedef {Counts & { files: Record<string, Counts>, failures: string[] }} Summary `files` has the counts of each
 *   file, by project and path; `failures` names the failed tests; `failed` also counts errors outside any file, and
 *   incomplete runs
 */

/**
 * Merges runs. A file that ran several times counts with its last results, but with the most failures of any run.
 *
 * @param {readonly Summary[]} summaries
 * @returns {Summary}
 */
export function merge(summaries) {
  /** @type {Record<string, Counts>} */
  const files = {};
  const failures = new Set();
  let outside = 0;
  for (const summary of summaries) {
    for (const name of summary.failures) failures.add(name);
    outside += summary.failed - total(summary.files, 'failed');
    for (const [name, counts] of Object.entries(summary.files)) {
      files[name] = { ...counts, failed: Math.max(counts.failed, files[name]?.failed ?? 0) };
    }
  }
  return summaryOf(files, { outside, failures: [...failures] });
}

/**
 * @param {Record<string, Counts>} files
 * @param {{ outside: number, failures: string[] }} how `outside` is the number of failures outside any file
 * @returns {Summary}
 */
export function summaryOf(files, { outside, failures }) {
  const failed = total(files, 'failed') + outside;
  return { passed: total(files, 'passed'), failed, skipped: total(files, 'skipped'), files, failures };
}

/**
 * @param {Counts} counts
 * @returns {string} such as `12 passed, 0 failed, 1 skipped`
 */
export function describe({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/**
 * @param {Record<string, Counts>} files
 * @param {keyof Counts} state
 */
function total(files, state) {
  return Object.values(files).reduce((sum, counts) => sum + counts[state], 0);
}

/**
 * Prints the last line of `.ci/run`. A step that failed without a failed test counts as one failure.
 *
 * @param {string} folder contains a summary per step, `<step>.json`; steps without tests have none
 * @param {readonly string[]} steps as `<step>=<exit status>`
 */
function conclude(folder, steps) {
  /** @type {Summary[]} */
  const summaries = [];
  for (const step of steps) {
    const [name, status] = step.split('=');
    /** @type {Summary} */
    let summary = { passed: 0, failed: 0, skipped: 0, files: {}, failures: [] };
    try {
      summary = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
    } catch {
      // The step has no tests, or did not complete.
    }
    summaries.push(summary.failed === 0 && status !== '0' ? { ...summary, failed: 1 } : summary);
  }
  const { passed, failed } = merge(summaries);
  console.log(`\n${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder = '', ...steps] = process.argv.slice(2);
  conclude(folder, steps);
}
