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

/** Shared, as starting a worker takes longer than most tests. */
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

  test.each([1000, 16_384, 1_000_000])('emits all rows, in chunks of %i bytes', async (chunk) => {
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

  test('emits rows while later bytes arrive, and cancels the rest', async () => {
    const id = newId();
    const response = await fetch(streamUrl({ id, encoding, rows: 300_000, hold: 500_000 }));
    let count = 0;
    for await (const batch of decoder.batches<StreamRow>(response, { path })) {
      count += batch.length;
      expect((await streamState(id)).ended).toBe(false);
      if (count > 2000) break;
    }
    // Firefox closes an unread connection only when more bytes arrive than buffers hold.
    await streamGoesOn(id);
    await expect.poll(async () => (await streamState(id)).closed).toBe(true);
    expect((await streamState(id)).ended).toBe(false);
    await expect.poll(() => decoder.stats().running).toBe(0);
  });

  test('emits the valid rows before a connection error', async () => {
    const { failed } = decoder.stats();
    const id = newId();
    // Breaks the connection after some rows, since received bytes may be lost with it.
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

  /** Decodes a response that stalls until the timeout. Returns the received rows. */
  const decodeStalling = async (response: Response): Promise<{ count: number; error: Record<string, unknown> }> => {
    let count = 0;
    const error = await rejection(
      (async () => {
        for await (const batch of decoder.batches<StreamRow>(response, { path, stallTimeout: 250 })) count += batch.length;
      })(),
    );
    return { count, error };
  };

  test('emits the valid rows of a stalled body', async () => {
    // All of these bytes are available immediately, even on a busy machine.
    const whole = await fetch(streamUrl({ encoding, rows: 4000 }));
    const bytes = new Uint8Array(await whole.arrayBuffer());
    let at = 0;
    const body = new ReadableStream({ pull: (to) => (at < 300_000 ? to.enqueue(bytes.slice(at, (at += 50_000))) : new Promise(() => {})) });
    const { count, error } = await decodeStalling(new Response(body, { headers: whole.headers }));
    expect(error).toMatchObject({ name: 'TimeoutError' });
    expect(count).toBeGreaterThan(1000);
  });

  // Firefox keeps a stalled connection open unless the request is aborted.
  test.skipIf(isFirefox)('closes the connection to a server that stalls', async () => {
    const id = newId();
    await decodeStalling(await fetch(streamUrl({ id, encoding, rows: 100_000, stall: 500_000 })));
    await expect.poll(async () => (await streamState(id)).closed).toBe(true);
  });
});

test('values outside of rows survive the release of a batch', async () => {
  const trips = Array.from({ length: 2000 }, (_, index) => ({
    id: index,
    data: new Uint8Array([index, 1, 2]),
    stops: [`stop ${index % 7}`, { at: index }],
    note: index % 2 === 0 ? `note ${index}` : index,
  }));
  const items = trips.flatMap((trip) => [trip, trip.data, trip.note]);
  const seen: unknown[] = [];
  const bytes = pack({ trips: items });
  for await (const batch of decoder.batches(bytes, { format: 'messagepack', path: 'trips', route: 'worker', batchSize: 700 })) seen.push(...batch);
  assertSame(seen, items);
});

/** Bytes that a server has written when the client stops reading. */
async function standstill(id: string): Promise<number> {
  let written = -1;
  let times = 0;
  // The buffers of the operating system and the browser fill first.
  const still = async (): Promise<number> => {
    const before = written;
    written = (await streamState(id)).written;
    times = written === before ? times + 1 : 0;
    return times;
  };
  await expect.poll(still, { interval: 250 }).toBe(2);
  return written;
}

test('a consumer that stops reading stops the server, unless the engine reads ahead', async () => {
  const id = newId();
  const rows = 800_000;
  const response = await fetch(streamUrl({ id, encoding: 'messagepack', rows, chunk: 1_000_000 }));
  const batches = decoder.batches<StreamRow>(response, { path: 'trips' });
  const first = await batches.next();
  const written = await standstill(id);
  const { ended } = await streamState(id);
  if (isChromium) expect(ended).toBe(false);
  if (ended) {
    // Firefox and WebKit may read a response to its end, in which case nothing is lost.
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

test('a truncated body is an error after the valid rows', async () => {
  const id = newId();
  // Ends the connection after some rows, since engines drop bytes that were not read.
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

test('the first batch of a worker is small, and comes while the response is held', async () => {
  const id = newId();
  const response = await fetch(streamUrl({ id, encoding: 'json', rows: 40_000, hold: 500_000 }));
  const sizes: number[] = [];
  for await (const batch of decoder.batches<StreamRow>(response, { path: 'trips', route: 'worker' })) {
    if (sizes.length === 0) await streamGoesOn(id);
    sizes.push(batch.length);
  }
  expect(sizes[0]).toBeLessThan(2000);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(40_000);
});

test('growing rows keep the last rows of a list that a worker decodes', async () => {
  const lines: string[] = [];
  const rows = await decoder.growingRows<StreamRow>(await fetch(streamUrl({ encoding: 'ndjson', rows: 30_000, chunk: 20_000 })), {
    route: 'worker',
    batchSize: 700,
    keep: 1_000,
    onRows: (so, added) => {
      const total = so.dropped + so.length;
      expect(so.length).toBe(Math.min(total, 1_000));
      assertSame(so.at(0), streamRow(so.dropped));
      assertSame(so.at(-added), streamRow(total - added));
      assertSame(so.at(-1), streamRow(total - 1));
      lines.push(`${total}`);
    },
  });
  await rows.done;
  expect(lines.at(-1)).toBe('30000');
  const last = Array.from({ length: 1_000 }, (_, index) => streamRow(29_000 + index));
  assertSame(rows.toArray(), last);
  assertSame(
    [...rows.column('at', { as: 'int32' })],
    last.map(({ at }) => at),
  );
  assertSame(
    (await rows.filter({ member: true })).toArray(),
    last.filter(({ member }) => member),
  );
});
