import { describe, expect, test, vi } from 'vitest';
import { hurryClock } from '../../../setup/stand-ins/clock.ts';
import { holdWorkers, makeRows, openWorkerDecoder as openDecoder, pack, rejection, untilRuns } from './support.ts';

const rows = makeRows(2_000);
const packed = pack(rows);

describe('an abort signal', () => {
  test('rejects the call immediately if it is already aborted', async () => {
    const decoder = openDecoder();
    const signal = AbortSignal.abort();
    for (const route of ['page', 'worker'] as const) {
      expect(await rejection(decoder.decode(packed, { signal, route }))).toBe(signal.reason);
    }
    expect(decoder.stats().workers).toBe(0);
  });

  test('rejects the call with its reason, of any type', async () => {
    const decoder = openDecoder();
    await expect(decoder.decode(packed, { signal: AbortSignal.abort('enough') })).rejects.toBe('enough');
    const controller = new AbortController();
    const decoding = decoder.decode(packed, { signal: controller.signal });
    controller.abort(new RangeError('mine'));
    await expect(decoding).rejects.toThrow(RangeError);
  });

  test('removes a payload from the queue', async () => {
    const { createWorker, release } = holdWorkers();
    const decoder = openDecoder({ createWorker, workers: 1 });
    const controller = new AbortController();
    const running = Array.from({ length: 4 }, () => decoder.decode(packed));
    const waiting = decoder.decode(packed, { signal: controller.signal });
    const last = decoder.decode(packed);
    await expect.poll(() => decoder.stats()).toMatchObject({ running: 4, queued: 2 });
    controller.abort();
    expect(await rejection(waiting)).toMatchObject({ name: 'AbortError' });
    expect(decoder.stats()).toMatchObject({ running: 4, queued: 1 });
    release();
    expect(await Promise.all([...running, last])).toEqual(Array.from({ length: 5 }, () => rows));
  });

  test('stops a worker during a decode and leaves it usable', async () => {
    const decoder = openDecoder({ workers: 1 });
    const bytes = pack(makeRows(400_000));
    const controller = new AbortController();
    const decoding = decoder.decode(bytes, { signal: controller.signal, transfer: true });
    await untilRuns(decoder);
    controller.abort();
    expect(await rejection(decoding)).toBe(controller.signal.reason);
    await expect.poll(() => decoder.stats().running).toBe(0);
    expect(await decoder.decode(packed)).toEqual(rows);
    expect(decoder.stats()).toMatchObject({ workers: 1, crashes: 0 });
  });

  test('stops the copying of a large payload', async () => {
    const { createWorker, release } = holdWorkers();
    const decoder = openDecoder({ createWorker, workers: 1 });
    const bytes = pack(makeRows(200_000));
    const controller = new AbortController();
    const decoding = decoder.decode(bytes, { signal: controller.signal });
    await untilRuns(decoder);
    controller.abort();
    await expect(decoding).rejects.toMatchObject({ name: 'AbortError' });
    release();
    await expect.poll(() => decoder.stats().running).toBe(0);
    expect(await decoder.decode(packed)).toEqual(rows);
  });

  test('stops the building of the objects', async () => {
    const decoder = openDecoder({ workers: 1 });
    const controller = new AbortController();
    let made = 0;
    const revive = (): string => {
      if ((made += 1) === 1_000) controller.abort();
      return 'made';
    };
    // An array of 400,000 extensions of one byte.
    const bytes = new Uint8Array(5 + 3 * 400_000).fill(0xd4);
    bytes.set([0xdd, 0, 6, 0x1a, 0x80]);
    hurryClock();
    const decoding = decoder.decode(bytes, { format: 'messagepack', signal: controller.signal, reviveTag: revive });
    expect(await rejection(decoding)).toMatchObject({ name: 'AbortError' });
    expect(decoder.stats()).toMatchObject({ running: 0, pending: 0 });
    const before = made;
    expect(await decoder.decode(packed)).toEqual(rows);
    expect(made).toBe(before);
    expect(made).toBeLessThan(400_000);
  });

  test('loses its listener after the call', async () => {
    const decoder = openDecoder();
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    await decoder.decode(packed, { signal });
    expect(added).toHaveBeenCalledTimes(1);
    expect(removed).toHaveBeenCalledTimes(1);
    expect(removed.mock.calls[0]![1]).toBe(added.mock.calls[0]![1]);
  });

  test('changes nothing after the call', async () => {
    const decoder = openDecoder();
    const controller = new AbortController();
    expect(await decoder.decode(packed, { signal: controller.signal })).toEqual(rows);
    controller.abort();
    expect(decoder.stats()).toMatchObject({ succeeded: 1, failed: 0 });
  });
});

describe('a timeout', () => {
  test('ends waiting and running calls', async () => {
    const { createWorker, release } = holdWorkers();
    const decoder = openDecoder({ createWorker, workers: 1 });
    const calls = Array.from({ length: 6 }, () => rejection(decoder.decode(packed, { timeout: 50 })));
    for (const error of await Promise.all(calls)) expect(error).toMatchObject({ name: 'TimeoutError', code: 'timeout' });
    expect(decoder.stats()).toMatchObject({ queued: 0, pending: 0, failed: 6 });
    release();
    await expect.poll(() => decoder.stats().running).toBe(0);
    expect(await decoder.decode(packed)).toEqual(rows);
  });

  test('defaults to that of the decoder', async () => {
    const { createWorker, release } = holdWorkers();
    const decoder = openDecoder({ createWorker, timeout: 30 });
    const patient = decoder.decode(packed, { timeout: 3_600_000 });
    await expect(decoder.decode(packed)).rejects.toMatchObject({ name: 'TimeoutError' });
    release();
    expect(await patient).toEqual(rows);
  });

  test('also ends the reading of a body', async () => {
    const decoder = openDecoder();
    const endless = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(new Uint8Array(10)) });
    await expect(decoder.decode(endless, { timeout: 30 })).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});
