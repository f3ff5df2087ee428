import { afterAll, describe, expect, test } from 'vitest';
import { createDecoder } from '../../../../main/index.ts';
import { createEncoder } from '../../../../main/encode.ts';
import { receive, respond } from '../../../../main/server.ts';
import { defineSchema } from '../../../../main/exports.ts';

interface Trips {
  trips: { id: number; km: number | bigint; photo: Uint8Array }[];
}

const source = {
  proto: 'syntax = "proto3"; message Trips { repeated Trip trips = 1; } message Trip { int32 id = 1; int64 km = 2; bytes photo = 3; }',
  message: 'Trips',
};
const schema = defineSchema<Trips>({ format: 'protojson', schema: source });
const binary = defineSchema<Trips>({ format: 'protobuf', schema: source });
const value: Trips = {
  trips: [
    { id: 7, km: 2n ** 60n, photo: Uint8Array.of(1, 2) },
    { id: 8, km: 5, photo: Uint8Array.of() },
  ],
};
const text = '{"trips":[{"id":7,"km":"1152921504606846976","photo":"AQI="},{"id":8,"km":"5"}]}';

const decoder = createDecoder({ schemas: { trips: { ...schema, urls: /\/trips/ } } });
const encoder = createEncoder();
afterAll(() => {
  decoder.close();
  encoder.close();
});

const answer = (body: BodyInit, type: string, status = 200, url = 'http://localhost/trips'): Response => {
  const response = new Response(body, { status, headers: { 'Content-Type': type } });
  return Object.defineProperty(response, 'url', { value: url });
};

describe('a schema of ProtoJSON', () => {
  test('reads a response of JSON as ProtoJSON, and one of Protocol Buffers as bytes', async () => {
    const bytes = await encoder.encode(value, { schema: binary });
    expect(await decoder.decode(answer(text, 'application/json'), { schema })).toEqual(value);
    expect(await decoder.decode(answer(bytes, 'application/x-protobuf'), { schema })).toEqual(value);
    expect(await decoder.decode(answer(text, 'application/json'), { schema: 'trips' })).toEqual(value);
    expect(await decoder.decode(new TextEncoder().encode(text), { schema })).toEqual(value);
  });

  test('is found by the URL of a response, unless that has an error status', async () => {
    expect(await decoder.decode(answer(text, 'application/json'))).toEqual(value);
    expect(await decoder.decode(answer('{"code":"not_found"}', 'application/json', 404))).toEqual({ code: 'not_found' });
    expect(await decoder.decode(answer(text, 'application/json', 200, 'http://localhost/other'))).toEqual(JSON.parse(text));
  });

  test('reads lines of messages by the media type of lines', async () => {
    const response = answer('{"trips":[]}\n{"trips":[{"id":1}]}\n', 'application/x-ndjson');
    expect(await decoder.decode(response, { schema })).toEqual([{ trips: [] }, { trips: [{ id: 1, km: 0, photo: Uint8Array.of() }] }]);
  });

  test('is not one of JSON: a schema of protobuf leaves JSON as it is, unless the call names the format', async () => {
    expect(await decoder.decode(answer(text, 'application/json'), { schema: binary })).toEqual(JSON.parse(text));
    expect(await decoder.decode(answer(text, 'application/json'), { schema: binary, format: 'protojson' } as object)).toEqual(value);
  });

  test('gives rows and batches', async () => {
    const { trips } = await decoder.decode(answer(text, 'application/json'), { schema, as: 'rows' });
    expect(trips.toArray()).toEqual(value.trips);
    const items = [];
    for await (const batch of decoder.batches(answer(text, 'application/json'), { schema, path: 'trips' })) items.push(...batch);
    expect(items).toEqual(value.trips);
  });

  test('writes a body of JSON', async () => {
    const body = await encoder.body(value, { schema });
    expect(body.type).toBe('application/json');
    expect(await body.text()).toBe(text);
  });

  test('names the message, the field and the place of an error', async () => {
    const failed = decoder.decode(answer('{"trips":[{"id":"x"}]}', 'application/json'), { schema });
    await expect(failed).rejects.toMatchObject({ name: 'DecodeError', code: 'malformed', format: 'protojson', path: ['trips', 0, 'id'] });
    const previous = decoder.decode(answer(text, 'application/json'), { schema, previous: undefined });
    await expect(previous).rejects.toThrow(/previous/);
  });

  test('is read and written by a server as its JSON', async () => {
    const options = { schemas: { trips: schema } };
    const request = new Request('http://localhost/trips', { method: 'POST', body: text, headers: { 'Content-Type': 'application/json' } });
    expect(await receive(request, options)).toEqual(value);
    const response = await respond(new Request('http://localhost/', { headers: { Accept: 'application/json' } }), value, options);
    expect(response.headers.get('Content-Type')).toMatch(/^application\/json/);
    expect(await response.text()).toBe(text);
  });
});
