import { onTestFinished, vi } from 'vitest';

/**
 * Stops `performance.now` on this thread until the end of the test, so that sliced work never yields because of the time.
 */
export function stopClock(): void {
  const now = performance.now();
  setClock(() => now);
}

/** Advances `performance.now` on this thread by `step` ms per call until the end of the test, so that slices end early. */
export function hurryClock(step = 100): void {
  let now = performance.now();
  setClock(() => (now += step));
}

function setClock(read: () => number): void {
  const clock = vi.spyOn(performance, 'now').mockImplementation(read);
  onTestFinished(() => clock.mockRestore());
}

/** Counts the tasks that run on this thread during `work`, by a message that is sent back and forth. */
export async function tasksDuring(work: () => Promise<unknown>): Promise<number> {
  let tasks = 0;
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    tasks += 1;
    port2.postMessage(0);
  };
  port2.postMessage(0);
  try {
    await work();
  } finally {
    port1.close();
  }
  return tasks;
}
