import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { runWatched } from '../../../scripts/testing/watched.mjs';

/** Program that exits with this status. */
const ends = (status: number): [string, string[]] => [process.execPath, ['--eval', `process.exit(${status})`]];
const NEVER_ENDS: [string, string[]] = [process.execPath, ['--eval', 'for (;;);']];

/**
 * Program that never ends, and starts another that does not end either. The other one connects to a port, and the system
 * closes the connection when the program is killed.
 */
const startsAnother = (port: number): [string, string[]] => {
  const connect = `require('node:net').connect(${port}, '127.0.0.1')`;
  const start = `require('node:child_process').spawn(process.execPath, ['--eval', ${JSON.stringify(connect)}], { stdio: 'ignore' })`;
  return [process.execPath, ['--eval', `${start}; setInterval(() => {}, 1000);`]];
};

/** Resolves when the peer closes the connection. */
const closed = (connection: Socket): Promise<void> =>
  new Promise((resolve) => {
    // A killed program resets the connection.
    connection.on('error', () => {}).on('close', () => resolve());
    connection.resume();
  });

afterEach(() => {
  vi.restoreAllMocks();
});

test('returns the exit status of a program', async () => {
  expect(await runWatched(...ends(3), { result: () => 0 })).toBe(3);
  expect(await runWatched(...ends(0), { result: () => undefined })).toBe(0);
});

test.each([0, 1])('kills a program that has finished its work but does not exit, and returns its result %i', async (result) => {
  const said = vi.spyOn(console, 'error').mockReturnValue();
  expect(await runWatched(...NEVER_ENDS, { result: () => result, graceMs: 50 })).toBe(result);
  expect(said.mock.calls).toEqual([['All was done, but the process did not exit: ended.']]);
});

test('kills a program that exceeds the time limit, and reports a failure', async () => {
  const said = vi.spyOn(console, 'error').mockReturnValue();
  expect(await runWatched(...NEVER_ENDS, { result: () => undefined, limitMs: 50 })).toBe(1);
  expect(said.mock.calls).toEqual([['Not done within 0.05 s: ended.']]);
});

test('kills the children of a program with it', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const connected = vi.fn<(connection: Socket) => void>();
  const server = createServer(connected).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const ended = once(server, 'connection').then(([connection]) => closed(connection as Socket));
  // Done as soon as the other program runs.
  const result = (): number | undefined => (connected.mock.calls.length > 0 ? 0 : undefined);
  expect(await runWatched(...startsAnother((server.address() as AddressInfo).port), { result, graceMs: 100 })).toBe(0);
  await ended;
});

test('reports a failure if a program was killed by a signal', async () => {
  const killed: [string, string[]] = [process.execPath, ['--eval', 'process.kill(process.pid, "SIGKILL")']];
  expect(await runWatched(...killed, { result: () => 0 })).toBe(1);
});
