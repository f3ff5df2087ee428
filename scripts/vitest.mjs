import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programOf, ROOT } from './run.mjs';
import { runWatched } from './watched.mjs';

/**
 * Runs Vitest once, and sees to it that it ends: see `runWatched`.
 *
 * @param {readonly string[]} options
 * @param {{ summary?: string | undefined, quiet?: boolean }} [how] `summary` names the file for what
 *   `tests/setup/summary-reporter.ts` writes; `quiet` shows the output only when a test fails
 * @returns {Promise<number>} the status with which it ended
 */
export async function runVitest(options, { summary, quiet = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'unspool-vitest-'));
  const file = summary ?? join(folder, 'summary.json');
  rmSync(file, { force: true });
  const output = join(folder, 'output.txt');
  const printed = quiet ? openSync(output, 'w') : undefined;
  try {
    const status = await runWatched(process.execPath, [programOf('vitest'), 'run', ...options], {
      cwd: ROOT,
      env: { ...process.env, UNSPOOL_SUMMARY: file },
      stdio: printed === undefined ? 'inherit' : ['ignore', printed, printed],
      result: () => statusIn(file),
    });
    if (quiet && status !== 0) process.stdout.write(readFileSync(output));
    return status;
  } finally {
    if (printed !== undefined) closeSync(printed);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The exit status that a summary stands for, or undefined before there is one. */
function statusIn(/** @type {string} */ file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).failed === 0 ? 0 : 1;
  } catch {
    return undefined;
  }
}
