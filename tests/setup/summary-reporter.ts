import { writeFileSync } from 'node:fs';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** What `.ci/run` reads. */
export interface Summary {
  passed: number;
  failed: number;
  skipped: number;
}

/**
 * Names the tests that were skipped, which Vitest only counts, and writes the numbers to the file that
 * `UNSPOOL_SUMMARY` names. A file that fails before it has a test counts as one failure, and so does an error outside
 * of any test.
 */
export class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string): number => tests.filter((test) => test.result().state === state).length;
    const broken = modules.filter((module) => module.state() === 'failed' && !hasFailedTest(module)).length;
    const summary: Summary = {
      passed: count('passed'),
      failed: count('failed') + broken + errors.length,
      skipped: count('skipped'),
    };
    process.stdout.write(describeSkipped(tests.filter((test) => test.result().state === 'skipped')));
    const file = process.env['UNSPOOL_SUMMARY'];
    if (file) writeFileSync(file, JSON.stringify(summary));
  }
}

function hasFailedTest(module: TestModule): boolean {
  return [...module.children.allTests('failed')].length > 0;
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
