import { createServer, request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createEncoder } from '../../../../main/encode.ts';
import { createDecoder, type DecodeSource } from '../../../../main/index.ts';

const list = Array.from({ length: 3_000 }, (_, id) => ({ id, name: `trip ${id}` }));
const bytes = new TextEncoder().encode(JSON.stringify(list));
const decoder = createDecoder();
const encoder = createEncoder();

function* chunks(): Generator<Uint8Array, void, undefined> {
  for (let at = 0; at < bytes.length; at += 5_000) yield bytes.subarray(at, at + 5_000);
}

async function* later(): AsyncGenerator<Uint8Array, void, undefined> {
  yield* chunks();
}

const SOURCES: Record<string, () => DecodeSource> = {
  'a Readable of Node': () => Readable.from(chunks(), { objectMode: false }) as AsyncIterable<Uint8Array>,
  'an async generator': later,
  'an async iterable': () => ({ [Symbol.asyncIterator]: later }),
  'a generator': chunks,
  'a File': () => new File([bytes], 'trips.json'),
  'a Request': () => new Request('http://localhost/trips', { method: 'POST', body: bytes }),
};

describe.each(Object.entries(SOURCES))('%s', (_, source) => {
  it('decodes as a whole, in batches and as growing rows', async () => {
    expect(await decoder.decode(source())).toEqual(list);
    expect(await decoder.decode(source(), { route: 'page', label: 'trips', stallTimeout: 60_000 })).toEqual(list);
    const batches: unknown[] = [];
    for await (const batch of decoder.batches(source(), { format: 'json' })) batches.push(...batch);
    expect(batches).toEqual(list);
    expect((await (await decoder.growingRows(source())).done).toArray()).toEqual(list);
  });

  it('rejects beyond the limit `bytes`', async () => {
    await expect(decoder.decode(source(), { limits: { bytes: 6_000 } })).rejects.toMatchObject({ name: 'LimitError', limit: 'bytes' });
  });
});

describe('a source of bytes', () => {
  it('closes the source when the loop over its batches is left', async () => {
    let closed = 0;
    async function* endless(): AsyncGenerator<Uint8Array, void, undefined> {
      try {
        for (;;) yield new TextEncoder().encode('{"a":1}\n');
      } finally {
        closed += 1;
      }
    }
    for await (const batch of decoder.batches(endless(), { format: 'json', options: { sequence: true }, batchSize: 5 })) {
      expect(batch).toHaveLength(5);
      break;
    }
    await expect.poll(() => closed).toBe(1);
    const readable = Readable.from(endless());
    for await (const batch of decoder.batches(readable as AsyncIterable<Uint8Array>, { format: 'json', options: { sequence: true } })) {
      expect(batch.length).toBeGreaterThan(0);
      break;
    }
    await expect.poll(() => [closed, readable.destroyed]).toEqual([2, true]);
  });

  it.each<[string, (source: DecodeSource, signal: AbortSignal) => Promise<unknown>]>([
    ['decode', (source, signal) => decoder.decode(source, { format: 'json', signal })],
    ['batches', (source, signal) => decoder.batches(source, { format: 'json', signal }).next()],
    ['growingRows', async (source, signal) => (await decoder.growingRows(source, { format: 'json', signal })).done],
    [
      'transcode',
      (source, signal) => new Response(encoder.transcode(source, { from: { format: 'json' }, to: { format: 'cbor', signal } })).arrayBuffer(),
    ],
  ])('is destroyed if it is a Readable of Node and %s is aborted while a chunk is pending', async (_, call) => {
    let isWaiting!: () => void;
    const waiting = new Promise<void>((resolve) => (isWaiting = resolve));
    const left = [bytes.subarray(0, 100)];
    const readable = new Readable({
      read() {
        if (left.length > 0) this.push(left.shift());
        else isWaiting();
      },
    });
    const control = new AbortController();
    const running = call(readable as AsyncIterable<Uint8Array>, control.signal);
    await waiting;
    control.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
    await expect.poll(() => readable.destroyed).toBe(true);
  });

  it('rejects with the error that the source throws, and rejects chunks that are not bytes', async () => {
    async function* broken(): AsyncGenerator<Uint8Array, void, undefined> {
      yield bytes.subarray(0, 100);
      throw new RangeError('no more');
    }
    await expect(decoder.decode(broken())).rejects.toThrow('no more');
    const texts = Readable.from(['[1', ',2]']) as AsyncIterable<unknown> as AsyncIterable<Uint8Array>;
    await expect(decoder.decode(texts)).rejects.toThrow('cannot decode a string (use TextEncoder): expected chunks of bytes');
    for (const source of [[bytes], new Set([bytes]), { body: 1 }]) {
      await expect(decoder.decode(source as unknown as DecodeSource)).rejects.toThrow(
        'expected bytes, a Blob, a Response, or a stream or iterator of bytes',
      );
    }
  });

  it.each<[string, string | readonly number[], object]>([
    ['an array of JSON', '[{"id":0},{"id":1},{"id":2},', { format: 'json' }],
    ['an array of JSON whose format is detected', '[{"id":0},{"id":1},{"id":2},', {}],
    ['lines of JSON', '{"id":0}\n{"id":1}\n{"id":2}\n', { format: 'json', options: { sequence: true } }],
    ['a list at a path', '{"data":[{"id":0},{"id":1},{"id":2},{"id":', { path: 'data' }],
    ['MessagePack', [0xdd, 0, 0, 0, 9, ...[0, 1, 2].flatMap((id) => [0x81, 0xa2, 0x69, 0x64, id])], { format: 'messagepack' }],
    ['MessagePack that is detected', [0xdd, 0, 0, 0, 9, ...[0, 1, 2].flatMap((id) => [0x81, 0xa2, 0x69, 0x64, id]), 0x81], {}],
  ])('gives the items that came before an error of the source first: %s', async (_, payload, options) => {
    const begin = typeof payload === 'string' ? new TextEncoder().encode(payload) : Uint8Array.from(payload);
    async function* broken(): AsyncGenerator<Uint8Array, void, undefined> {
      yield begin;
      throw new RangeError('no more');
    }
    const failing = (): ReadableStream<Uint8Array> => {
      const chunks = broken();
      return new ReadableStream({
        async pull(controller) {
          controller.enqueue((await chunks.next()).value as Uint8Array);
        },
      });
    };
    const items = [{ id: 0 }, { id: 1 }, { id: 2 }];
    for (const source of [broken, failing]) {
      const taken: unknown[] = [];
      const loop = (async () => {
        for await (const batch of decoder.batches(source(), options)) taken.push(...batch);
      })();
      await expect(loop).rejects.toThrow('no more');
      expect(taken).toEqual(items);
      const rows = await decoder.growingRows(source(), options);
      await expect(rows.done).rejects.toThrow('no more');
      expect(rows.toArray()).toEqual(items);
    }
  });

  it('rejects batches with the error of the source if the bytes before it tell no format', async () => {
    async function* broken(): AsyncGenerator<Uint8Array, void, undefined> {
      yield Uint8Array.of(0xc1);
      throw new RangeError('no more');
    }
    await expect(decoder.batches(broken()).next()).rejects.toThrow('no more');
    expect(decoder.stats().pending).toBe(0);
  });

  it("reads a request of Node's server in the format of its Content-Type", async () => {
    const received = new Promise<unknown>((resolve, reject) => {
      const server = createServer((request, response) => {
        decoder.decode(request as AsyncIterable<Uint8Array>).then(resolve, reject);
        response.end();
      });
      onTestFinished(() => void server.close());
      server.listen(0, () => {
        const { port } = server.address() as { port: number };
        httpRequest({ port, method: 'POST', headers: { 'content-type': 'application/x-ndjson' } }).end('1\n2\n');
      });
    });
    expect(await received).toEqual([1, 2]);
  });
});
