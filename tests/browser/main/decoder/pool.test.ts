import { describe, expect, test, vi } from 'vitest';
import { createDecoder } from '../../../../main/index.ts';
import { holdWorkers, makeRows, openWorkerDecoder as openDecoder, pack, rejection } from './support.ts';

const rows = makeRows(2_000);
const packed = pack(rows);

describe('the workers', () => {
  test('start on demand up to the limit', async () => {
    const { createWorker, release } = holdWorkers();
    const decoder = openDecoder({ createWorker, workers: 2 });
    expect(decoder.stats().workers).toBe(0);
    const results = Promise.all(Array.from({ length: 5 }, () => decoder.decode(packed)));
    await expect.poll(() => decoder.stats()).toMatchObject({ workers: 2, running: 5, queued: 0, pending: 5 });
    release();
    expect(await results).toEqual(Array.from({ length: 5 }, () => rows));
    expect(decoder.stats()).toMatchObject({ workers: 2, running: 0, queued: 0, pending: 0, succeeded: 5 });
  });

  test('serve further decodes', async () => {
    let made = 0;
    const { createWorker, release } = holdWorkers();
    const decoder = openDecoder({ createWorker: () => ((made += 1), createWorker()), workers: 2 });
    const first = decoder.decode(packed);
    await expect.poll(() => decoder.stats().running).toBe(1);
    release();
    await first;
    for (let call = 0; call < 5; call += 1) await decoder.decode(packed);
    expect(made).toBe(1);
  });

  test('receive the next payload if they have the fewest bytes to decode', async () => {
    const channels: string[] = [];
    const holds = [holdWorkers(), holdWorkers()];
    const decoder = openDecoder({ workers: 2, createWorker: () => holds[channels.push('') - 1]!.createWorker() });
    const settled: string[] = [];
    const run = async (name: string, bytes: Uint8Array): Promise<void> => {
      await decoder.decode(bytes, { format: 'messagepack' });
      settled.push(name);
    };
    const large = run('large', pack(makeRows(20_000)));
    const small = run('small', packed);
    const third = run('third', packed);
    await expect.poll(() => decoder.stats().running).toBe(3);
    // The third payload goes to the worker of the small one.
    holds[1]!.release();
    await Promise.all([small, third]);
    expect(settled.toSorted()).toEqual(['small', 'third']);
    holds[0]!.release();
    await large;
  });

  test('stop when idle, and start again', async () => {
    let made = 0;
    const createWorker = (): Worker => {
      made += 1;
      return new Worker(new URL('../../../../worker/entry.ts', import.meta.url), { type: 'module' });
    };
    // The worker is idle, and may stop, before the page has built the objects.
    const decoder = openDecoder({ createWorker, workers: 1, idleTimeout: 20 });
    for (const count of [1, 2]) {
      expect(await decoder.decode(packed)).toEqual(rows);
      await expect.poll(() => decoder.stats().workers).toBe(0);
      expect(made).toBe(count);
    }
    expect(decoder.stats().crashes).toBe(0);
  });

  test('continue while they work', async () => {
    const { createWorker, release } = holdWorkers();
    const decoder = openDecoder({ createWorker, workers: 1, idleTimeout: 0 });
    const decoding = decoder.decode(packed);
    await expect.poll(() => decoder.stats().running).toBe(1);
    // Another idle worker with the same timeout has stopped.
    const other = openDecoder({ workers: 1, idleTimeout: 0 });
    await other.decode(packed);
    await expect.poll(() => other.stats().workers).toBe(0);
    expect(decoder.stats().workers).toBe(1);
    release();
    expect(await decoding).toEqual(rows);
  });

  test('never stop with an infinite idle timeout', async () => {
    const decoder = openDecoder({ workers: 1, idleTimeout: Infinity });
    await decoder.decode(packed);
    const other = openDecoder({ workers: 1, idleTimeout: 1 });
    await other.decode(packed);
    await expect.poll(() => other.stats().workers).toBe(0);
    expect(decoder.stats().workers).toBe(1);
  });
});

describe('the queue', () => {
  test('keeps the order and gives a worker four payloads at a time', async () => {
    const { createWorker, release, given } = holdWorkers();
    const decoder = openDecoder({ createWorker, workers: 1 });
    const payloads = [900, 300, 700, 500, 100, 800, 400, 200, 600].map((count) => pack(makeRows(count)));
    const calls = payloads.map((bytes) => decoder.decode(bytes, { route: 'worker' }));
    await expect.poll(() => decoder.stats()).toMatchObject({ workers: 1, running: 4, queued: 5 });
    release();
    await Promise.all(calls);
    await expect.poll(() => given).toEqual(payloads.map(({ length }) => length));
  });

  test('rejects calls beyond its limit', async () => {
    const { createWorker, release } = holdWorkers();
    const decoder = openDecoder({ createWorker, workers: 1, queueLimit: 2 });
    const calls = Array.from({ length: 8 }, () => decoder.decode(packed));
    const outcomes = Promise.allSettled(calls);
    const error = await rejection(calls[7]!);
    expect(error).toMatchObject({ name: 'LimitError', limit: 'queue', code: 'limit' });
    await expect.poll(() => decoder.stats()).toMatchObject({ running: 4, queued: 2, failed: 2 });
    release();
    expect((await outcomes).map(({ status }) => status)).toEqual([...Array.from({ length: 6 }, () => 'fulfilled'), 'rejected', 'rejected']);
    expect(await decoder.decode(packed)).toEqual(rows);
  });

  test('lets a small payload overtake a large one', async () => {
    const { createWorker, release, given } = holdWorkers();
    const decoder = openDecoder({ createWorker, workers: 1 });
    const done: string[] = [];
    const run = async (name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> => {
      await decoder.decode(bytes, { as: 'rows', transfer: true });
      done.push(name);
    };
    const runs = [run('large', pack(makeRows(300_000))), run('small', packed.slice())];
    await expect.poll(() => given.length).toBe(2);
    release();
    await Promise.all(runs);
    expect(done).toEqual(['small', 'large']);
  });
});

describe('close()', () => {
  test('rejects running, waiting and later calls', async () => {
    const { createWorker } = holdWorkers();
    const decoder = createDecoder({ createWorker, workers: 1, route: 'worker' });
    const calls = Array.from({ length: 6 }, () => decoder.decode(packed));
    const outcomes = Promise.allSettled(calls);
    await expect.poll(() => decoder.stats().queued).toBe(2);
    decoder.close();
    for (const outcome of await outcomes) expect(outcome).toMatchObject({ reason: { name: 'AbortError' } });
    await expect(decoder.decode(pack(1))).rejects.toMatchObject({ name: 'AbortError' });
    expect(decoder.stats()).toMatchObject({ workers: 0, running: 0, queued: 0, pending: 0 });
    decoder.close();
  });

  test('ends the workers', async (context) => {
    context.skip(!navigator.locks, 'there are no locks to see it by');
    const request = vi.spyOn(navigator.locks, 'request');
    const decoder = createDecoder({ workers: 1, route: 'worker' });
    await decoder.decode(packed);
    const name = request.mock.calls[0]![0];
    const isHeld = async (): Promise<boolean> => (await navigator.locks.query()).held!.some((lock) => lock.name === name);
    expect(await isHeld()).toBe(true);
    decoder.close();
    await expect.poll(isHeld).toBe(false);
  });

  test('runs at the end of a `using` block', async (context) => {
    context.skip(!Symbol.dispose, 'there is no Symbol.dispose');
    const decoder = createDecoder();
    decoder[Symbol.dispose]();
    await expect(decoder.decode(packed)).rejects.toMatchObject({ name: 'AbortError' });
  });
});
