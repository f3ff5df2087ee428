import { decode as decodeCbor } from 'cbor-x';
import avro from 'avsc';
import { Packr, unpack } from 'msgpackr';
import { describe, expect, test } from 'vitest';
import { createServiceWorkerDecoder } from '../../../../main/service-worker/index.ts';
import type { RespondWith } from '../../../../main/service-worker/options.ts';
import cbor from '../../../../core/formats/cbor/index.ts';
import cborWriter from '../../../../core/formats/cbor/writer.ts';
import avroWriter from '../../../../core/formats/avro/writer.ts';
import json from '../../../../core/formats/json/index.ts';
import jsonWriter from '../../../../core/formats/json/writer.ts';
import messagepack from '../../../../core/formats/messagepack/index.ts';
import messagepackWriter from '../../../../core/formats/messagepack/writer.ts';

const trips = Array.from({ length: 500 }, (_, id) => ({ id, name: `trip ${id} é`, at: [id / 3, id] }));
const schema = {
  type: 'array',
  items: {
    type: 'record',
    name: 'Trip',
    fields: [
      { name: 'id', type: 'int' },
      { name: 'name', type: 'string' },
      { name: 'at', type: { type: 'array', items: 'double' } },
    ],
  },
};
const avroType = avro.Type.forSchema(schema as avro.Schema);
const decoder = createServiceWorkerDecoder({
  formats: { messagepack, cbor, json },
  encoders: { messagepack: messagepackWriter, cbor: cborWriter, avro: avroWriter, json: jsonWriter },
  schemas: { trips: { format: 'avro', schema } },
});
const request = new Request('https://example.org/api/trips');

function response(bytes: BodyInit, type: string, headers: Record<string, string> = {}): Response {
  return new Response(bytes, { headers: { 'Content-Type': type, ...headers } });
}

/** JSON text in chunks, as from the network. */
function jsonResponse(value: unknown, chunk = 1000): Response {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(bytes.slice(at, (at += chunk)));
    },
  });
  return response(body, 'application/json', { 'Content-Length': String(bytes.length), ETag: '"1"' });
}

async function bytesOf(answer: Response): Promise<Buffer> {
  return Buffer.from(await answer.arrayBuffer());
}

describe('handler that answers in a format', () => {
  test.each([
    ['messagepack', 'application/vnd.msgpack', unpack],
    ['cbor', 'application/cbor', decodeCbor],
    [{ format: 'avro', schema: 'trips' }, 'application/avro', (bytes: Buffer) => avroType.fromBuffer(bytes) as unknown],
    [{ format: 'avro', schema: () => Promise.resolve('trips') }, 'application/avro', (bytes: Buffer) => avroType.fromBuffer(bytes) as unknown],
  ] as const)('writes %s from JSON, with the status and all headers except those about the bytes', async (respondWith, type, read) => {
    const answer = await decoder.respond(request, jsonResponse(trips), { respondWith: respondWith as RespondWith });
    expect(Object.fromEntries(answer.headers)).toEqual({ 'content-type': type, etag: '"1"' });
    const value = read(await bytesOf(answer));
    expect(JSON.parse(JSON.stringify(value))).toEqual(trips);
  });

  test('writes JSON with its own options, and lines with their media type', async () => {
    const packed = new Packr({ useRecords: false, int64AsType: 'bigint' }).pack([{ a: 2n ** 60n }, { a: new Set([1]) }]);
    const respondWith = { format: 'json', options: { bigints: 'string', sets: 'array', sequence: true } } as const;
    const answer = await decoder.respond(request, response(Uint8Array.from(packed), 'application/msgpack'), { respondWith });
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson');
    expect(await answer.text()).toBe(`{"a":"${2n ** 60n}"}\n{"a":[1]}\n`);
  });

  test('streams long answers while the payload arrives', async () => {
    const rows = Array.from({ length: 30_000 }, (_, id) => ({ id, name: `row ${id}` }));
    const ended: Promise<unknown>[] = [];
    const event = { waitUntil: (promise: Promise<unknown>) => void ended.push(promise) };
    const route = { respondWith: { format: 'messagepack', options: { sequence: true } } } as const;
    const answer = await decoder.respond(request, jsonResponse(rows, 64 * 1024), route, event);
    const read: unknown[] = [];
    new Packr({ useRecords: false }).unpackMultiple(await bytesOf(answer), (row) => void read.push(row));
    expect(read).toEqual(rows);
    await Promise.all(ended);
    expect(ended).toHaveLength(1);
  });

  test('passes through a response that already has the format', async () => {
    const answer = response(Uint8Array.from(new Packr({ useRecords: false }).pack(trips)), 'application/msgpack');
    expect(await decoder.respond(request, answer, { respondWith: 'messagepack' })).toBe(answer);
  });

  test('answers with a problem document if the payload is malformed, the value does not fit the format, or a schema is missing', async () => {
    const broken = await decoder.respond(request, response('[1,', 'application/json'), { respondWith: 'cbor' });
    expect([broken.status, await broken.json()]).toMatchObject([502, { code: 'truncated', format: 'json' }]);
    const other = await decoder.respond(request, response('[{"id":"a"}]', 'application/json'), {
      respondWith: { format: 'avro', schema: 'trips' },
    });
    expect([other.status, await other.json()]).toMatchObject([500, { title: 'EncodeError', code: 'type', format: 'avro', path: [0, 'id'] }]);
    const none = await decoder.respond(request, response('[]', 'application/json'), { respondWith: 'avro' });
    expect([none.status, await none.json()]).toMatchObject([500, { title: 'SchemaError', format: 'avro' }]);
    const raw = await decoder.respond(request, response('[1,', 'application/json'), { respondWith: 'cbor', fallback: 'raw' });
    expect([raw.status, await raw.text()]).toEqual([200, '[1,']);
  });

  test('reports a missing encoder when the handler is created', () => {
    const poor = createServiceWorkerDecoder({ formats: { messagepack } });
    expect(() => poor.handler({ respondWith: 'cbor' })).toThrow('cbor cannot be written: add cbor to encoders');
    expect(() => poor.plugin({ respondWith: { format: 'json' } })).toThrow('add json to encoders');
    expect(() => poor.handler({ requests: 'messagepack' })).toThrow('add messagepack to encoders');
    const unread = createServiceWorkerDecoder({ formats: { cbor }, encoders: { messagepack: messagepackWriter } });
    expect(() => unread.handler({ requests: 'messagepack' })).toThrow('add json to formats');
  });

  test('rejects if the request is aborted', async () => {
    const control = new AbortController();
    const asked = new Request(request, { signal: control.signal });
    const body = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(new TextEncoder().encode('[1,')) });
    const answer = decoder.respond(asked, response(body, 'application/json'), { respondWith: 'cbor' });
    await expect.poll(() => body.locked).toBe(true);
    control.abort(new Error('enough'));
    await expect(answer).rejects.toThrow('enough');
  });
});
