import { Readable } from 'node:stream';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createEncoder } from './decoders.ts';
import { DecodeError, LimitError, receive, type ReceivedRequest, type ReceiveOptions, RequestError } from '../../../../main/server.ts';
import { chunksOfJson } from '../../../setup/ways/chunk-kinds.ts';

const orders = [{ id: 1, lines: [{ article: 'a', count: 2 }] }];
const proto = 'syntax = "proto3"; message Order { int32 id = 1; }';

function post(body: BodyInit | null, headers: Record<string, string> = {}): Request {
  return new Request('http://localhost/', {
    method: 'POST',
    body,
    headers,
    ...(body instanceof ReadableStream && { duplex: 'half' }),
  });
}

const json = (text: string, headers: Record<string, string> = {}): Request => post(text, { 'content-type': 'application/json', ...headers });

async function failed(request: Request, options?: ReceiveOptions): Promise<RequestError> {
  const error: unknown = await receive(request, options).catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(RequestError);
  return error as RequestError;
}

describe('receive', () => {
  it.each(['json', 'messagepack', 'cbor'] as const)('decodes what the encoder makes of %s', async (format) => {
    expect(await receive(post(await createEncoder().body(orders, { format })))).toEqual(orders);
  });

  it('decodes sequences by their media type', async () => {
    expect(await receive(post('{"id":1}\n{"id":2}\n', { 'content-type': 'application/x-ndjson' }))).toEqual([{ id: 1 }, { id: 2 }]);
  });

  it('decodes formats with a schema, with the options of the format', async () => {
    const request = post(Uint8Array.of(8, 5), { 'content-type': 'application/x-protobuf' });
    expect(await receive(request, { schemas: { order: { format: 'protobuf', schema: { proto, message: 'Order' } } } })).toEqual({ id: 5 });
    expect(await receive(json('12345678901234567890'), { formats: { json: { bigints: 'bigint' } } })).toBe(12345678901234567890n);
  });

  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['Identity', (text: string) => Buffer.from(text)],
  ])('decompresses %s', async (coding, compress) => {
    const text = JSON.stringify(orders);
    const request = post(compress(text), { 'content-type': 'application/json', 'content-encoding': coding });
    expect(await receive(request)).toEqual(orders);
  });

  it('decompresses Zstandard', async () => {
    // The frame of `zstd --no-check`: a raw block of 2 bytes, the last one.
    const frame = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x20, 0x02, 0x11, 0, 0, 0x5b, 0x5d);
    expect(await receive(post(frame, { 'content-type': 'application/json', 'content-encoding': 'zstd' }))).toEqual([]);
  });

  it('ends with the signal', async () => {
    const controller = new AbortController();
    const reason = new Error('shutting down');
    const received = receive(post(new ReadableStream(), { 'content-type': 'application/json' }), { signal: controller.signal });
    controller.abort(reason);
    await expect(received).rejects.toBe(reason);
  });
});

describe('receive with a bad request', () => {
  it('rejects other types with 415, and names those that it accepts', async () => {
    const error = await failed(post('<a/>', { 'content-type': 'text/xml' }), { formats: { json: {} } });
    const accept = 'application/json, text/json, application/x-ndjson, application/ndjson, application/jsonl, application/x-jsonlines';
    expect([error.status, error.statusCode, error.headers]).toEqual([415, 415, { Accept: accept }]);
    expect((await failed(post(Uint8Array.of(1)))).message).toMatch(/^a body without Content-Type is not accepted, only application\/json/);
    expect((await failed(post(Uint8Array.of(1), { 'content-type': 'application/x-protobuf' }))).status).toBe(415);
  });

  it('rejects other compressions with 415, and names those that it accepts', async () => {
    const error = await failed(json('[]', { 'content-encoding': 'gzip, br' }));
    expect([error.status, error.headers]).toEqual([415, { 'Accept-Encoding': 'zstd, gzip, deflate, br' }]);
  });

  it('decodes a body of several gzip members', async () => {
    const bytes = Buffer.concat([gzipSync('[1,'), gzipSync('2]')]);
    expect(await receive(post(bytes, { 'content-type': 'application/json', 'content-encoding': 'gzip' }))).toEqual([1, 2]);
  });

  it('rejects bodies that are not valid with 400, and says where', async () => {
    const error = await failed(json('{"id":1,}'));
    expect([error.status, error.cause instanceof DecodeError, error.message]).toEqual([400, true, expect.stringMatching(/json, byte 8/)]);
    expect((await failed(post(null, { 'content-type': 'application/json' }))).status).toBe(400);
    expect((await failed(json('['.repeat(2_000)))).status).toBe(400);
    expect((await failed(post(gzipSync('[1]').subarray(0, 12), { 'content-type': 'application/json', 'content-encoding': 'gzip' }))).status).toBe(
      400,
    );
    expect((await failed(json('[1]', { 'content-encoding': 'br' }))).status).toBe(400);
  });

  describe.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('whose body has bytes after the end of its %s', (coding, compress) => {
    const bytes = compress('[1,2,3]');
    const headers = { 'content-type': 'application/json', 'content-encoding': coding };
    const streamed = (chunks: Uint8Array[]): Request =>
      post(new ReadableStream({ pull: (to) => (chunks.length > 0 ? to.enqueue(chunks.shift()) : to.close()) }), headers);

    it.each([
      ['in one chunk', () => [Buffer.concat([bytes, Buffer.from('junk')])]],
      ['in a later chunk', () => [bytes, Buffer.from('junk')]],
      ['in many chunks', () => [...Array.from(bytes, (byte) => Uint8Array.of(byte)), ...Array.from('junk', () => Uint8Array.of(7))]],
      ['of any number', () => [Buffer.concat([bytes, Buffer.alloc(300_000, 7)])]],
    ])('rejects them %s with 400', async (_, chunks) => {
      const error = await failed(streamed(chunks()));
      expect([error.status, error.message]).toEqual([400, expect.stringMatching(`^the body is no valid ${coding}: `)]);
    });

    it('accepts the bytes without them, cut anywhere', async () => {
      expect(await receive(streamed(Array.from(bytes, (byte) => Uint8Array.of(byte))))).toEqual([1, 2, 3]);
      expect(await receive(streamed([bytes]))).toEqual([1, 2, 3]);
    });
  });

  it('rejects bytes after a frame of Zstandard with 400', async () => {
    const frame = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x20, 0x02, 0x11, 0, 0, 0x5b, 0x5d, 1, 2, 3, 4);
    expect((await failed(post(frame, { 'content-type': 'application/json', 'content-encoding': 'zstd' }))).status).toBe(400);
  });

  it('rejects bodies that end early with 400', async () => {
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error('reset')) });
    const error = await failed(post(body, { 'content-type': 'application/json' }));
    expect([error.status, error.message]).toEqual([400, 'the body of the request ended early']);
  });

  it('rejects bodies longer than the limit with 413, announced or not', async () => {
    const text = `"${'x'.repeat(2 ** 20)}"`;
    expect((await failed(json(text))).status).toBe(413);
    expect(await receive(json(text), { limits: { bytes: 2 ** 21 } })).toHaveLength(2 ** 20);
    let pulled = 0;
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill((pulled += 1) && 0x31)) });
    const error = await failed(post(endless, { 'content-type': 'application/json' }));
    expect([error.status, error.cause instanceof LimitError]).toEqual([413, true]);
    expect(pulled).toBeLessThan(25);
    const announced = { method: 'POST', headers: { 'content-type': 'application/json', 'content-length': '2000000' }, body: endless };
    await expect(receive(announced)).rejects.toMatchObject({ status: 413, message: 'a body of 2000000 bytes, where at most 1048576 are accepted' });
  });

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ])('rejects bodies that %s expands past the limit with 413', async (coding, compress) => {
    const bomb = compress(Buffer.alloc(5e6, ' '));
    expect((await failed(post(bomb, { 'content-type': 'application/json', 'content-encoding': coding }))).status).toBe(413);
  });

  it.each([undefined, 'gzip', 'br', 'zstd'])('reads chunks of any buffers, and rejects texts with a TypeError that says why: %s', async (coding) => {
    const [bytes] = chunksOfJson(orders, 1) as [Uint8Array<ArrayBuffer>];
    const compressed = coding === 'gzip' ? gzipSync(bytes) : coding === 'br' ? brotliCompressSync(bytes) : coding === 'zstd' ? undefined : bytes;
    const headers = { 'content-type': 'application/json', ...(coding && { 'content-encoding': coding }) };
    const body = (...chunks: unknown[]): ReceivedRequest => ({ method: 'POST', headers, body: Readable.from(chunks) });
    if (compressed) {
      const whole = Uint8Array.from(compressed);
      expect(await receive(body(new DataView(whole.buffer, 0, 9), whole.buffer.slice(9)))).toEqual(orders);
    }
    if (!coding) expect(await receive(body(new Uint16Array(bytes.buffer)))).toEqual(orders);
    const refused = receive(body('"text"'));
    await expect(refused).rejects.toThrow(TypeError);
    await expect(refused).rejects.toThrow(
      'cannot decode a string (use TextEncoder): expected chunks of bytes: call receive where no encoding is set',
    );
  });

  it('rejects a body that was read before with a TypeError', async () => {
    const request = json('[]');
    await request.text();
    await expect(receive(request)).rejects.toThrow('was read before');
  });

  it('rejects with the SchemaError of an invalid schema of the server', async () => {
    const request = post(Uint8Array.of(8, 5), { 'content-type': 'application/x-protobuf' });
    await expect(
      receive(request, { schemas: { order: { format: 'protobuf', schema: { proto: 'message', message: 'Order' } } } }),
    ).rejects.toMatchObject({ name: 'SchemaError' });
  });

  it('rejects with errors that make responses', async () => {
    const response = (await failed(json('nul'))).getResponse();
    expect([response.status, response.headers.get('content-type')]).toEqual([400, 'application/problem+json']);
    expect(await response.json()).toMatchObject({ title: 'Bad Request', status: 400 });
  });
});
