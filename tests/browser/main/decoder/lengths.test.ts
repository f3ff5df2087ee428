import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COPIED } from '../../../setup/servers/copying-worker.ts';
import { streamUrl } from '../../../setup/servers/stream-rows.ts';
import { openDecoder, rejection } from './support.ts';

/** An empty page whose requests a service worker answers with the text and the headers that they ask for. */
let page: Window & typeof globalThis;
let registration: ServiceWorkerRegistration;

beforeAll(async () => {
  registration = await navigator.serviceWorker.register(`${COPIED}worker.js`);
  const worker = registration.installing ?? registration.waiting ?? registration.active!;
  await new Promise<void>((resolve) => {
    const check = (): void => void (worker.state === 'activated' && resolve());
    worker.addEventListener('statechange', check);
    check();
  });
  const frame = document.createElement('iframe');
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
  frame.src = `${COPIED}page`;
  document.body.append(frame);
  await loaded;
  page = frame.contentWindow as typeof page;
});
afterAll(() => registration.unregister());

const records = Array.from({ length: 200 }, (_, id) => ({ id, name: `name ${id % 100}` }));

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe.each([
  ['the page', location.origin],
  ['another origin', 'https://other.invalid'],
])('a response of a service worker to a request to %s', (_, origin) => {
  const ask = (body: string, length: number): Promise<Response> => {
    const url = new URL(`${origin}${COPIED}data`);
    url.searchParams.set('text', body);
    url.searchParams.set('headers', JSON.stringify({ 'Content-Type': 'application/json', 'Content-Length': String(length) }));
    return page.fetch(url);
  };

  test.each([
    ['a buffer', async (response: Response) => openDecoder().decode(await response.arrayBuffer())],
    ['decode()', (response: Response) => openDecoder().decode(response)],
    ['decode() in a worker', (response: Response) => openDecoder({ route: 'worker' }).decode(response)],
    ['batches()', async (response: Response) => (await all(openDecoder().batches(response))).flat()],
    ['partial()', async (response: Response) => (await all(openDecoder().partial(response))).at(-1)],
  ])('is decoded by %s where its Content-Length is that of the compressed body', async (__, decode) => {
    expect(await decode(await ask(JSON.stringify(records), 1000))).toEqual(records);
  });

  test('is decoded where compression has made a short body longer', async () => {
    const decoding = openDecoder().decode(await ask('[1,2]', 25), { onProgress() {} });
    if (origin === location.origin) await expect(decoding).rejects.toThrow('received 5 bytes of 25 announced');
    else expect(await decoding).toEqual([1, 2]);
  });
});

test.each([
  ['of a short length', { length: 50 }],
  ['of a long length', { length: 50_000_000 }],
  ['without a length', {}],
])('the response to a HEAD request is empty, %s', async (_, query) => {
  const decoder = openDecoder();
  const response = await decoder.fetch(streamUrl({ rows: 3, ...query }), { method: 'HEAD' });
  expect(await rejection(response.json())).toMatchObject({ name: 'DecodeError', code: 'empty' });
});

test('a response with status 304 is empty, whatever length it announces', async () => {
  const decoder = openDecoder();
  const response = new Response(null, { status: 304, headers: { 'Content-Length': '50000000', 'Content-Type': 'application/json' } });
  expect(await rejection(decoder.decode(response))).toMatchObject({ name: 'DecodeError', code: 'empty' });
});
