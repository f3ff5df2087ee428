import { unpack } from 'msgpackr';
import { describe, expect, it } from 'vitest';
import { EncodeError } from '../../../../core/errors.ts';
import { createEncoder, type EncodeOptions } from '../../../../main/encode.ts';
import { encodeChunks, encodeSync } from '../../../../main/sync.ts';
import json from '../../../../core/formats/json/writer.ts';
import messagepack from '../../../../core/formats/messagepack/writer.ts';
import { hurryClock, tasksDuring } from '../../../setup/stand-ins/clock.ts';

const rows = Array.from({ length: 16_000 }, (_, id) => ({ id, name: `station ${id}`, at: { x: id / 3, y: -id }, tags: ['a', String(id)] }));

async function readAll(stream: ReadableStream<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  const reader = stream.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) chunks.push(read.value);
  return Buffer.concat(chunks);
}

/** Loads the code, which takes tasks too, and makes each slice as short as possible. */
async function inShortSlices(): Promise<void> {
  for (const format of ['json', 'messagepack'] as const) await createEncoder().body([], { format });
  hurryClock();
}

describe('encode', () => {
  it('returns the bytes of encodeSync', async () => {
    const encoder = createEncoder();
    expect(Buffer.compare(await encoder.encode(rows, { format: 'messagepack' }), encodeSync(messagepack, rows))).toBe(0);
    expect(Buffer.compare(await encoder.encode({ rows }, { format: 'json' }), encodeSync(json, { rows }))).toBe(0);
    expect(unpack(encodeSync(messagepack, rows))).toEqual(rows);
  });

  it('yields to other tasks while it writes', async () => {
    await inShortSlices();
    expect(await tasksDuring(() => createEncoder().encode([rows, rows, rows], { format: 'json' }))).toBeGreaterThan(3);
  });

  it.each(['messagepack', 'json'] as const)(
    'returns an array and a Blob of %s larger than many chunks, and yields to other tasks',
    async (format) => {
      const value = Array.from({ length: 50 }, (_, index) => `${index} é`.repeat(25_000));
      const encoder = createEncoder();
      const expected = encodeSync(format === 'json' ? json : messagepack, value);
      expect(expected.length).toBeGreaterThan(5 << 20);
      await inShortSlices();
      let bytes!: Uint8Array<ArrayBuffer>;
      let body!: Blob;
      expect(await tasksDuring(async () => void (bytes = await encoder.encode(value, { format })))).toBeGreaterThan(3);
      expect(await tasksDuring(async () => void (body = await encoder.body(value, { format })))).toBeGreaterThan(3);
      expect(Buffer.compare(bytes, expected)).toBe(0);
      expect(bytes.buffer.byteLength).toBe(expected.length);
      expect(body.type).toBe(format === 'json' ? 'application/json' : 'application/vnd.msgpack');
      expect(Buffer.compare(Buffer.from(await body.arrayBuffer()), expected)).toBe(0);
    },
  );

  it("merges the call's options over the encoder's", async () => {
    const encoder = createEncoder({ formatOptions: { json: { bigints: 'number', sets: 'array' } } });
    const value = [1n, new Set([2n])];
    expect(String(Buffer.from(await encoder.encode(value, { format: 'json' })))).toBe('[1,[2]]');
    expect(String(Buffer.from(await encoder.encode(value, { format: 'json', options: { bigints: 'string' } })))).toBe('["1",["2"]]');
  });

  it.each([{ records: true }, { references: true }, { bundleStrings: true }, { sequence: true }])('writes MessagePack with %j', async (options) => {
    const list = [...rows.slice(0, 500), rows[0]];
    const bytes = await createEncoder().encode(list, { format: 'messagepack', options });
    expect(Buffer.compare(bytes, encodeSync(messagepack, list, { options }))).toBe(0);
    expect(Buffer.compare(bytes, encodeSync(messagepack, list))).not.toBe(0);
  });

  it('returns results that share no memory', async () => {
    const encoder = createEncoder();
    const results = await Promise.all([1, 2, 3].map((id) => encoder.encode({ id }, { format: 'messagepack' })));
    expect(new Set(results.map(({ buffer }) => buffer)).size).toBe(3);
    expect(results.map((bytes) => unpack(bytes))).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
    const chunks = encodeChunks(messagepack, rows);
    expect(new Set(chunks.map(({ buffer }) => buffer)).size).toBe(chunks.length);
  });

  it('rejects with an EncodeError that gives the path', async () => {
    const bad = createEncoder().encode([...rows, { at: Symbol('no') }], { format: 'messagepack' });
    await expect(bad).rejects.toBeInstanceOf(EncodeError);
    await expect(bad).rejects.toMatchObject({ code: 'unsupported', format: 'messagepack', path: [rows.length, 'at'] });
  });

  it('names the known formats and schemas if one is unknown', async () => {
    const encoder = createEncoder();
    await expect(encoder.encode(1, { format: 'msgpack' as 'messagepack' })).rejects.toThrow(
      /invalid option format: msgpack; expected one of json, messagepack, cbor/,
    );
    await expect(encoder.encode(1, {} as EncodeOptions)).rejects.toThrow(/no format given: pass \{ format: 'json' \}/);
    await expect(encoder.encode(1, { format: 'json', schema: 'trip' } as unknown as EncodeOptions)).rejects.toThrow(
      /the schema trip is not registered/,
    );
  });

  it('stops with the reason of the signal, before it begins and midway', async () => {
    const encoder = createEncoder();
    await expect(encoder.encode(1, { format: 'json', signal: AbortSignal.abort('early') })).rejects.toBe('early');
    const control = new AbortController();
    const running = encoder.encode([rows, rows], { format: 'json', signal: control.signal, onProgress: () => control.abort('late') });
    await expect(running).rejects.toBe('late');
  });

  it('reports how many bytes have been written', async () => {
    const told: number[] = [];
    const bytes = await createEncoder().encode(rows, { format: 'messagepack', onProgress: ({ writtenBytes }) => told.push(writtenBytes) });
    expect(told.at(-1)).toBe(bytes.length);
    expect(told).toEqual(told.toSorted((a, b) => a - b));
  });

  it('rejects running and later calls when the encoder is closed', async () => {
    const encoder = createEncoder();
    const running = encoder.encode([rows, rows], { format: 'json', onProgress: () => encoder.close() });
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
    await expect(encoder.encode(1, { format: 'json' })).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('creates a Blob with the media type of the format', async () => {
    const body = await createEncoder().body({ id: 1 }, { format: 'messagepack' });
    expect(body.type).toBe('application/vnd.msgpack');
    expect(unpack(new Uint8Array(await body.arrayBuffer()))).toEqual({ id: 1 });
  });

  it.each([11, 12, 13])('creates a Blob with the media type from %d megabytes, around the 16 chunks that become one part', async (count) => {
    const list = Array.from({ length: count }, () => 'x'.repeat(1 << 20));
    const body = await createEncoder().body(list, { format: 'messagepack' });
    expect([body.type, body.size]).toEqual(['application/vnd.msgpack', 1 + count * ((1 << 20) + 5)]);
  });
});

describe('stream', () => {
  it('returns the bytes of encode, in chunks', async () => {
    const encoder = createEncoder();
    const bytes = await readAll(encoder.stream(rows, { format: 'messagepack' }));
    expect(Buffer.compare(bytes, await encoder.encode(rows, { format: 'messagepack' }))).toBe(0);
  });

  it('writes only on demand', async () => {
    let read = 0;
    const list = new Proxy(rows, {
      get: (target, key, receiver) => (typeof key === 'string' && /^\d+$/.test(key) ? (read = Number(key)) : 0, Reflect.get(target, key, receiver)),
    });
    const reader = createEncoder().stream(list, { format: 'messagepack' }).getReader();
    expect(read).toBe(0);
    await reader.read();
    expect(read).toBeLessThan(rows.length - 1);
    await reader.cancel();
  });

  it('writes the items of an async iterable as they arrive, and takes no more of them than are read', async () => {
    let given = 0;
    async function* items(): AsyncGenerator {
      for (const row of rows) {
        given += 1;
        yield row;
      }
    }
    const encoder = createEncoder();
    const reader = encoder.stream(items(), { format: 'json' }).getReader();
    await reader.read();
    expect(given).toBeLessThan(rows.length);
    await reader.cancel();
    const taken = rows.slice(0, 300);
    const source = new ReadableStream({ start: (controller) => (taken.forEach((row) => controller.enqueue(row)), controller.close()) });
    expect(String(await readAll(encoder.stream(source, { format: 'json' })))).toBe(JSON.stringify(taken));
    const lines = await readAll(encoder.stream(items(), { format: 'json', options: { sequence: true } }));
    expect(String(lines)).toBe(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  });

  it.each(['messagepack', 'cbor', 'bson', 'sia'] as const)('writes the items of an async iterable as a sequence of %s', async (format) => {
    const taken = rows.slice(0, 500).map(({ id, name }) => ({ id, name }));
    async function* items(): AsyncGenerator {
      yield* taken;
    }
    const encoder = createEncoder();
    const bytes = await readAll(encoder.stream(items(), { format, options: { sequence: true } }));
    expect(Buffer.compare(bytes, await encoder.encode(taken, { format, options: { sequence: true } }))).toBe(0);
    await expect(readAll(encoder.stream(items(), { format }))).rejects.toMatchObject({ name: 'EncodeError', code: 'unsupported', format });
  });

  it('writes Avro data of an async iterable consecutively, or in the blocks of a container', async () => {
    async function* items(): AsyncGenerator {
      yield* [1, 2, 3];
    }
    const encoder = createEncoder();
    const schema = { type: 'long' };
    expect([...(await readAll(encoder.stream(items(), { format: 'avro', schema, options: { sequence: true } })))]).toEqual([2, 4, 6]);
    for (const sequence of [false, true]) {
      const options = { sequence, framing: 'container', syncMarker: new Uint8Array(16) } as const;
      const container = await readAll(encoder.stream(items(), { format: 'avro', schema, options }));
      expect(Buffer.compare(container, await encoder.encode([1, 2, 3], { format: 'avro', schema, options }))).toBe(0);
    }
  });

  it('reports the index of an invalid item of a sequence', async () => {
    async function* items(): AsyncGenerator {
      yield* [{ a: 1 }, { a: [Symbol('no')] }];
    }
    const stream = createEncoder().stream(items(), { format: 'messagepack', options: { sequence: true } });
    await expect(readAll(stream)).rejects.toMatchObject({ code: 'unsupported', path: [1, 'a', 0] });
  });

  it("fails with the iterable's error, or with that of an invalid item", async () => {
    async function* broken(): AsyncGenerator {
      yield 1;
      throw new Error('the source broke');
    }
    async function* bad(): AsyncGenerator {
      yield 1;
      yield { a: [2n] };
    }
    await expect(readAll(createEncoder().stream(broken(), { format: 'json' }))).rejects.toThrow('the source broke');
    await expect(readAll(createEncoder().stream(bad(), { format: 'json' }))).rejects.toMatchObject({ code: 'unsupported', path: [1, 'a', 0] });
  });

  it('closes the iterable when the stream is cancelled', async () => {
    let ended = false;
    async function* items(): AsyncGenerator {
      try {
        for (;;) yield 'x'.repeat(10_000);
      } finally {
        ended = true;
      }
    }
    const reader = createEncoder().stream(items(), { format: 'json' }).getReader();
    await reader.read();
    await reader.cancel();
    expect(ended).toBe(true);
  });
});
