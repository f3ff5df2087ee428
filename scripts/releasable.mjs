#!/usr/bin/env node
/**
 * Prints the reasons why this version cannot be published, and fails if there are any. `npm publish` runs it first.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from './run.mjs';

/** Stands in `package.json` for where the project lives. */
const PLACEHOLDER = 'example.invalid';

/**
 * @typedef {object} Release
 * @property {Record<string, unknown> & { version: string }} manifest `package.json`
 * @property {string} changelog `CHANGELOG.md`
 * @property {string} changes what `git status --porcelain` prints
 */

/**
 * Why a version cannot be published.
 *
 * @param {Release} release
 * @returns {string[]} sentences; none where it can be
 */
export function refusals({ manifest, changelog, changes }) {
  const reasons = ['repository', 'homepage', 'bugs'].flatMap((field) => {
    const value = JSON.stringify(manifest[field]);
    if (value === undefined) return [`package.json has no "${field}".`];
    return value.includes(PLACEHOLDER) ? [`"${field}" in package.json is the placeholder ${PLACEHOLDER}: enter the project's address.`] : [];
  });
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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const reasons = refusals(thisRelease());
  for (const reason of reasons) console.error(reason);
  process.exitCode = reasons.length === 0 ? 0 : 1;
}
