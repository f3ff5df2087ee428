import { spawn } from 'node:child_process';

/**
 * Runs a program that may fail to exit once its work is done, and ends it then. Node itself does so now and then: while
 * its main thread waits for V8's threads to finish, one of them waits for the main thread (nodejs/node#54918).
 *
 * @param {string} command
 * @param {readonly string[]} options
 * @param {import('node:child_process').SpawnOptions & {
 *   result: () => number | undefined, graceMs?: number, limitMs?: number
 * }} how `result` gives the exit status that the work came to, and undefined as long as it goes on. `graceMs` is how
 *   long the program may then take to exit, `limitMs` how long it may take at all.
 * @returns {Promise<number>} its own exit status, or that of its result where it had to be ended; 1 at the limit
 */
export function runWatched(command, options, { result, graceMs = 60_000, limitMs = 60 * 60_000, ...how }) {
  const start = performance.now();
  const child = spawn(command, options, how);
  const forward = (/** @type {NodeJS.Signals} */ signal) => child.kill(signal);
  process.on('SIGINT', forward).on('SIGTERM', forward);
  let doneAt = Infinity;
  let ended = false;
  const watch = setInterval(
    () => {
      const now = performance.now();
      if (doneAt === Infinity && result() !== undefined) doneAt = now;
      const late = now - doneAt >= graceMs;
      if (!late && now - start < limitMs) return;
      if (!ended) console.error(late ? 'All was done, but the process did not exit: ended.' : 'Not done within the limit: ended.');
      ended = true;
      child.kill('SIGKILL');
    },
    Math.min(1000, graceMs, limitMs),
  );

  return new Promise((settle, reject) => {
    child.once('error', reject);
    child.once('exit', (status) => settle((ended ? result() : status) ?? 1));
  }).finally(() => {
    clearInterval(watch);
    process.off('SIGINT', forward).off('SIGTERM', forward);
  });
}
