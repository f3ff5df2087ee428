import { writeFileSync } from 'node:fs';
import type { Reporter, TestCase, TestModule, TestState } from 'vitest/node';
import { type Counts, summaryOf } from '../../../scripts/summary.mjs';

/**
 * Lists skipped tests, which Vitest only counts, and writes the numbers to the file in `UNSPOOL_SUMMARY`, in the form of
 * `scripts/summary.mjs`. A file that fails before its first test counts as one failure, as does an error outside of tests.
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

/** Failed tests of a file, or the file if it failed before its first test. */
function failuresOf(module: TestModule): string[] {
  const file = `${module.project.name} ${module.relativeModuleId}`;
  const failed = [...module.children.allTests('failed')].map((test) => `${file} > ${test.fullName}`);
  return failed.length === 0 && module.state() === 'failed' ? [file] : failed;
}

/** A line for each test, with the projects that skip it. */
function describeSkipped(tests: readonly TestCase[]): string {
  const projects = new Map<string, string[]>();
  for (const test of tests) {
    const names = projects.get(test.fullName) ?? [];
    projects.set(test.fullName, [...names, test.project.name]);
  }
  return [...projects].map(([test, names]) => `\n Skipped in ${names.join(', ')}: ${test}`).join('') + '\n';
}
