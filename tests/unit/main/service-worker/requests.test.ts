import avro from 'avsc';
import { unpack } from 'msgpackr';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createServiceWorkerDecoder } from '../../../../main/service-worker/index.ts';
import type { RequestForm } from '../../../../main/service-worker/options.ts';
import avroWriter from '../../../../core/formats/avro/writer.ts';
import json from '../../../../core/formats/json/index.ts';
import messagepackWriter from '../../../../core/formats/messagepack/writer.ts';

const schema = { type: 'record', name: 'Order', fields: [{ name: 'id', type: 'int' }] };
const decoder = createServiceWorkerDecoder({
  formats: { json },
  encoders: { messagepack: messagepackWriter, avro: avroWriter },
  schemas: { order: { format: 'avro', schema } },
});
const order = { id: 1, lines: [{ article: 'é', count: 2 }] };

function post(body: BodyInit, init: RequestInit = {}): Request {
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'X-Token': 'a', ...(init.headers as Record<string, string>) };
  return new Request('https://example.org/orders', { method: 'POST', ...init, body, headers });
}

const transcoded = (request: Request, requests: RequestForm = 'messagepack'): Promise<Request> => decoder.transcodeRequest(request, { requests });

afterEach(() => vi.restoreAllMocks());

describe('transcoder of a request that posts JSON', () => {
  test('sends it in the format, with its media type', async () => {
    const sent = await transcoded(post(JSON.stringify(order)));
    expect(Object.fromEntries(sent.headers)).toEqual({ 'content-type': 'application/vnd.msgpack', 'x-token': 'a' });
    expect(unpack(new Uint8Array(await sent.arrayBuffer()))).toEqual(order);
  });

  test('keeps its address, method, credentials, mode, redirect, cache, referrer, integrity and keepalive', async () => {
    const init = {
      method: 'PUT',
      credentials: 'include',
      mode: 'same-origin',
      redirect: 'manual',
      cache: 'no-store',
      referrer: 'https://example.org/page',
      referrerPolicy: 'origin',
      integrity: 'sha256-abc',
      keepalive: true,
    } as const;
    const request = post('[1]', init);
    const sent = await transcoded(request);
    expect(sent).not.toBe(request);
    const kept = (of: Request): unknown[] => [of.url, ...Object.keys(init).map((key) => of[key as keyof typeof init])];
    expect(kept(sent)).toEqual(kept(request));
    expect([...new Uint8Array(await sent.arrayBuffer())]).toEqual([0x91, 1]);
  });

  test('follows the signal of the original', async () => {
    const control = new AbortController();
    const sent = await transcoded(post('[1]', { signal: control.signal }));
    control.abort(new Error('enough'));
    expect(sent.signal.aborted).toBe(true);
  });

  test('rejects if aborted before its body is complete', async () => {
    const control = new AbortController();
    const begin = (controller: ReadableStreamDefaultController<Uint8Array>): void => controller.enqueue(new TextEncoder().encode('[1,'));
    const body = new ReadableStream<Uint8Array>({ start: begin, pull: () => control.abort(new Error('enough')) });
    const sent = transcoded(post(body, { signal: control.signal, duplex: 'half' } as RequestInit));
    await expect(sent).rejects.toThrow('enough');
  });

  test('writes it with a schema named by a function of the request', async () => {
    const sent = await transcoded(post('{"id":7}'), { format: 'avro', schema: ({ url }) => (url.endsWith('orders') ? 'order' : undefined) });
    expect(sent.headers.get('content-type')).toBe('application/avro');
    expect(avro.Type.forSchema(schema as avro.Schema).fromBuffer(Buffer.from(await sent.arrayBuffer()))).toMatchObject({ id: 7 });
    await expect(transcoded(post('{"id":7}'), { format: 'avro', schema: 'none' })).rejects.toMatchObject({ name: 'SchemaError' });
  });

  test('sends it while its body is read, if streaming bodies are allowed', async () => {
    let give!: (text: string) => void;
    let end!: () => void;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        give = (text) => controller.enqueue(new TextEncoder().encode(text));
        end = () => controller.close();
      },
    });
    const request = post(body, { duplex: 'half' } as RequestInit);
    const sent = await transcoded(request, { format: 'messagepack', stream: true, options: { sequence: true } });
    expect(sent.headers.get('content-type')).toBe('application/vnd.msgpack');
    const reader = (sent.body as ReadableStream<Uint8Array>).getReader();
    give('[1,2');
    give(',3]');
    end();
    const bytes: number[] = [];
    for (let read = await reader.read(); !read.done; read = await reader.read()) bytes.push(...read.value);
    expect(bytes).toEqual([1, 2, 3]);
    const broken = await transcoded(post('[1,'), { format: 'messagepack', stream: true });
    await expect(broken.arrayBuffer()).rejects.toThrow();
  });
});

describe('transcoder of requests', () => {
  const json = { 'Content-Type': 'application/json' };

  test.each([
    ['has no body', new Request('https://example.org/', { method: 'POST', headers: json })],
    ['is a GET', new Request('https://example.org/', { headers: json })],
    ['has another content type', post('[1]', { headers: { 'Content-Type': 'text/plain' } })],
    ['has a content type based on JSON', post('[1]', { headers: { 'Content-Type': 'application/merge-patch+json' } })],
    ['has lines of JSON', post('1\n2', { headers: { 'Content-Type': 'application/x-ndjson' } })],
    ['is compressed', post('[1]', { headers: { 'Content-Encoding': 'gzip' } })],
    ['is a no-cors request', post('[1]', { mode: 'no-cors' })],
  ])('passes through a request that %s', async (_, request) => {
    expect(await transcoded(request)).toBe(request);
    expect(request.bodyUsed).toBe(false);
  });

  test.each(['{"id":', '', 'id=1', '{"id":1} {"id":2}', '['.repeat(2000)])('passes through a request with the body %j', async (text) => {
    const request = post(text);
    expect(await transcoded(request)).toBe(request);
    expect(await request.text()).toBe(text);
  });

  test('passes through a request with a value that the format cannot represent', async () => {
    const request = post('{"id":"a"}');
    expect(await transcoded(request, { format: 'avro', schema: 'order' })).toBe(request);
    expect(await request.json()).toEqual({ id: 'a' });
  });

  test('passes through a request that the route does not match', async () => {
    const requests: RequestForm = { format: 'messagepack', matches: ({ headers }) => headers.get('x-token') === 'b' };
    const request = post('[1]');
    expect(await transcoded(request, requests)).toBe(request);
    const other = await transcoded(post('[1]', { headers: { 'Content-Type': 'text/plain', 'X-Token': 'b' } }), requests);
    expect([...new Uint8Array(await other.arrayBuffer())]).toEqual([0x91, 1]);
  });
});

test('the handler and the plugin send the request in the format', async () => {
  const fetched = vi
    .spyOn(globalThis, 'fetch')
    .mockImplementation(() => Promise.resolve(new Response('{}', { headers: { 'Content-Type': 'application/json' } })));
  const event = { waitUntil: () => {} };
  const route = { requests: 'messagepack' } as const;
  await decoder.handler(route)({ request: post(JSON.stringify(order)), event });
  const [sent] = fetched.mock.calls[0] as [Request];
  expect(unpack(new Uint8Array(await sent.arrayBuffer()))).toEqual(order);
  const planned = await decoder.plugin(route).requestWillFetch({ request: post(JSON.stringify(order)), event });
  expect(unpack(new Uint8Array(await planned.arrayBuffer()))).toEqual(order);
  const problem = await decoder.handler({ requests: { format: 'avro', schema: 'none' } })({ request: post('{"id":1}'), event });
  expect(problem.status).toBe(500);
  expect(await problem.json()).toMatchObject({ title: 'SchemaError' });
});
