import { readFileSync, rmSync } from 'node:fs';
import { programOf, ROOT } from '../run.mjs';
import { runWatched } from './watched.mjs';

/**
 * Runs Vitest once, and makes sure that it ends: see `runWatched`.
 *
 * @param {readonly string[]} options
 * @param {{ summary: string, minutes: number }} how `summary` is the path of the file written by
 *   `tests/setup/reporters/summary-reporter.ts`; `minutes` is the time limit
 * @returns {Promise<number>} the exit status
 */
export function runVitest(options, { summary, minutes }) {
  rmSync(summary, { force: true });
  return runWatched(process.execPath, [programOf('vitest'), 'run', ...options], {
    cwd: ROOT,
    env: { ...process.env, UNSPOOL_SUMMARY: summary },
    stdio: ['ignore', 'inherit', 'inherit'],
    result: () => statusIn(summary),
    limitMs: minutes * 60_000,
  });
}

/** Exit status for a summary; undefined before it is written. */
function statusIn(/** @type {string} */ file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).failed === 0 ? 0 : 1;
  } catch {
    return undefined;
  }
}
