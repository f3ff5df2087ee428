import { afterEach, expect, test, vi } from 'vitest';
import { runWatched } from '../../../scripts/watched.mjs';

/** A program that ends with this status, or never. */
const ends = (status: number): [string, string[]] => [process.execPath, ['--eval', `process.exit(${status})`]];
const NEVER_ENDS: [string, string[]] = [process.execPath, ['--eval', 'for (;;);']];

afterEach(() => {
  vi.restoreAllMocks();
});

test('a program that ends gives its own status', async () => {
  expect(await runWatched(...ends(3), { result: () => 0 })).toBe(3);
  expect(await runWatched(...ends(0), { result: () => undefined })).toBe(0);
});

test.each([0, 1])('a program that has done its work and does not exit is ended, with the result %i', async (result) => {
  const said = vi.spyOn(console, 'error').mockReturnValue();
  expect(await runWatched(...NEVER_ENDS, { result: () => result, graceMs: 50 })).toBe(result);
  expect(said.mock.calls).toEqual([['All was done, but the process did not exit: ended.']]);
});

test('a program that is not done within the limit is ended, and has failed', async () => {
  const said = vi.spyOn(console, 'error').mockReturnValue();
  expect(await runWatched(...NEVER_ENDS, { result: () => undefined, limitMs: 50 })).toBe(1);
  expect(said.mock.calls).toEqual([['Not done within the limit: ended.']]);
});

test('a program that is killed by another has failed', async () => {
  const killed: [string, string[]] = [process.execPath, ['--eval', 'process.kill(process.pid, "SIGKILL")']];
  expect(await runWatched(...killed, { result: () => 0 })).toBe(1);
});
