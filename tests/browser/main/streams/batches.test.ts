import { afterAll, describe, expect, test } from 'vitest';
import { createDecoder } from '../../../../main/index.ts';
import { assertSame } from '../../../setup/ways/differential.ts';
import {
  assertStreamRows,
  type StreamEncoding,
  streamGoesOn,
  type StreamRow,
  streamRow,
  streamState,
  streamUrl,
} from '../../../setup/servers/stream-rows.ts';
import { openDecoder, pack, rejection } from '../decoder/support.ts';

/** One for all tests: to start a worker takes longer than most of them. */
const decoder = createDecoder();
afterAll(() => decoder.close());

const isChromium = navigator.userAgent.includes('Chrome');
const isFirefox = navigator.userAgent.includes('Firefox');

const encodings: StreamEncoding[] = ['json', 'ndjson', 'messagepack'];
const pathOf = (encoding: StreamEncoding): string[] => (encoding === 'ndjson' ? [] : ['trips']);
let ids = 0;
const newId = (): string => `batches-${(ids += 1)}-${Math.random()}`;

describe.each(encodings)('%s', (encoding) => {
  const path = pathOf(encoding);

  test.each([1000, 16_384, 1_000_000])('gives all rows, in chunks of %i bytes', async (chunk) => {
    const { succeeded, failed } = decoder.stats();
    const response = await fetch(streamUrl({ encoding, rows: 20_000, chunk }));
    let count = 0;
    let longest = 0;
    for await (const batch of decoder.batches<StreamRow>(response, { path })) {
      assertStreamRows(batch, count);
      count += batch.length;
      longest = Math.max(longest, batch.length);
    }
    expect(count).toBe(20_000);
    expect(longest).toBeLessThan(20_000);
    expect(decoder.stats()).toMatchObject({ running: 0, pending: 0, succeeded: succeeded + 1, failed });
  });

  test.each([
    ['in chunks of one byte', 50, 1, 0],
    ['over a line of 100 Mbit/s', 5_000, 16_384, 100],
    ['over a line of 1 Gbit/s', 20_000, 65_536, 1000],
  ])('gives all rows %s', async (_, rows, chunk, rate) => {
    const response = await fetch(streamUrl({ encoding, rows, chunk, rate }));
    let count = 0;
    for await (const batch of decoder.batches<StreamRow>(response, { path, route: 'worker' })) {
      assertStreamRows(batch, count);
      count += batch.length;
    }
    expect(count).toBe(rows);
  });

  test('gives rows while later bytes still come, and cancels the rest', async () => {
    const id = newId();
    const response = await fetch(streamUrl({ id, encoding, rows: 300_000, hold: 500_000 }));
    let count = 0;
    for await (const batch of decoder.batches<StreamRow>(response, { path })) {
      count += batch.length;
      expect((await streamState(id)).ended).toBe(false);
      if (count > 2000) break;
    }
    // Firefox closes a connection that is no longer read when more comes; the rest is more than buffers hold.
    await streamGoesOn(id);
    await expect.poll(async () => (await streamState(id)).closed).toBe(true);
    expect((await streamState(id)).ended).toBe(false);
    await expect.poll(() => decoder.stats().running).toBe(0);
  });

  test('gives the good rows before a connection that breaks off', async () => {
    const { failed } = decoder.stats();
    const id = newId();
    // The connection breaks off once some rows are here: what has come and was not handed on yet may be lost.
    const response = await fetch(streamUrl({ id, encoding, rows: 100_000, hold: 2_000_000, reset: 2_000_000 }));
    let count = 0;
    const error = await rejection(
      (async () => {
        for await (const batch of decoder.batches<StreamRow>(response, { path })) {
          assertSame(batch[0], streamRow(count));
          count += batch.length;
          if (count > 1000) await streamGoesOn(id);
        }
      })(),
    );
    expect(error).toMatchObject({ name: 'NetworkError', code: 'network' });
    expect(error['receivedBytes']).toBeGreaterThan(0);
    expect(count).toBeGreaterThan(1000);
    expect(decoder.stats().failed).toBe(failed + 1);
    await expect.poll(() => decoder.stats().running).toBe(0);
  });

  /** Decodes a response after whose first bytes nothing comes, until that takes too long; the rows that came. */
  const decodeStalling = async (response: Response): Promise<{ count: number; error: Record<string, unknown> }> => {
    let count = 0;
    const error = await rejection(
      (async () => {
        for await (const batch of decoder.batches<StreamRow>(response, { path, stallTimeout: 250 })) count += batch.length;
      })(),
    );
    return { count, error };
  };

  test('gives the good rows before a body that stalls', async () => {
    // All of these bytes are there when they are asked for, however busy the machine is.
    const whole = await fetch(streamUrl({ encoding, rows: 4000 }));
    const bytes = new Uint8Array(await whole.arrayBuffer());
    let at = 0;
    const body = new ReadableStream({ pull: (to) => (at < 300_000 ? to.enqueue(bytes.slice(at, (at += 50_000))) : new Promise(() => {})) });
    const { count, error } = await decodeStalling(new Response(body, { headers: whole.headers }));
    expect(error).toMatchObject({ name: 'TimeoutError' });
    expect(count).toBeGreaterThan(1000);
  });

  // Firefox does not let a connection go on which nothing comes, unless the request itself is aborted.
  test.skipIf(isFirefox)('closes the connection to a server that stalls', async () => {
    const id = newId();
    await decodeStalling(await fetch(streamUrl({ id, encoding, rows: 100_000, stall: 500_000 })));
    await expect.poll(async () => (await streamState(id)).closed).toBe(true);
  });
});

test('values that are not in rows stay when the memory of a batch goes', async () => {
  const trips = Array.from({ length: 2000 }, (_, index) => ({
    id: index,
    data: new Uint8Array([index, 1, 2]),
    stops: [`stop ${index % 7}`, { at: index }],
    note: index % 2 === 0 ? `note ${index}` : index,
  }));
  const items = trips.flatMap((trip) => [trip, trip.data, trip.note]);
  const seen: unknown[] = [];
  const bytes = pack({ trips: items });
  for await (const batch of decoder.batches(bytes, { format: 'messagepack', path: 'trips', route: 'worker', rows: 700 })) seen.push(...batch);
  assertSame(seen, items);
});

/** How much a server has written when no more is taken. */
async function standstill(id: string): Promise<number> {
  let written = -1;
  let times = 0;
  // What the operating system and the browser hold by themselves takes a while to fill.
  const still = async (): Promise<number> => {
    const before = written;
    written = (await streamState(id)).written;
    times = written === before ? times + 1 : 0;
    return times;
  };
  await expect.poll(still, { interval: 250 }).toBe(2);
  return written;
}

test('a consumer that stops taking batches stops the server, where the engine does not read on by itself', async () => {
  const id = newId();
  const rows = 800_000;
  const response = await fetch(streamUrl({ id, encoding: 'messagepack', rows, chunk: 1_000_000 }));
  const batches = decoder.batches<StreamRow>(response, { path: 'trips' });
  const first = await batches.next();
  const written = await standstill(id);
  const { ended } = await streamState(id);
  if (isChromium) expect(ended).toBe(false);
  if (ended) {
    // Firefox and WebKit may read a response to its end whether or not anybody takes it: then nothing of it is lost.
    let count = first.done ? 0 : first.value.length;
    for await (const batch of batches) count += batch.length;
    expect(count).toBe(rows);
    return;
  }
  expect(written).toBeLessThan(40_000_000);
  for (let taken = 0; taken < 100 && (await streamState(id)).written === written; taken += 1) await batches.next();
  await expect.poll(async () => (await streamState(id)).written).toBeGreaterThan(written);
  await batches.return();
  await expect.poll(async () => (await streamState(id)).closed).toBe(true);
});

test('a Content-Length that promises more is an error after the good rows', async () => {
  const id = newId();
  // The connection ends once some rows are here: what an engine has not handed on by then, it drops.
  const response = await fetch(streamUrl({ id, encoding: 'ndjson', rows: 3000, length: 50_000_000, hold: 1e9 }));
  let count = 0;
  const error = await rejection(
    (async () => {
      for await (const batch of decoder.batches<StreamRow>(response)) {
        count += batch.length;
        await streamGoesOn(id);
      }
    })(),
  );
  expect(error).toMatchObject({ name: 'NetworkError' });
  expect(count).toBeGreaterThan(0);
});

test('closing the decoder ends the loop', async () => {
  const decoder = openDecoder({ workers: 1 });
  const response = await fetch(streamUrl({ encoding: 'json', rows: 1_000_000, rate: 100 }));
  const batches = decoder.batches<StreamRow>(response, { path: 'trips' });
  await batches.next();
  decoder.close();
  const error = await rejection(
    (async () => {
      for await (const batch of batches) expect(batch.length).toBeGreaterThan(0);
    })(),
  );
  expect(error).toMatchObject({ name: 'AbortError' });
});

test('the first batch is small, and the later ones are sized by what they take to build', async () => {
  // The first call starts the worker and loads code.
  for await (const _ of decoder.batches(await fetch(streamUrl({ encoding: 'json', rows: 500 })), { path: 'trips' }));
  const response = await fetch(streamUrl({ encoding: 'json', rows: 40_000 }));
  const sizes: number[] = [];
  for await (const batch of decoder.batches<StreamRow>(response, { path: 'trips' })) sizes.push(batch.length);
  expect(sizes[0]).toBeLessThan(2000);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(40_000);
});
