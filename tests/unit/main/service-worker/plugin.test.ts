import { Encoder } from 'cbor-x';
import { describe, expect, test } from 'vitest';
import { ownKey } from '../../../../main/block/key.ts';
import { formatBlockType } from '../../../../main/block/type.ts';
import { createServiceWorkerDecoder } from '../../../../main/service-worker/index.ts';
import type { PluginOptions } from '../../../../main/service-worker/options.ts';
import { VERSION } from '../../../../core/block/block.ts';
import cbor from '../../../../core/formats/cbor/index.ts';

const decoder = createServiceWorkerDecoder({ formats: { cbor } });
const value = { a: [1, 2] };
const event = { waitUntil: () => {} };
const request = new Request('https://example.org/table', { credentials: 'same-origin' });

function encoded(headers: Record<string, string> = {}): Response {
  const bytes = new Encoder({ useRecords: false }).encode(value);
  return new Response(new Uint8Array(bytes), { headers: { 'Content-Type': 'application/cbor', ...headers } });
}

/** Object with overridden properties. */
function saying<T extends object>(target: T, says: Partial<T>): T {
  return new Proxy(target, { get: (own, key) => Reflect.get(key in says ? says : own, key, key in says ? says : own) as unknown });
}

function kept(asked: Request, response: Response, options?: PluginOptions): Promise<Response | null> {
  return decoder.plugin(options).cacheWillUpdate({ request: asked, response, event });
}

describe('plugin', () => {
  test('decodes fetched responses', async () => {
    const plugin = decoder.plugin();
    const answer = await plugin.fetchDidSucceed({ request, response: encoded(), event });
    expect(await answer.json()).toEqual(value);
    const later = encoded();
    expect(await plugin.handlerWillRespond({ request, response: later, event })).toBe(later);
  });

  test('decodes answers on request, so that the cache keeps the encoded response', async () => {
    const plugin = decoder.plugin({ cache: 'encoded' });
    const fetched = encoded();
    expect(await plugin.fetchDidSucceed({ request, response: fetched, event })).toBe(fetched);
    const answer = await plugin.handlerWillRespond({ request, response: fetched, event });
    expect(await answer.json()).toEqual(value);
  });
});

describe('plugin, before a response is cached', () => {
  test('lets public responses be cached', async () => {
    const response = encoded({ 'Cache-Control': 'max-age=60', Vary: 'Accept' });
    expect(await kept(request, response)).toBe(response);
  });

  test("gives a cached block a name, which the page's first response lacks", async () => {
    const plugin = decoder.plugin({ respondWith: 'block' });
    const answer = await plugin.fetchDidSucceed({ request, response: encoded(), event });
    const names: (string | null | undefined)[] = [];
    for (let time = 0; time < 2; time += 1) names.push((await kept(request, answer.clone()))?.headers.get('unspool-kept'));
    expect(new Set(names).size).toBe(2);
    expect(names.every(Boolean)).toBe(true);
    expect(answer.headers.has('unspool-kept')).toBe(false);
    expect((await kept(request, encoded()))?.headers.has('unspool-kept')).toBe(false);
  });

  test('rejects a block that a server claims to send', async () => {
    for (const key of ['', '; key=00000000000000000000000000000000']) {
      const response = new Response('', { headers: { 'Content-Type': `application/vnd.unspool.block; format=cbor; version=${VERSION}${key}` } });
      expect(await kept(request, response, { cacheAuthenticated: true })).toBeNull();
      const { headers } = await decoder.plugin({ cache: 'encoded' }).fetchDidSucceed({ request, response, event });
      expect(headers.get('content-type')).toBe('application/octet-stream');
    }
  });

  const opaque = saying(new Response(null), { type: 'opaque', status: 0, ok: false });
  const personal: [string, Request, Response][] = [
    ['requested with authorization', new Request(request, { headers: { Authorization: 'Bearer 1' } }), encoded()],
    ...['X-Api-Key', 'X-Auth-Token', 'X-CSRF-Token', 'Apikey', 'X-User', 'X-Amz-Security-Token'].map((name): [string, Request, Response] => [
      `requested with the header ${name}`,
      new Request(request, { headers: { [name]: '1' } }),
      encoded(),
    ]),
    ['requested with credentials', new Request(request, { credentials: 'include' }), encoded()],
    ['private', request, encoded({ 'Cache-Control': 'max-age=60, Private' })],
    ['marked no-store', request, encoded({ 'Cache-Control': 'no-store' })],
    ['different for each cookie', request, encoded({ Vary: 'Accept, Cookie' })],
  ];

  test.each(personal)('lets a response that is %s be cached only on request', async (_, asked, response) => {
    expect(await kept(asked, response)).toBeNull();
    expect(await kept(asked, response, { cacheAuthenticated: true })).toBe(response);
  });

  test('lets responses to requests with non-identifying headers be cached', async () => {
    const headers = { Accept: 'application/cbor', 'Accept-Language': 'de', 'Content-Type': 'text/plain', 'If-None-Match': '"1"', DNT: '1' };
    const response = encoded();
    expect(await kept(new Request(request, { headers }), response)).toBe(response);
  });

  test('lets opaque responses be cached only on request', async () => {
    expect(await kept(request, opaque)).toBeNull();
    expect(await kept(request, opaque, { cacheOpaque: true })).toBe(opaque);
  });

  test.each([206, 404, 500, 502])('rejects a response with status %i', async (status) => {
    expect(await kept(request, new Response('', { status }), { cacheAuthenticated: true })).toBeNull();
  });
});

test('the plugin uses only cached blocks that this version of the library can open', async () => {
  const plugin = decoder.plugin();
  const key = (await ownKey())!;
  const block = (version: number, its = key): Response =>
    new Response('', { headers: { 'Content-Type': formatBlockType('block', 'cbor', version, its) } });
  const present = block(VERSION);
  expect(await plugin.cachedResponseWillBeUsed({ cachedResponse: block(VERSION, '0123') })).toBeNull();
  expect(await plugin.cachedResponseWillBeUsed({ cachedResponse: present })).toBe(present);
  expect(await plugin.cachedResponseWillBeUsed({ cachedResponse: block(99) })).toBeNull();
  expect(await plugin.cachedResponseWillBeUsed({ cachedResponse: undefined })).toBeNull();
});

test('the plugin never reads an opaque response', async () => {
  const response = saying(encoded(), { type: 'opaque' });
  expect(await decoder.respond(request, response)).toBe(response);
});
