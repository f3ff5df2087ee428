#!/usr/bin/env node
/**
 * Runs all checks that do not run the library: types, formatting, lint, the build, and the package as published.
 * Continues after a failure, and ends with a line that lists the failed checks. A test,
 * `tests/unit/architecture.node.test.ts`, checks the imports between folders.
 */
import { build } from './build.mjs';
import { checkDist } from './checks/check-dist.mjs';
import { checkExtension } from './checks/check-extension.mjs';
import { checkErrorSentences } from './checks/error-sentences.mjs';
import { checkRegularExpressions } from './checks/regular-expressions.mjs';
import { examplesAreCurrent } from './generate/examples.mjs';
import { formatsAreCurrent } from './generate/formats.mjs';
import { kernelsAreCurrent } from './generate/kernels.mjs';
import { runPackage } from './run.mjs';
import { unrolledIsCurrent } from './generate/unrolled.mjs';

const PROJECTS = ['core', 'worker', 'main', 'devtools-extension', 'demo', 'demo/server', 'tests', 'tests/types', 'bench', 'docs', '.'];

const LINT = ['--type-aware', '--deny-warnings', '--report-unused-disable-directives'];

/** @typedef {() => boolean | Promise<boolean>} Check */

/** @param {Parameters<typeof runPackage>} run */
const runs = (...run) => runPackage(...run) === 0;

/** @type {readonly [name: string, check: Check][]} */
const CHECKS = [
  ['types', () => runs('typescript', ['-b', ...PROJECTS], { program: 'tsc' })],
  ['format', () => runs('oxfmt', ['--check'])],
  ['lint', () => runs('oxlint', LINT, { program: 'oxlint' })],
  ['regular expressions', () => checkRegularExpressions()],
  ['sentences of errors', () => checkErrorSentences()],
  ['lists of formats', () => formatsAreCurrent()],
  ['kernels', () => kernelsAreCurrent()],
  ['files of examples', () => examplesAreCurrent()],
  ['unrolled code', () => unrolledIsCurrent()],
  ['build', () => build({ onlyStale: true }).then(() => true)],
  ['content of dist', () => checkDist()],
  ['extension', () => checkExtension()],
  ['publint', () => runs('publint', ['--strict'])],
  ['are the types wrong', () => runs('@arethetypeswrong/cli', ['--pack', '.', '--profile', 'esm-only'])],
  ['size', () => runs('size-limit', [])],
];

const failed = [];
for (const [name, check] of CHECKS) {
  console.log(`\n── ${name}`);
  const start = performance.now();
  const passed = await Promise.resolve()
    .then(check)
    .catch((error) => {
      console.error(error);
      return false;
    });
  console.log(`${name}: ${passed ? 'ok' : 'failed'}, ${((performance.now() - start) / 1000).toFixed(1)} s`);
  if (!passed) failed.push(name);
}
console.log(failed.length === 0 ? `\n${CHECKS.length} checks passed` : `\nchecks failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
