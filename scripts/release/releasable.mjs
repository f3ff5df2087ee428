import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../run.mjs';

/** Host in the addresses of `package.json` until the project has its own. */
export const PLACEHOLDER = 'example.invalid';

/**
 * @typedef {object} Release
 * @property {Record<string, unknown> & { name: string, version: string }} manifest `package.json`
 * @property {string} changelog `CHANGELOG.md`
 * @property {string} changes output of `git status --porcelain`
 */

/**
 * Reasons not to publish a version.
 *
 * @param {Release} release
 * @param {string} [tag] the released tag; not checked by default
 * @returns {string[]} sentences; none if the version can be published
 */
export function refusals({ manifest, changelog, changes }, tag) {
  const reasons = ['repository', 'homepage', 'bugs'].flatMap((field) => {
    const value = JSON.stringify(manifest[field]);
    if (value === undefined) return [`package.json has no "${field}".`];
    return value.includes(PLACEHOLDER) ? [`"${field}" in package.json is the placeholder ${PLACEHOLDER}: enter the project's address.`] : [];
  });
  if (tag !== undefined && tag !== `v${manifest.version}`) reasons.push(`The tag is ${tag}, and the version in package.json ${manifest.version}.`);
  const sections = changelog.split(/^## /m).slice(1);
  const section = (/** @type {string} */ name) => sections.find((text) => text.startsWith(`[${name}]`));
  if (!/^\[[^\]]+\] - \d{4}-\d\d-\d\d$/m.test(section(manifest.version) ?? '')) {
    reasons.push(`CHANGELOG.md has no section "## [${manifest.version}] - YYYY-MM-DD".`);
  }
  if (/^- /m.test(section('Unreleased') ?? '')) reasons.push('CHANGELOG.md lists changes under "Unreleased": move them to the version.');
  if (changes.trim() !== '') reasons.push('There are changes that are not committed.');
  return reasons;
}

/** @returns {Release} the version in this folder */
export function thisRelease() {
  const read = (/** @type {string} */ name) => readFileSync(join(ROOT, name), 'utf8');
  const { stdout } = spawnSync('git', ['status', '--porcelain'], { cwd: ROOT, encoding: 'utf8' });
  return { manifest: JSON.parse(read('package.json')), changelog: read('CHANGELOG.md'), changes: stdout };
}
