import { Encoder as CborEncoder } from 'cbor-x';
import { Packr } from 'msgpackr';
import avro from 'avsc';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createServiceWorkerDecoder } from '../../../../main/service-worker/index.ts';
import type { RouteOptions } from '../../../../main/service-worker/options.ts';
import { changesOf } from '../../../../main/changes.ts';
import { createDecoder } from '../../../../main/index.ts';
import avroFormat from '../../../../core/formats/avro/index.ts';
import cbor from '../../../../core/formats/cbor/index.ts';
import json from '../../../../core/formats/json/index.ts';
import messagepack from '../../../../core/formats/messagepack/index.ts';

const value = { trips: Array.from({ length: 500 }, (_, id) => ({ id, name: `trip ${id} é`, at: [id / 3, null], member: id % 2 === 0 })) };
const schema = {
  type: 'record',
  name: 'Payload',
  fields: [
    {
      name: 'trips',
      type: {
        type: 'array',
        items: {
          type: 'record',
          name: 'Trip',
          fields: [
            { name: 'id', type: 'int' },
            { name: 'name', type: 'string' },
            { name: 'at', type: { type: 'array', items: ['null', 'double'] } },
            { name: 'member', type: 'boolean' },
          ],
        },
      },
    },
  ],
};
const packed = new Packr({ useRecords: false }).pack(value);
const payloads = {
  'application/vnd.msgpack': packed,
  'application/cbor': new CborEncoder({ useRecords: false }).encode(value),
  'application/avro': avro.Type.forSchema(schema as avro.Schema).toBuffer({ trips: value.trips }),
} as const;

const decoder = createServiceWorkerDecoder({
  formats: { messagepack, cbor, avro: avroFormat, json },
  schemas: { payload: { format: 'avro', schema } },
});
const page = createDecoder();
const request = new Request('https://example.org/api/trips');

afterEach(() => {
  vi.restoreAllMocks();
});

/** Response in chunks, as from the network. */
function response(bytes: Uint8Array, type: string, init: { status?: number; headers?: Record<string, string> } = {}, chunk = 1000): Response {
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(new Uint8Array(bytes.subarray(at, (at += chunk))));
    },
  });
  return new Response(body, { ...init, headers: { 'Content-Type': type, 'Content-Length': String(bytes.length), ...init.headers } });
}

describe.each(['block', 'stream'] as const)('a refetch of a %s', (respondWith) => {
  const answerWith = (bytes: Uint8Array, chunk?: number): Promise<Response> =>
    decoder.respond(request, response(bytes, 'application/vnd.msgpack', {}, chunk), { respondWith });

  test.each(['rows', 'objects', 'columns'] as const)('gives the previous value as %s if the body is equal, and another one if not', async (as) => {
    const first = await page.decode(await answerWith(packed), { as, previous: undefined });
    expect(await page.decode(await answerWith(packed), { as, previous: first })).toBe(first);
    const changed = new Packr({ useRecords: false }).pack({ trips: value.trips.with(3, value.trips[4]!) });
    const second = await page.decode(await answerWith(changed), { as, previous: first });
    expect(second).not.toBe(first);
    expect(second).toEqual(await page.decode(changed, { format: 'messagepack', as }));
    expect(await page.decode(await answerWith(changed), { as, previous: second })).toBe(second);
    // The form differs, or the value was not opened from a block.
    expect(await page.decode(await answerWith(packed), { as: as === 'rows' ? 'objects' : 'rows', previous: first })).not.toBe(first);
    const plain = await page.decode(packed, { format: 'messagepack', as, previous: first });
    expect(plain).not.toBe(first);
    expect(await page.decode(await answerWith(packed), { as, previous: plain })).not.toBe(plain);
  });
});

test('a refetch of the same cached block gives the previous value without reading the block', async () => {
  const cached = async (name: string): Promise<Response> => {
    const answer = await decoder.respond(request, response(packed, 'application/vnd.msgpack'), { respondWith: 'block' });
    return new Response(await answer.arrayBuffer(), { headers: { ...Object.fromEntries(answer.headers), 'unspool-kept': name } });
  };
  const first = await page.decode(await cached('a'), { as: 'rows', previous: undefined });
  const type = (await cached('a')).headers.get('content-type')!;
  const empty = new Response('not read', { headers: { 'content-type': type, 'unspool-kept': 'a' } });
  expect(await page.decode(empty, { as: 'rows', previous: first })).toBe(first);
  expect(changesOf(first)).toEqual([]);
  expect(await page.decode(await cached('b'), { as: 'rows', previous: first })).toBe(first);
});

describe.each(Object.entries(payloads))('handler, for %s', (type, bytes) => {
  const route: RouteOptions = type === 'application/avro' ? { schema: 'payload' } : {};

  test('answers with JSON text', async () => {
    const answer = await decoder.respond(request, response(bytes, type, { status: 201, headers: { ETag: '"1"' } }), route);
    expect(answer.status).toBe(201);
    expect(Object.fromEntries(answer.headers)).toEqual({ 'content-type': 'application/json', etag: '"1"' });
    expect(await answer.json()).toEqual(value);
  });

  test.each(['block', 'stream'] as const)('answers with a %s that the page opens', async (respondWith) => {
    const answer = await decoder.respond(request, response(bytes, type), { ...route, respondWith });
    expect(await page.decode(answer.clone())).toEqual(value);
    const { trips } = await page.decode<typeof value>(answer, { as: 'rows' });
    expect(trips.length).toBe(500);
    expect(trips.at(-1)).toEqual(value.trips.at(-1));
  });
});

test('the handler streams a long text while the payload arrives', async () => {
  const rows = Array.from({ length: 60_000 }, (_, id) => ({ id, name: `row ${id}` }));
  const ended: Promise<unknown>[] = [];
  const event = { waitUntil: (promise: Promise<unknown>) => void ended.push(promise) };
  const bytes = new Packr({ useRecords: true }).pack(rows);
  const answer = await decoder.respond(request, response(bytes, 'application/msgpack', {}, 64 * 1024), {}, event);
  expect(await answer.json()).toEqual(rows);
  await Promise.all(ended);
  expect(ended).toHaveLength(1);
});

test.each([
  ['the root', value.trips, ''],
  ['the root', value.trips, undefined],
  ['a path', value, 'trips'],
  ['a list of keys', value, ['trips']],
] as const)('the handler streams batches of the list at %s', async (_, payload, path) => {
  const bytes = new Packr({ useRecords: false }).pack(payload);
  const route: RouteOptions = { respondWith: 'stream', batches: { path, batchSize: 200 } };
  const answer = await decoder.respond(request, response(bytes, 'application/msgpack'), route);
  const batches: unknown[][] = [];
  for await (const batch of page.batches(answer, { path })) batches.push(batch);
  expect(batches.map(({ length }) => length)).toEqual([200, 200, 100]);
  expect(batches.flat()).toEqual(value.trips);
});

test('the handler answers a sequence with a list', async () => {
  const bytes = new TextEncoder().encode('{"a":1}\n{"a":2}\n');
  const answer = await decoder.respond(request, response(bytes, 'application/x-ndjson'));
  expect(await answer.json()).toEqual([{ a: 1 }, { a: 2 }]);
});

describe('handler', () => {
  const original = (init?: { status?: number }, type = 'application/cbor'): Response => response(payloads['application/cbor'], type, init);

  test.each([
    ['an unknown type', original({}, 'image/png'), request],
    ['a type that says nothing', original({}, 'application/octet-stream'), request],
    ['JSON that is to be JSON', original({}, 'application/json'), request],
    ['a part of a body', original({ status: 206 }), request],
    ['an answer without a body', new Response(null, { status: 204, headers: { 'Content-Type': 'application/cbor' } }), request],
    ['a HEAD request', original(), new Request(request, { method: 'HEAD' })],
  ])('passes through %s', async (_, answer, asked) => {
    expect(await decoder.respond(asked, answer)).toBe(answer);
  });

  test('passes through navigations and resources that the browser loads', async () => {
    for (const overrides of [{ mode: 'navigate' }, { destination: 'script' }]) {
      const asked = new Proxy(request, { get: (target, key) => Reflect.get(overrides, key) ?? Reflect.get(target, key, target) });
      const answer = original();
      expect(await decoder.respond(asked, answer)).toBe(answer);
    }
  });

  test('passes through a request that the route excludes', async () => {
    const answer = original();
    expect(await decoder.respond(request, answer, { respondWith: () => undefined })).toBe(answer);
  });

  test('passes through a format that was not registered', async () => {
    const answer = original();
    expect(await createServiceWorkerDecoder({ formats: { messagepack } }).respond(request, answer)).toBe(answer);
  });
});

describe('handler, after a failure', () => {
  test.each(['json', 'block', 'stream'] as const)('answers with a problem document if the payload is malformed (%s)', async (respondWith) => {
    const answer = await decoder.respond(request, response(packed.subarray(0, -5), 'application/msgpack'), { respondWith });
    expect(answer.status).toBe(502);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(await answer.json()).toMatchObject({
      title: 'DecodeError',
      status: 502,
      code: 'truncated',
      format: 'messagepack',
      instance: request.url,
    });
  });

  test('answers with a problem document if a schema is missing', async () => {
    const answer = await decoder.respond(request, response(payloads['application/avro'], 'application/avro'));
    expect(answer.status).toBe(500);
    expect(await answer.json()).toMatchObject({ title: 'SchemaError', format: 'avro' });
  });

  test('answers with a problem document if a limit is exceeded', async () => {
    const strict = createServiceWorkerDecoder({ formats: { messagepack }, limits: { depth: 2 } });
    const answer = await strict.respond(request, response(packed, 'application/msgpack'));
    expect(answer.status).toBe(502);
    expect(await answer.json()).toMatchObject({ title: 'LimitError', limit: 'depth' });
  });

  test('answers with a problem document if the connection breaks', async () => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new Uint8Array(packed.subarray(0, 100)));
        controller.error(new TypeError('network error'));
      },
    });
    const answer = await decoder.respond(request, new Response(body, { headers: { 'Content-Type': 'application/msgpack' } }));
    expect(answer.status).toBe(502);
    expect(await answer.json()).toMatchObject({ title: 'NetworkError', code: 'network' });
  });

  test('answers with the original response instead of a problem document on request', async () => {
    const broken = packed.subarray(0, -5);
    const answer = await decoder.respond(request, response(broken, 'application/msgpack'), { fallback: 'raw' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/msgpack');
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(new Uint8Array(broken));
  });
});

test('an aborted request rejects', async () => {
  const controller = new AbortController();
  const asked = new Request(request, { signal: controller.signal });
  controller.abort(new Error('enough'));
  await expect(decoder.respond(asked, response(packed, 'application/msgpack'))).rejects.toThrow('enough');
});

test('the handler fetches the request, and answers with the decoded response', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch').mockResolvedValue(response(packed, 'application/msgpack'));
  const answer = await decoder.handler()({ request, event: { waitUntil: () => {} } });
  const sent = fetched.mock.calls[0]![0] as Request;
  expect(sent.url).toBe(request.url);
  expect(sent.headers.get('accept')).toMatch(/^application\/vnd\.msgpack, .*, application\/json;q=0\.9, \*\/\*;q=0\.5$/);
  expect(await answer.json()).toEqual(value);
});
