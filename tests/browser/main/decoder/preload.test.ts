import { expect, test } from 'vitest';
import { type BatchSettings, createDecoder } from '../../../../main/index.ts';
import { holdWorkers, makeRows, openDecoder, pack, rejection } from './support.ts';

const rows = makeRows(2_000);
const missing = (): Worker => new Worker(['/no', 'such', 'worker.js'].join('/'), { type: 'module' });

test('preload() starts one worker, which the next decode uses', async () => {
  const decoder = openDecoder({ workers: 2 });
  await Promise.all([decoder.preload(), decoder.preload(['cbor', 'json'])]);
  expect(decoder.stats()).toMatchObject({ workers: 1, running: 0 });
  expect(await decoder.decode(pack(rows), { route: 'worker' })).toEqual(rows);
  expect(decoder.stats().workers).toBe(1);
});

test('preload() waits for a worker that starts more slowly than the idle timeout', async () => {
  const decoder = openDecoder({ idleTimeout: 1 });
  await Promise.all([decoder.preload(), decoder.preload(['cbor'])]);
  await expect.poll(() => decoder.stats().workers).toBe(0);
  await decoder.preload();
  expect(await decoder.decode(pack(rows), { route: 'worker' })).toEqual(rows);
});

test('preload() rejects if the worker crashes while it loads a format', async () => {
  let worker: Worker | undefined;
  const createWorker = (): Worker => (worker = new Worker(new URL('../../../../worker/entry.ts', import.meta.url), { type: 'module' }));
  const decoder = openDecoder({ createWorker });
  await decoder.preload();
  const loading = decoder.preload(['avro']);
  worker!.terminate();
  expect(await rejection(loading)).toMatchObject({ name: 'WorkerCrashError' });
});

test('preload() starts a worker within the call, and a failure that nobody waits for is not reported as unhandled', async () => {
  const unhandled: unknown[] = [];
  const listener = (event: PromiseRejectionEvent): number => unhandled.push(event.reason);
  addEventListener('unhandledrejection', listener);
  for (const formats of [undefined, ['avro']] as const) {
    const decoder = openDecoder();
    void decoder.preload(formats);
    expect(decoder.stats().workers).toBe(1);
  }
  const failing = openDecoder({ createWorker: missing });
  void failing.preload();
  await rejection(failing.preload());
  // Unhandled rejections are reported before the next task.
  await new Promise((resolve) => setTimeout(resolve));
  removeEventListener('unhandledrejection', listener);
  expect(unhandled).toEqual([]);
});

test('preload() rejects if the worker cannot be loaded or the decoder is closed', async () => {
  expect(await rejection(openDecoder({ createWorker: missing }).preload())).toMatchObject({ name: 'WorkerCrashError' });
  const decoder = createDecoder();
  const loading = decoder.preload();
  decoder.close();
  await expect(loading).rejects.toMatchObject({ name: 'AbortError' });
  await expect(decoder.preload()).rejects.toMatchObject({ name: 'AbortError' });
});

test('fetch(url, { as }) starts a worker with the request and sets the form for decode()', async () => {
  const url = URL.createObjectURL(new Blob([pack(rows)], { type: 'application/vnd.msgpack' }));
  const decoder = openDecoder();
  const fetching = decoder.fetch(url, { as: 'rows' });
  expect(decoder.stats().workers).toBe(1);
  const list = await (await fetching).decode<typeof rows>();
  expect((list as unknown as { at(index: number): unknown }).at(7)).toEqual(rows[7]);
  expect(await (await decoder.fetch(url, { as: 'rows' })).json()).toEqual(rows);

  const plain = openDecoder();
  await plain.fetch(url);
  expect(plain.stats().workers).toBe(0);
  URL.revokeObjectURL(url);
});

test('the first job is sent before the worker has started', async () => {
  const { createWorker, release, given } = holdWorkers();
  const decoder = openDecoder({ createWorker, route: 'worker' });
  const bytes = pack(rows);
  const decoding = decoder.decode(bytes);
  await expect.poll(() => given).toEqual([bytes.length]);
  release();
  expect(await decoding).toEqual(rows);
});

test('a transferred buffer survives a worker that cannot be loaded', async () => {
  const decoder = openDecoder({ createWorker: missing, route: 'worker' });
  const bytes = pack(rows);
  const { length } = bytes;
  expect(await rejection(decoder.decode(bytes, { transfer: true }))).toMatchObject({ name: 'WorkerCrashError' });
  expect(bytes.length).toBe(length);
  expect(await decoder.decode(bytes, { route: 'page' })).toEqual(rows);
});

test('batches of rows start a worker immediately, except for short responses, the route page, and objects', async () => {
  const response = (length?: number): Response =>
    new Response(pack(rows), length === undefined ? {} : { headers: { 'content-length': String(length) } });
  const workersFor = async (source: Response | Uint8Array, options: BatchSettings): Promise<number> => {
    const decoder = openDecoder();
    const first = decoder.batches(source, { format: 'messagepack', ...options }).next();
    const { workers } = decoder.stats();
    decoder.close();
    await rejection(first);
    return workers;
  };
  expect(await workersFor(response(), { as: 'rows' })).toBe(1);
  expect(await workersFor(response(1e6), { as: 'columns' })).toBe(1);
  expect(await workersFor(response(1e3), { as: 'rows' })).toBe(0);
  expect(await workersFor(response(), { as: 'rows', route: 'page' })).toBe(0);
  expect(await workersFor(response(), { as: 'objects' })).toBe(0);
  expect(await workersFor(pack(rows), { as: 'rows' })).toBe(0);
});
