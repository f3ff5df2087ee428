import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);

/** Root folder of the repository. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');

/**
 * Runs a program of an installed package in Node, without a shell, so that it behaves the same on every platform.
 *
 * @param {string} packageName
 * @param {readonly string[]} options
 * @param {{ program?: string, minutes?: number }} [how] `program` is needed if the package has several; after
 *   `minutes`, 10 by default, the program is killed
 * @returns {number} the exit status; 1 if the program was killed
 */
export function runPackage(packageName, options, { program, minutes = 10 } = {}) {
  const how = { cwd: ROOT, stdio: /** @type {const} */ ('inherit'), timeout: minutes * 60_000, killSignal: /** @type {const} */ ('SIGKILL') };
  const run = spawnSync(process.execPath, [programOf(packageName, program), ...options], how);
  if (run.error) console.error(`${packageName}: ${run.error.message}`);
  return run.status ?? 1;
}

/**
 * Path of an installed package's program.
 *
 * @param {string} packageName
 * @param {string} [program] needed if the package has several
 * @returns {string}
 */
export function programOf(packageName, program) {
  const folder = packageFolder(packageName);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const path = typeof bin === 'string' ? bin : program === undefined ? Object.values(bin)[0] : bin[program];
  return join(folder, path);
}

/** @param {string} name */
function packageFolder(name) {
  for (const folder of require.resolve.paths(name) ?? []) {
    try {
      readFileSync(join(folder, name, 'package.json'));
      return join(folder, name);
    } catch {
      // Not in this folder.
    }
  }
  throw new Error(`The package ${name} is not installed: run npm ci.`);
}
