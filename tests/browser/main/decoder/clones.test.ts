import { expect, test } from 'vitest';
import { ENDS_EARLY } from '../../../setup/ways/ends-early.ts';
import { streamGoesOn, streamState, streamUrl } from '../../../setup/servers/stream-rows.ts';
import { openDecoder } from './support.ts';

const ROWS = 20_000;

/** A response of which some records arrive before `arrive` is called. */
async function begin(): Promise<{ url: string; arrive: () => Promise<void>; id: string }> {
  const id = `clone-${Math.random()}`;
  return { id, url: streamUrl({ id, encoding: 'json', rows: ROWS, hold: 1_500_000 }), arrive: () => streamGoesOn(id) };
}

const whole = async (copy: Response): Promise<void> => {
  const { trips } = JSON.parse(await copy.text()) as { trips: unknown[] };
  expect(trips).toHaveLength(ROWS);
};

test.each(ENDS_EARLY)('a clone can be read to its end where %s', async (_, end) => {
  const decoder = openDecoder();
  const { url, arrive } = await begin();
  const response = await decoder.fetch(url);
  const copy = response.clone();
  await end(response, decoder);
  await arrive();
  await whole(copy);
});

test.each(ENDS_EARLY)('the response can be read to its end where a clone is read and %s', async (_, end) => {
  const decoder = openDecoder();
  const { url, arrive } = await begin();
  const response = await decoder.fetch(url);
  await end(response.clone(), decoder);
  await arrive();
  await whole(response);
});

test('a cache keeps the clone of a response whose batches are left', async () => {
  const decoder = openDecoder();
  const { url, arrive } = await begin();
  const response = await decoder.fetch(url);
  const cache = await caches.open('clones');
  const kept = cache.put(url, response.clone());
  for await (const _ of response.batches({ path: 'trips', batchSize: 10 })) break;
  await arrive();
  await kept;
  await whole((await cache.match(url))!);
  await caches.delete('clones');
});

test('a branch of a stream can be read to its end where the other branch is left', async () => {
  const decoder = openDecoder();
  const { url, arrive } = await begin();
  const { body } = await decoder.fetch(url);
  const [left, right] = body!.tee();
  for await (const _ of decoder.batches(left, { format: 'json', path: 'trips', batchSize: 10 })) break;
  await arrive();
  await whole(new Response(right));
});

test('the request ends once a response and its clone are both left', async () => {
  const decoder = openDecoder();
  const id = `clone-${Math.random()}`;
  const response = await decoder.fetch(streamUrl({ id, encoding: 'json', rows: 2_000_000, rate: 100 }));
  for (const one of [response.clone(), response]) for await (const _ of one.batches({ path: 'trips', batchSize: 10 })) break;
  await expect.poll(async () => (await streamState(id)).closed).toBe(true);
});

test('a signal of the caller ends a response and its clone', async () => {
  const decoder = openDecoder();
  const controller = new AbortController();
  const { url } = await begin();
  const response = await decoder.fetch(url, { signal: controller.signal });
  const copy = response.clone();
  controller.abort(new Error('enough'));
  await expect(response.json()).rejects.toThrow('enough');
  await expect(copy.text()).rejects.toThrow();
});

test.each(['the page', 'a worker'])('the chunks of a response that the application has made stay readable where %s decodes it', async (where) => {
  const decoder = openDecoder({ route: where === 'a worker' ? 'worker' : 'page' });
  const chunks = ['[1,2', ',3,4', ']'].map((text) => new TextEncoder().encode(text));
  const own = [...chunks];
  const body = new ReadableStream({ pull: (to) => (own.length > 0 ? to.enqueue(own.shift()) : to.close()) });
  const response = new Response(body, { headers: { 'Content-Type': 'application/json' } });
  const copy = response.clone();
  expect(await decoder.decode(response)).toEqual([1, 2, 3, 4]);
  expect(await copy.text()).toBe('[1,2,3,4]');
  expect(chunks.map(({ length }) => length)).toEqual([4, 4, 1]);
});
