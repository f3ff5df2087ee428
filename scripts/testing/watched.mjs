import { spawn } from 'node:child_process';

/** Milliseconds that a program has to end its children after a signal. */
const FAREWELL_MS = 5_000;

/**
 * Runs a program that may fail to exit once its work is done, and then ends it with all of its children. Node itself
 * occasionally hangs at exit: its main thread waits for V8's threads, while one of them waits for the main thread
 * (nodejs/node#54918).
 *
 * @param {string} command
 * @param {readonly string[]} options
 * @param {import('node:child_process').SpawnOptions & {
 *   result: () => number | undefined, graceMs?: number, limitMs?: number
 * }} how `result` returns the exit status of the work, undefined while it continues. `graceMs` is the time to exit
 * afterwards, `limitMs` the total time limit.
 * @returns {Promise<number>} the program's exit status, or that of its result if it had to be ended; 1 at the limit
 */
export function runWatched(command, options, { result, graceMs = 60_000, limitMs = 60 * 60_000, ...how }) {
  const start = performance.now();
  const child = spawn(command, options, { ...how, detached: canSignalGroups });
  const forward = (/** @type {NodeJS.Signals} */ signal) => end(child, signal);
  process.on('SIGINT', forward).on('SIGTERM', forward);
  let doneAt = Infinity;
  let endedAt = Infinity;
  const watch = setInterval(
    () => {
      const now = performance.now();
      if (doneAt === Infinity && result() !== undefined) doneAt = now;
      const late = now - doneAt >= graceMs;
      if (!late && now - start < limitMs) return;
      if (endedAt === Infinity) {
        endedAt = now;
        console.error(late ? 'All was done, but the process did not exit: ended.' : `Not done within ${limitMs / 1000} s: ended.`);
        end(child, 'SIGTERM');
      } else if (now - endedAt >= FAREWELL_MS) end(child, 'SIGKILL');
    },
    Math.min(1000, graceMs, limitMs),
  );

  return new Promise((settle, reject) => {
    child.once('error', reject);
    child.once('exit', (status) => {
      // Remaining children would continue, and keep the output open.
      if (endedAt < Infinity) end(child, 'SIGKILL');
      settle((endedAt < Infinity ? result() : status) ?? 1);
    });
  }).finally(() => {
    clearInterval(watch);
    process.off('SIGINT', forward).off('SIGTERM', forward);
  });
}

/** Windows has no process groups to signal. */
const canSignalGroups = process.platform !== 'win32';

/**
 * Sends a signal to a program and to the children in its process group.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function end(child, signal) {
  if (!canSignalGroups || child.pid === undefined) {
    child.kill(signal);
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The process group no longer exists.
  }
}
