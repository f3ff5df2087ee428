import { writeFileSync } from 'node:fs';
import type { Reporter, TestCase, TestModule, TestState } from 'vitest/node';
import { type Counts, summaryOf } from '../../../scripts/summary.mjs';

/**
 * Names the tests that were skipped, which Vitest only counts, and writes the numbers to the file that
 * `UNSPOOL_SUMMARY` names, in the form of `scripts/summary.mjs`. A file that fails before it has a test counts as one
 * failure, and so does an error outside of any test.
 */
export class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const files = Object.fromEntries(modules.map((module) => [`${module.project.name} ${module.relativeModuleId}`, countsOf(module)]));
    const tests = modules.flatMap((module) => [...module.children.allTests('skipped')]);
    process.stdout.write(describeSkipped(tests));
    const file = process.env['UNSPOOL_SUMMARY'];
    if (file) writeFileSync(file, JSON.stringify(summaryOf(files, { outside: errors.length, failures: modules.flatMap(failuresOf) })));
  }
}

function countsOf(module: TestModule): Counts {
  const count = (state: TestState): number => [...module.children.allTests(state)].length;
  const failed = count('failed');
  return { passed: count('passed'), failed: failed === 0 && module.state() === 'failed' ? 1 : failed, skipped: count('skipped') };
}

/** The tests of a file that failed, or the file itself if it failed before it had a test. */
function failuresOf(module: TestModule): string[] {
  const file = `${module.project.name} ${module.relativeModuleId}`;
  const failed = [...module.children.allTests('failed')].map((test) => `${file} > ${test.fullName}`);
  return failed.length === 0 && module.state() === 'failed' ? [file] : failed;
}

/** A line for each name, with the projects that skip it. */
function describeSkipped(tests: readonly TestCase[]): string {
  const projects = new Map<string, string[]>();
  for (const test of tests) {
    const names = projects.get(test.fullName) ?? [];
    projects.set(test.fullName, [...names, test.project.name]);
  }
  return [...projects].map(([test, names]) => `\n Skipped in ${names.join(', ')}: ${test}`).join('') + '\n';
}
