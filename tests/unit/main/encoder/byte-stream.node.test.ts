import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createEncoder } from '../../../../main/encode.ts';
import { encodeSync } from '../../../../main/sync.ts';
import { joined } from '../../../../core/bytes/byte-input.ts';
import json from '../../../../core/formats/json/writer.ts';

type Bytes = Uint8Array<ArrayBuffer>;

const rows = Array.from({ length: 10_000 }, (_, id) => ({ id, name: `station ${id}`, at: { x: id / 3, y: -id } }));
const whole = encodeSync(json, rows);

/** Reads a stream to its end into one buffer, `length` bytes at a time, and passes each part to `put`. */
async function readInto(stream: ReadableStream<Bytes>, length: number, put: (part: Bytes) => unknown): Promise<void> {
  const reader = stream.getReader({ mode: 'byob' });
  let memory = new ArrayBuffer(length + 3);
  for (;;) {
    const { done, value } = await reader.read(new Uint8Array(memory, 3, length));
    if (done) return;
    expect(value.byteOffset).toBe(3);
    await put(value);
    memory = value.buffer;
  }
}

async function readAll(stream: ReadableStream<Bytes>, length: number): Promise<Bytes> {
  const parts: Bytes[] = [];
  await readInto(stream, length, (part) => parts.push(part.slice()));
  return joined(parts);
}

describe("stream read into the reader's memory", () => {
  it.each([[1_000], [100_003], [8 * 2 ** 20]])('delivers the same bytes, %d at a time', async (length) => {
    const list = length < 100_000 ? rows.slice(0, 500) : rows;
    const expected = encodeSync(json, list);
    const encoder = createEncoder();
    expect(Buffer.compare(await readAll(encoder.stream(list, { format: 'json' }), length), expected)).toBe(0);
    expect(Buffer.compare(await readAll(encoder.transcode(expected, { to: { format: 'json' } }), length), expected)).toBe(0);
  });

  it('releases consumed memory before garbage collection', async () => {
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    const list = Array.from({ length: 50 }, () => rows);
    await readInto(createEncoder().stream(list, { format: 'messagepack' }), 1 << 20, async () => {
      await setImmediate();
      most = Math.max(most, process.memoryUsage().arrayBuffers - before);
    });
    expect(most).toBeLessThan(12e6);
  });

  it('continues with a default reader', async () => {
    const stream = createEncoder().stream(rows, { format: 'json' });
    const first = stream.getReader({ mode: 'byob' });
    const { value } = await first.read(new Uint8Array(1_000));
    first.releaseLock();
    const parts = [value!];
    const second = stream.getReader();
    for (let read = await second.read(); !read.done; read = await second.read()) parts.push(read.value);
    expect(Buffer.compare(joined(parts), whole)).toBe(0);
  });

  it('throws if the value is invalid, and ends if nothing is written', async () => {
    const encoder = createEncoder();
    await expect(readAll(encoder.stream([rows, 1n], { format: 'json' }), 5_000)).rejects.toMatchObject({ code: 'unsupported', path: [1] });
    const none = encoder.stream([], { format: 'json', options: { sequence: true } });
    expect(await readAll(none, 10)).toHaveLength(0);
  });

  it('leaves the bytes given to a transcode with the caller', async () => {
    const given = whole.slice();
    await readAll(createEncoder().transcode(given, { to: { format: 'json' } }), 1 << 16);
    expect(Buffer.compare(given, whole)).toBe(0);
  });
});

describe('engine without byte streams', () => {
  afterEach(() => void vi.unstubAllGlobals());

  it('passes chunks to default readers', async () => {
    vi.stubGlobal('ReadableByteStreamController', undefined);
    const stream = createEncoder().stream(rows, { format: 'json' });
    expect(() => stream.getReader({ mode: 'byob' })).toThrow(TypeError);
    expect(Buffer.compare(new Uint8Array(await new Response(stream).arrayBuffer()), whole)).toBe(0);
  });
});
