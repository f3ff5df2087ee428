import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { runWatched } from '../../../scripts/watched.mjs';

/** A program that ends with this status, or never. */
const ends = (status: number): [string, string[]] => [process.execPath, ['--eval', `process.exit(${status})`]];
const NEVER_ENDS: [string, string[]] = [process.execPath, ['--eval', 'for (;;);']];

/** A program that never ends, and starts another that does not: that one makes `file` longer all the time. */
const startsAnother = (file: string): [string, string[]] => {
  const grow = `setInterval(() => require('node:fs').appendFileSync(${JSON.stringify(file)}, '.'), 10)`;
  const start = `require('node:child_process').spawn(process.execPath, ['--eval', ${JSON.stringify(grow)}], { stdio: 'ignore' })`;
  return [process.execPath, ['--eval', `${start}; setInterval(() => {}, 1000);`]];
};

afterEach(() => {
  vi.restoreAllMocks();
});

test('gives the status of a program that ends', async () => {
  expect(await runWatched(...ends(3), { result: () => 0 })).toBe(3);
  expect(await runWatched(...ends(0), { result: () => undefined })).toBe(0);
});

test.each([0, 1])('ends a program that has done its work and does not exit, and gives its result %i', async (result) => {
  const said = vi.spyOn(console, 'error').mockReturnValue();
  expect(await runWatched(...NEVER_ENDS, { result: () => result, graceMs: 50 })).toBe(result);
  expect(said.mock.calls).toEqual([['All was done, but the process did not exit: ended.']]);
});

test('ends a program that is not done within the limit, and says that it failed', async () => {
  const said = vi.spyOn(console, 'error').mockReturnValue();
  expect(await runWatched(...NEVER_ENDS, { result: () => undefined, limitMs: 50 })).toBe(1);
  expect(said.mock.calls).toEqual([['Not done within 0.05 s: ended.']]);
});

test('ends what a program has started together with it', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const folder = mkdtempSync(join(tmpdir(), 'unspool-watched-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'growing');
  const length = (): number => (existsSync(file) ? statSync(file).size : 0);
  // Done as soon as the other runs.
  const result = (): number | undefined => (length() > 0 ? 0 : undefined);
  expect(await runWatched(...startsAnother(file), { result, graceMs: 100 })).toBe(0);
  const before = length();
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(length()).toBe(before);
});

test('says that a program failed which another one has killed', async () => {
  const killed: [string, string[]] = [process.execPath, ['--eval', 'process.kill(process.pid, "SIGKILL")']];
  expect(await runWatched(...killed, { result: () => 0 })).toBe(1);
});
