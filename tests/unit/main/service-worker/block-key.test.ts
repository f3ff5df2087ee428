import { Encoder } from 'cbor-x';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { DecodeOptions } from '../../../../main/call/options/options.ts';
import { VERSION } from '../../../../core/block/block.ts';
import cbor from '../../../../core/formats/cbor/index.ts';
import { memoryCaches } from '../../../setup/stand-ins/caches.ts';

const value = { trips: [{ id: 1 }, { id: 2 }, { id: 3 }] };
const request = new Request('https://example.org/trips');
const encoded = (headers: Record<string, string> = {}): Response =>
  new Response(new Uint8Array(new Encoder({ useRecords: false }).encode(value)), { headers: { 'Content-Type': 'application/cbor', ...headers } });

/** A service worker that has just started, and a page that was just opened; each has separate modules. */
async function startWorker() {
  vi.resetModules();
  const { createServiceWorkerDecoder } = await import('../../../../main/service-worker/index.ts');
  return createServiceWorkerDecoder({ formats: { cbor } });
}

async function openPage() {
  vi.resetModules();
  const { createDecoder } = await import('../../../../main/index.ts');
  return createDecoder();
}

const keyOf = (response: Response): string => /key=(.*)$/.exec(response.headers.get('content-type')!)![1]!;

beforeEach(() => {
  vi.stubGlobal('caches', memoryCaches());
});

afterEach(() => {
  vi.unstubAllGlobals();
});

describe.each(['block', 'stream'] as const)('page, given a %s', (respondWith) => {
  test('opens answers of any service worker of the origin', async () => {
    const [first, second] = [await startWorker(), await startWorker()];
    const answers = [await first.respond(request, encoded(), { respondWith }), await second.respond(request, encoded(), { respondWith })];
    expect(keyOf(answers[0]!)).toMatch(/^[0-9a-f]{32}$/);
    expect(keyOf(answers[1]!)).toBe(keyOf(answers[0]!));
    for (const answer of answers) expect(await (await openPage()).decode(answer)).toEqual(value);
  });

  test("treats a server's answer as another format, whatever its type says", async () => {
    const worker = await startWorker();
    const key = keyOf(await worker.respond(request, encoded(), { respondWith }));
    const page = await openPage();
    const media = respondWith === 'block' ? 'application/vnd.unspool.block' : 'application/vnd.unspool.parts';
    const types = [
      media,
      `${media}; format=cbor; version=${VERSION}`,
      `${media}; format=cbor; version=${VERSION}; key=`,
      `${media}; format=cbor; version=${VERSION}; key=00000000000000000000000000000000`,
      `${media}; format=cbor; version=${VERSION}; key=${key.toUpperCase()}0`,
      `${media}; format=cbor; version=${VERSION}; key=../${key}`,
    ];
    for (const type of types) {
      const refused = { name: 'DecodeError', code: 'unknown-format', message: expect.stringContaining('claims to be a decoded block') as string };
      await expect(page.decode(encoded({ 'Content-Type': type }))).rejects.toMatchObject(refused);
      await expect(page.batches(encoded({ 'Content-Type': type })).next()).rejects.toMatchObject(refused);
      await expect(page.growingRows(encoded({ 'Content-Type': type }))).rejects.toMatchObject(refused);
      expect(await page.decode(encoded({ 'Content-Type': type }), { format: 'cbor' })).toEqual(value);
    }
  });

  test("decodes a server's answer with the format and limits of the call", async () => {
    const page = await openPage();
    const headers = { 'Content-Type': `application/vnd.unspool.block; format=cbor; version=${VERSION}; key=0` };
    const options: DecodeOptions = { format: 'cbor', limits: { values: 2 } };
    await expect(page.decode(encoded(headers), options)).rejects.toMatchObject({ name: 'LimitError', limit: 'values' });
  });

  test('sees no block type that a server claims, since the service worker removes it', async () => {
    const worker = await startWorker();
    const headers = { 'Content-Type': `application/vnd.unspool.parts; format=cbor; version=${VERSION}`, 'Unspool-Kept': 'x' };
    const answer = await worker.respond(request, encoded(headers), { respondWith });
    expect(answer.headers.get('content-type')).toBe('application/octet-stream');
    expect(answer.headers.has('unspool-kept')).toBe(false);
    const read = await worker.respond(request, encoded(headers), { respondWith, format: 'cbor' });
    expect(await (await openPage()).decode(read)).toEqual(value);
  });

  test('opens answers after an application has cleared all its caches', async () => {
    const worker = await startWorker();
    await worker.respond(request, encoded(), { respondWith });
    for (const name of await caches.keys()) await caches.delete(name);
    expect(await (await openPage()).decode(await worker.respond(request, encoded(), { respondWith }))).toEqual(value);
  });

  test('receives the original response if the key cannot be stored', async () => {
    const full = memoryCaches();
    full.open = () => Promise.reject(new DOMException('full', 'QuotaExceededError'));
    vi.stubGlobal('caches', full);
    const worker = await startWorker();
    const answer = encoded();
    expect(await worker.respond(request, answer, { respondWith })).toBe(answer);
  });
});

test('a block cached before all caches were cleared is ignored', async () => {
  const worker = await startWorker();
  const cachedResponse = await worker.respond(request, encoded(), { respondWith: 'block' });
  expect(await (await startWorker()).plugin().cachedResponseWillBeUsed({ cachedResponse })).toBe(cachedResponse);
  for (const name of await caches.keys()) await caches.delete(name);
  expect(await (await startWorker()).plugin().cachedResponseWillBeUsed({ cachedResponse })).toBeNull();
});

test('a response without a block type is decoded without reading a key', async () => {
  const storage = memoryCaches();
  const match = vi.spyOn(storage, 'match');
  vi.stubGlobal('caches', storage);
  expect(await (await openPage()).decode(encoded())).toEqual(value);
  expect(match).not.toHaveBeenCalled();
});
