import { expect, test, vi } from 'vitest';
import { stopClock } from '../../../setup/stand-ins/clock.ts';
import { makeRows, openWorkerDecoder as openDecoder, pack, rejection } from './support.ts';

const rows = makeRows(2_000);
const packed = pack(rows);

const good = (): Worker => new Worker(new URL('../../../../worker/entry.ts', import.meta.url), { type: 'module' });
const closing = (): Worker => new Worker(new URL('./workers/closing.ts', import.meta.url), { type: 'module' });
const throwing = (): Worker => new Worker(new URL('./workers/throwing.ts', import.meta.url), { type: 'module' });
const broken = (): Worker => new Worker(new URL('./workers/broken.ts', import.meta.url), { type: 'module' });
// An expression, so that Vite does not resolve the file.
const missing = (): Worker => new Worker(['/no', 'such', 'worker.js'].join('/'), { type: 'module' });

/** Creates workers of each kind in turn, then of the last kind. */
function inTurn(...kinds: (() => Worker)[]): () => Worker {
  return () => (kinds.length > 1 ? kinds.shift()! : kinds[0]!)();
}

test.each([
  ['that throws', throwing, /the worker failed/],
  ['that closes itself', closing, /the worker has ended/],
])('a worker %s rejects all of its calls and is replaced', async (_, bad, message) => {
  const decoder = openDecoder({ workers: 1, createWorker: inTurn(bad, good) });
  const bytes = packed.slice();
  const calls = Array.from({ length: 4 }, () => rejection(decoder.decode(bytes)));
  const queued = decoder.decode(bytes);
  for (const error of await Promise.all(calls)) {
    expect(error).toMatchObject({ name: 'WorkerCrashError', code: 'worker-crash' });
    expect(error.message).toMatch(message);
  }
  expect(await queued).toEqual(rows);
  expect(await decoder.decode(bytes)).toEqual(rows);
  expect(bytes.every((byte, at) => byte === packed[at])).toBe(true);
  expect(decoder.stats()).toMatchObject({ workers: 1, running: 0, pending: 0, crashes: 1 });
});

test.each([
  ['with a missing file', missing, 'the worker could not be loaded'],
  ['that fails while it loads', broken, expect.stringMatching(/the worker failed: .*broken from the start/)],
])('a worker %s is started once more', async (_, bad, message) => {
  const decoder = openDecoder({ workers: 1, createWorker: inTurn(bad, good) });
  const error = await rejection(decoder.decode(packed));
  expect(error).toMatchObject({ name: 'WorkerCrashError', message });
  expect(await decoder.decode(packed)).toEqual(rows);
});

test('workers that never load are not started forever', async () => {
  let made = 0;
  const decoder = openDecoder({ workers: 2, createWorker: () => ((made += 1), missing()) });
  // Another one starts after a second.
  stopClock();
  for (let call = 0; call < 20; call += 1) {
    expect(await rejection(decoder.decode(packed))).toMatchObject({ name: 'WorkerCrashError' });
  }
  expect(made).toBe(2);
  expect(decoder.stats()).toMatchObject({ workers: 0, running: 0, queued: 0, pending: 0 });
  // Small payloads need no worker.
  expect(await decoder.decode(pack([1]), { route: 'auto' })).toEqual([1]);
});

test('waiting calls are rejected when no worker starts', async () => {
  const decoder = openDecoder({ workers: 1, createWorker: missing });
  const errors = await Promise.all(Array.from({ length: 12 }, () => rejection(decoder.decode(packed))));
  for (const error of errors) expect(error).toMatchObject({ name: 'WorkerCrashError' });
});

test('an error of createWorker rejects the call', async () => {
  const decoder = openDecoder({
    createWorker: () => {
      throw new DOMException('refused', 'SecurityError');
    },
  });
  for (let call = 0; call < 3; call += 1) {
    const error = await rejection(decoder.decode(packed));
    expect(error).toMatchObject({ name: 'WorkerCrashError', cause: { name: 'SecurityError' } });
    expect(error.message).toMatch(/refused/);
  }
});

test('the end of a worker is detected even without locks', async () => {
  const { locks } = navigator;
  Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true });
  try {
    const decoder = openDecoder({ workers: 1, createWorker: inTurn(closing, good) });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    await decoder.preload();
    let error: Error | undefined;
    void rejection(decoder.decode(packed)).then((reason) => (error = reason));
    await expect
      .poll(() => (vi.advanceTimersByTime(1_000), error))
      .toMatchObject({ name: 'WorkerCrashError', message: 'the worker does not answer' });
    vi.useRealTimers();
    expect(await decoder.decode(packed)).toEqual(rows);
  } finally {
    vi.useRealTimers();
    Object.defineProperty(navigator, 'locks', { value: locks, configurable: true });
  }
});
