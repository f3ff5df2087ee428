#!/usr/bin/env node
/**
 * Tests, checks and packs the version in `package.json`, and prints the tarball's digest.
 *
 *   npm run release                     tries a release; publishes nothing
 *   npm run release -- --tag v0.1.0     also fails if the version differs from the tag; run by the release workflow
 *
 * Stops at the first failing step, and does not start if `releasable.mjs` finds a reason. All development dependencies
 * run here, so this job has no right to publish: another job of the workflow publishes the tarball.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { refusals, thisRelease } from './releasable.mjs';
import { ROOT } from '../run.mjs';

const { values } = parseArgs({ options: { tag: { type: 'string' } } });
const release = thisRelease();
const { name, version } = release.manifest;
const reasons = refusals(release, values.tag);
if (reasons.length > 0) {
  console.error(`v${version} cannot be released:\n${reasons.join('\n')}`);
  process.exitCode = 1;
} else {
  const steps = [
    ['run', 'test:deep'],
    ['run', 'check'],
    ['pack', '--ignore-scripts'],
  ];
  if (steps.every((step) => npm(step))) report(`${name}-${version}.tgz`);
  else process.exitCode = 1;
}

/**
 * Prints the name and digest of the tarball, and passes them to later steps of a workflow.
 *
 * @param {string} file
 */
function report(file) {
  const sha256 = createHash('sha256')
    .update(readFileSync(join(ROOT, file)))
    .digest('hex');
  console.log(`\n${sha256}  ${file}`);
  const { GITHUB_OUTPUT: output } = process.env;
  if (output) appendFileSync(output, `file=${file}\nsha256=${sha256}\n`);
}

/** @param {readonly string[]} options */
function npm(options) {
  const { npm_execpath: path } = process.env;
  const how = /** @type {const} */ ({ cwd: ROOT, stdio: 'inherit' });
  // Uses the npm that runs this script; otherwise the one on the path, which is a script on Windows.
  const run = path?.endsWith('npm-cli.js')
    ? spawnSync(process.execPath, [path, ...options], how)
    : spawnSync('npm', options, { ...how, shell: process.platform === 'win32' });
  return run.status === 0;
}
