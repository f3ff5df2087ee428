import { afterEach, expect, it } from 'vitest';
import { createFrameMonitor, type FrameMonitor } from '../../../demo/models/frame-monitor.ts';

let monitor: FrameMonitor | undefined;

afterEach(() => monitor?.stop());

/** Keeps the page busy. */
function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

it('sees a block that starts right away, as a frame and as the longest block', async () => {
  const { frames } = (monitor = createFrameMonitor());
  await pause(100);
  const recorder = monitor.record();
  await pause(50);
  const started = performance.now();
  recorder.watchBlocks();
  block(300);
  await recorder.blocksSeen();
  // A busy machine draws the next frame late.
  await expect.poll(() => frames.some(({ start, duration }) => start + duration >= started + 299), { timeout: 20_000 }).toBe(true);
  const recording = recorder.stop(started);
  expect(recording.longestBlock).toBeGreaterThanOrEqual(294);
  // Times count from the start of the run: the block's frame was drawn before it.
  const blocked = recording.frames.find(({ start, duration }) => start + duration >= 299)!;
  expect(blocked.duration).toBeGreaterThanOrEqual(295);
  expect(blocked.start).toBeLessThan(5);
});

it('sees no long block in a page at rest', async () => {
  const watched = (monitor = createFrameMonitor());
  await pause(100);
  // A busy machine may keep a page waiting once, not always.
  await expect
    .poll(
      async () => {
        const recorder = watched.record();
        recorder.watchBlocks();
        await pause(200);
        await recorder.blocksSeen();
        return recorder.stop(0).longestBlock;
      },
      { timeout: 20_000 },
    )
    .toBeLessThan(150);
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
  await pause(100);
  expect(count).toBe(seen);
});
