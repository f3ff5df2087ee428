import { nextTask } from '../../core/platform/platform.ts';
import { COMPARE_MS } from '../../core/previous/tuning.ts';

/** Milliseconds after which work goes on though the page has not been idle. */
const MAX_WAIT_MS = 1000;

/** Runs a generator in slices, each while the page is idle; where no callback tells that, each in a task of its own. */
export async function runWhenIdle(steps: Generator<undefined, void>): Promise<void> {
  for (;;) {
    const end = performance.now() + (await idleTime());
    do {
      if (steps.next().done) return;
    } while (performance.now() < end);
  }
}

/** Waits until there is time for a slice, and resolves to its milliseconds. */
async function idleTime(): Promise<number> {
  if (!globalThis.requestIdleCallback) {
    await nextTask();
    return COMPARE_MS;
  }
  return await new Promise((resolve) => {
    requestIdleCallback((deadline) => resolve(Math.min(deadline.timeRemaining(), COMPARE_MS)), { timeout: MAX_WAIT_MS });
  });
}
