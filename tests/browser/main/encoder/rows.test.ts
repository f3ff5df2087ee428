import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createEncoder } from '../../../../main/encode.ts';
import { createDecoder, type Rows } from '../../../../main/index.ts';
import { RECORDS } from '../../../../core/values/record-list.ts';
import { joined } from '../../../../core/bytes/byte-input.ts';
import { hurryClock, tasksDuring } from '../../../setup/stand-ins/clock.ts';
import { STREAM } from '../../../setup/servers/stream-rows.ts';

const trips = Array.from({ length: 60_000 }, (_, id) => ({ id, name: `station ${id % 900} é`, at: id / 3, end: id % 50 === 0 ? null : -id }));
const encoder = createEncoder({ worker: false });

/** Trips decoded by a worker: rows over columns. */
async function decoded(list = trips): Promise<Rows<(typeof trips)[number]>> {
  const decoder = createDecoder({ workers: 1 });
  onTestFinished(() => decoder.close());
  const bytes = new TextEncoder().encode(JSON.stringify({ trips: list }));
  const value = await decoder.decode<{ trips: typeof trips }>(bytes, { as: 'rows', route: 'worker', format: 'json' });
  return value.trips;
}

describe('an encoder with rows decoded by a worker', () => {
  it.each(['messagepack', 'json', 'cbor'] as const)('writes %s in slices and keeps the rows readable', async (format) => {
    const rows = await decoded();
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    const stream = encoder.stream({ trips: rows }, { format });
    // Loads the code first, which also takes tasks.
    await encoder.encode([], { format });
    hurryClock();
    const tasks = await tasksDuring(async () => {
      const reader = stream.getReader();
      for (let read = await reader.read(); !read.done; read = await reader.read()) chunks.push(read.value);
    });
    expect(tasks).toBeGreaterThan(2);
    const expected = await encoder.encode({ trips }, { format });
    const bytes = joined(chunks);
    expect(bytes.length).toBe(expected.length);
    expect(bytes.every((byte, at) => byte === expected[at])).toBe(true);
    expect(rows.at(-1)).toEqual(trips.at(-1));
    expect(await encoder.encode({ trips: rows }, { format })).toHaveLength(expected.length);
  });

  it('posts them as a request body', async () => {
    const body = await encoder.body(await decoded(), { format: 'json' });
    const answer = await fetch(`${STREAM}?echo=1`, { method: 'POST', body });
    const { headers, body: received } = (await answer.json()) as { headers: Record<string, string>; body: string };
    expect(headers['content-type']).toBe('application/json');
    expect(received === JSON.stringify(trips)).toBe(true);
  });
});

describe('an encoder that writes rows in a worker', () => {
  const some = trips.slice(0, 12_000);

  it.each(['messagepack', 'json', 'bson'] as const)('produces the same %s as on the page, which creates no records', async (format) => {
    const rows = await decoded(some);
    const writing = createEncoder();
    onTestFinished(() => writing.close());
    const made = vi.spyOn(rows, RECORDS);
    const told: number[] = [];
    const bytes = await writing.encode({ trips: rows }, { format, onProgress: ({ writtenBytes }) => told.push(writtenBytes) });
    expect(made).not.toHaveBeenCalled();
    made.mockRestore();
    const expected = await encoder.encode({ trips: some }, { format });
    expect(bytes).toHaveLength(expected.length);
    expect(bytes.findIndex((byte, at) => byte !== expected[at])).toBe(-1);
    expect(told.at(-1)).toBe(bytes.length);
    expect(rows.at(-1)).toEqual(some.at(-1));
  });

  it('compresses them in another worker', async () => {
    const writing = createEncoder();
    onTestFinished(() => writing.close());
    const body = await writing.body(await decoded(some), { format: 'json', compression: 'gzip' });
    const text = await new Response(body.stream().pipeThrough(new DecompressionStream('gzip'))).text();
    expect(text === JSON.stringify(some)).toBe(true);
  });

  it('writes on the page if that worker cannot be loaded', async () => {
    let made = 0;
    const createWorker = (): Worker => ((made += 1), new Worker('/no-such-worker.js', { type: 'module' }));
    const writing = createEncoder({ createWorker });
    const rows = await decoded(some);
    for (let time = 0; time < 2; time += 1) {
      const text = new TextDecoder().decode(await writing.encode(rows, { format: 'json' }));
      expect(text === JSON.stringify(some)).toBe(true);
    }
    expect(made).toBe(1);
  });
});
