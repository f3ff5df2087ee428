import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createFrameMonitor, type FrameMonitor } from '../../../demo/frames/frame-monitor.ts';

let monitor: FrameMonitor | undefined;
/** What the page's clock shows. */
let now: number;

beforeEach(() => {
  now = 1_000;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});

afterEach(() => {
  monitor?.stop();
  vi.restoreAllMocks();
});

/** Resolves when a monitor has recorded another frame. */
function frame(watched: FrameMonitor): Promise<void> {
  return new Promise((resolve) => {
    const leave = watched.subscribe(() => {
      leave();
      resolve();
    });
  });
}

it('sees a block that starts right away, as a frame and as the longest block', async () => {
  monitor = createFrameMonitor();
  await frame(monitor);
  const recorder = monitor.record();
  recorder.watchBlocks();
  now += 300;
  await recorder.blocksSeen();
  await frame(monitor);
  const recording = recorder.stop(1_000);
  // The timer that sees it would have waited for 4 ms.
  expect(recording.longestBlock).toBe(296);
  // Times count from the start of the run.
  expect(recording.frames).toContainEqual({ start: 0, duration: 300 });
});

it('sees no block in a page at rest', async () => {
  monitor = createFrameMonitor();
  const recorder = monitor.record();
  recorder.watchBlocks();
  await frame(monitor);
  await recorder.blocksSeen();
  expect(recorder.stop(0).longestBlock).toBe(0);
});

it('does not wait for blocks that nobody watches for', async () => {
  monitor = createFrameMonitor();
  const recorder = monitor.record();
  await recorder.blocksSeen();
  expect(recorder.stop(0).longestBlock).toBe(0);
});

it('tells who subscribes about every frame, until they leave', async () => {
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
