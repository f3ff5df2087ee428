import { readFileSync, rmSync } from 'node:fs';
import { programOf, ROOT } from '../run.mjs';
import { runWatched } from './watched.mjs';

/**
 * Runs Vitest once, and sees to it that it ends: see `runWatched`.
 *
 * @param {readonly string[]} options
 * @param {{ summary: string, minutes: number }} how `summary` names the file for what `tests/setup/reporters/summary-reporter.ts`
 *   writes; `minutes` is how long it may take
 * @returns {Promise<number>} the status with which it ended
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

/** The exit status that a summary stands for, or undefined before there is one. */
function statusIn(/** @type {string} */ file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).failed === 0 ? 0 : 1;
  } catch {
    return undefined;
  }
}
