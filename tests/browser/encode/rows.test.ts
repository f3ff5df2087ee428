import { describe, expect, it, onTestFinished } from 'vitest';
import { createEncoder } from '../../../main/encode.ts';
import { createDecoder, type Rows } from '../../../main/index.ts';
import { joined } from '../../../worker/bytes/byte-input.ts';
import { STREAM } from '../../setup/stream-rows.ts';

const trips = Array.from({ length: 60_000 }, (_, id) => ({ id, name: `station ${id % 900} é`, at: id / 3, end: id % 50 === 0 ? null : -id }));
const encoder = createEncoder();

/** The trips as a worker decodes them: rows over columns. */
async function decoded(): Promise<Rows<(typeof trips)[number]>> {
  const decoder = createDecoder({ workers: 1 });
  onTestFinished(() => decoder.close());
  const bytes = new TextEncoder().encode(JSON.stringify({ trips }));
  const value = await decoder.decode<{ trips: typeof trips }>(bytes, { as: 'rows', route: 'worker', format: 'json' });
  return value.trips;
}

describe('rows that a worker has decoded', () => {
  it.each(['messagepack', 'json', 'cbor'] as const)('are written as %s in slices, and can be read afterwards', async (format) => {
    const rows = await decoded();
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    let tasks = 0;
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      tasks += 1;
      port2.postMessage(0);
    };
    port2.postMessage(0);
    for (const reader = encoder.stream({ trips: rows }, { format }).getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
    }
    port1.close();
    // Other messages have had their turn while it was written.
    expect(tasks).toBeGreaterThan(2);
    const expected = await encoder.encode({ trips }, { format });
    const bytes = joined(chunks);
    expect(bytes.length).toBe(expected.length);
    expect(bytes.every((byte, at) => byte === expected[at])).toBe(true);
    expect(rows.at(-1)).toEqual(trips.at(-1));
    expect(await encoder.encode({ trips: rows }, { format })).toHaveLength(expected.length);
  });

  it('are posted as they are', async () => {
    const body = await encoder.body(await decoded(), { format: 'json' });
    const answer = await fetch(`${STREAM}?echo=1`, { method: 'POST', body });
    const { headers, body: received } = (await answer.json()) as { headers: Record<string, string>; body: string };
    expect(headers['content-type']).toBe('application/json');
    expect(received === JSON.stringify(trips)).toBe(true);
  });
});
