#!/usr/bin/env node
/**
 * Publishes the version that `package.json` names.
 *
 *   npm run release                  runs all tests and checks, and prints what would be published
 *   npm run release -- --publish     does the same, and publishes; the commit must have the tag `v<version>`
 *
 * It stops at the first of these that fails; `releasable.mjs` has the reasons for which it does not begin.
 */
import { spawnSync } from 'node:child_process';
import { refusals, thisRelease } from './releasable.mjs';
import { ROOT } from './run.mjs';

const isDry = !process.argv.includes('--publish');
const release = thisRelease();
const tag = `v${release.manifest.version}`;

const reasons = refusals(release);
if (!isDry && !tagsHere().includes(tag)) reasons.push(`The commit does not have the tag ${tag}.`);
if (reasons.length > 0) {
  console.error(`${tag} cannot be released:\n${reasons.join('\n')}`);
  process.exitCode = 1;
} else {
  // `npm publish` runs the checks first: see "prepublishOnly" in package.json.
  const steps = [
    ['run', 'test:deep'],
    ['publish', ...(isDry ? ['--dry-run'] : [])],
  ];
  process.exitCode = steps.every((step) => npm(step)) ? 0 : 1;
}

/** @returns {string[]} the tags of the commit */
function tagsHere() {
  const { stdout } = spawnSync('git', ['tag', '--points-at', 'HEAD'], { cwd: ROOT, encoding: 'utf8' });
  return stdout.split('\n');
}

/** @param {readonly string[]} options */
function npm(options) {
  const { npm_execpath: path } = process.env;
  const how = /** @type {const} */ ({ cwd: ROOT, stdio: 'inherit' });
  // Under npm, the very npm; otherwise the one on the path, which on Windows is a script.
  const run = path?.endsWith('npm-cli.js')
    ? spawnSync(process.execPath, [path, ...options], how)
    : spawnSync('npm', options, { ...how, shell: process.platform === 'win32' });
  return run.status === 0;
}
