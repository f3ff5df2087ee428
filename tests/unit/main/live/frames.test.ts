import { afterEach, expect, test, vi } from 'vitest';
import { nextFrame } from '../../../../main/live/frames.ts';

const noSooner = (): void => {};

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('the next frame comes with the drawing of the page', async () => {
  vi.useFakeTimers();
  let draw = (): void => {};
  vi.stubGlobal('requestAnimationFrame', (call: () => void) => {
    draw = call;
    return 7;
  });
  vi.stubGlobal('cancelAnimationFrame', () => {});
  const frame = nextFrame(noSooner);
  draw();
  await frame;
  expect(vi.getTimerCount()).toBe(0);
});

test('the next frame comes although a hidden page draws none', async () => {
  vi.useFakeTimers();
  const cancel = vi.fn();
  vi.stubGlobal('requestAnimationFrame', () => 7);
  vi.stubGlobal('cancelAnimationFrame', cancel);
  const frame = nextFrame(noSooner);
  vi.runAllTimers();
  await frame;
  expect(cancel).toHaveBeenCalledWith(7);
});

test('the next frame comes where there are none, as in a worker', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('requestAnimationFrame', undefined);
  const frame = nextFrame(noSooner);
  vi.runAllTimers();
  await frame;
});

test('the next frame can be waited for no longer', async () => {
  vi.useFakeTimers();
  const cancel = vi.fn();
  vi.stubGlobal('requestAnimationFrame', () => 7);
  vi.stubGlobal('cancelAnimationFrame', cancel);
  await nextFrame((go) => go());
  expect(vi.getTimerCount()).toBe(0);
  expect(cancel).toHaveBeenCalledWith(7);
});
