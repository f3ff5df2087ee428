import { onTestFinished, vi } from 'vitest';

/**
 * Stops `performance.now` on this thread until the test is over. Work in slices then never gives the thread back because of the
 * time: it is as fast as can be.
 */
export function stopClock(): void {
  const now = performance.now();
  setClock(() => now);
}

/** Has `step` ms pass with each look at `performance.now` on this thread until the test is over. Slices then end as soon as they can. */
export function hurryClock(step = 100): void {
  let now = performance.now();
  setClock(() => (now += step));
}

function setClock(read: () => number): void {
  const clock = vi.spyOn(performance, 'now').mockImplementation(read);
  onTestFinished(() => clock.mockRestore());
}

/** Counts the tasks that run on this thread while `work` does: messages, each of which is sent when the one before has come. */
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
