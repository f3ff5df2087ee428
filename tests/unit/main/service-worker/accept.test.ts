import { expect, test } from 'vitest';
import avro from '../../../../core/formats/avro/index.ts';
import cbor from '../../../../core/formats/cbor/index.ts';
import json from '../../../../core/formats/json/index.ts';
import messagepack from '../../../../core/formats/messagepack/index.ts';
import { createServiceWorkerDecoder } from '../../../../main/service-worker/index.ts';
import type { RouteOptions } from '../../../../main/service-worker/options.ts';

const decoder = createServiceWorkerDecoder({ formats: { json, messagepack, cbor, avro } });
const TRIPS = 'https://example.com/trips';
const OTHERS = 'application/json;q=0.9, */*;q=0.5';

async function acceptOf(init: RequestInit = {}, route: RouteOptions = {}): Promise<string | null> {
  return (await decoder.transcodeRequest(new Request(TRIPS, init), route)).headers.get('accept');
}

test('asks for the formats that need no schema, for requests of fetch and axios', async () => {
  const expected = `application/vnd.msgpack, application/cbor, ${OTHERS}`;
  expect(await acceptOf()).toBe(expected);
  expect(await acceptOf({ headers: { Accept: '*/*' } })).toBe(expected);
  expect(await acceptOf({ headers: { Accept: 'application/json, text/plain, */*' } })).toBe(expected);
  expect(await acceptOf({ method: 'POST', body: '{}' })).toBe(expected);
});

test('asks for formats with a schema if the route has one, and fits into a request to another origin', async () => {
  const accept = await acceptOf({}, { schema: 'trip' });
  expect(accept).toBe(`application/vnd.msgpack, application/cbor, application/avro, ${OTHERS}`);
  expect(accept!.length).toBeLessThanOrEqual(128);
});

test.each([
  ['asks for one type', { headers: { Accept: 'application/json' } }, {}],
  ['asks for its own order', { headers: { Accept: 'text/csv, */*;q=0.1' } }, {}],
  ['is answered unchanged', {}, { respondWith: () => undefined }],
] as const)('leaves a request alone that %s', async (_, init, route) => {
  const request = new Request(TRIPS, init);
  expect(await decoder.transcodeRequest(request, route)).toBe(request);
});

test('leaves requests alone where only JSON is read', async () => {
  const request = new Request(TRIPS);
  expect(await createServiceWorkerDecoder({ formats: { json } }).transcodeRequest(request, {})).toBe(request);
});

test('keeps the rest of a request', async () => {
  const signal = AbortSignal.timeout(60_000);
  const sent = await decoder.transcodeRequest(
    new Request(TRIPS, {
      method: 'PUT',
      body: 'text',
      headers: { 'X-Own': '1' },
      credentials: 'include',
      referrer: 'https://example.com/page',
      signal,
    }),
    {},
  );
  expect(await sent.text()).toBe('text');
  expect([sent.method, sent.headers.get('x-own'), sent.credentials, sent.referrer]).toEqual(['PUT', '1', 'include', 'https://example.com/page']);
});
