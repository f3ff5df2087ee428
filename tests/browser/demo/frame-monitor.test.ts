import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createFrameMonitor, type FrameMonitor } from '../../../demo/frames/frame-monitor.ts';

let monitor: FrameMonitor | undefined;
/** Time of the page's clock. */
let now: number;

beforeEach(() => {
  now = 1_000;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});

afterEach(() => {
  monitor?.stop();
  vi.restoreAllMocks();
});

/** Resolves after the next recorded frame. */
function frame(watched: FrameMonitor): Promise<void> {
  return new Promise((resolve) => {
    const leave = watched.subscribe(() => {
      leave();
      resolve();
    });
  });
}

it('records a block that starts immediately, as a frame and as the longest block', async () => {
  monitor = createFrameMonitor();
  await frame(monitor);
  const recorder = monitor.record();
  recorder.watchBlocks();
  now += 300;
  await recorder.blocksSeen();
  await frame(monitor);
  const recording = recorder.stop(1_000);
  // The timer subtracts its own delay of 4 ms.
  expect(recording.longestBlock).toBe(296);
  // Times count from the start of the run.
  expect(recording.frames).toContainEqual({ start: 0, duration: 300 });
});

it('records no block in an idle page', async () => {
  monitor = createFrameMonitor();
  const recorder = monitor.record();
  recorder.watchBlocks();
  await frame(monitor);
  await recorder.blocksSeen();
  expect(recorder.stop(0).longestBlock).toBe(0);
});

it('resolves immediately if blocks are not watched', async () => {
  monitor = createFrameMonitor();
  const recorder = monitor.record();
  await recorder.blocksSeen();
  expect(recorder.stop(0).longestBlock).toBe(0);
});

it('notifies subscribers of every frame until they unsubscribe', async () => {
  monitor = createFrameMonitor();
  let count = 0;
  const leave = monitor.subscribe(() => {
    count += 1;
  });
  await expect.poll(() => count).toBeGreaterThan(2);
  leave();
  const seen = count;
  await frame(monitor);
  expect(count).toBe(seen);
});
