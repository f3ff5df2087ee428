import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);

/** The repository. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');

/**
 * Runs a program of an installed package in Node, without a shell, so that it works alike everywhere.
 *
 * @param {string} packageName
 * @param {readonly string[]} options
 * @param {{ program?: string, minutes?: number }} [how] `program` where the package has several; `minutes` is how long it
 *   may take before it is ended, 10 when left out
 * @returns {number} the status with which it ended, 1 where it was ended
 */
export function runPackage(packageName, options, { program, minutes = 10 } = {}) {
  const how = { cwd: ROOT, stdio: /** @type {const} */ ('inherit'), timeout: minutes * 60_000, killSignal: /** @type {const} */ ('SIGKILL') };
  const run = spawnSync(process.execPath, [programOf(packageName, program), ...options], how);
  if (run.error) console.error(`${packageName}: ${run.error.message}`);
  return run.status ?? 1;
}

/**
 * The file of an installed package's program.
 *
 * @param {string} packageName
 * @param {string} [program] where the package has several
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
      // It is in another folder.
    }
  }
  throw new Error(`The package ${name} is not installed: run npm ci.`);
}
