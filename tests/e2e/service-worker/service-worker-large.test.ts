/** Large bodies: decoded in the pool of the page that asks, where it shares it, and by the service worker otherwise. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { Application } from './application.ts';
import { tripsOf } from './site.ts';

const ROWS = 8_000;
const PATH = `trips.msgpack?rows=${ROWS}`;
const trips = tripsOf(ROWS);

const application = Application.forTests();

const workers = (page: Page): Promise<number> => page.evaluate(() => decoder.stats().workers);

/** What the batches of a body hold, and what was thrown after them. */
function fetchBatches(path: string, page: Page): Promise<{ batches: number; trips: unknown[]; error: unknown }> {
  return page.evaluate(async (url) => {
    const taken: object[] = [];
    let batches = 0;
    let error: unknown;
    try {
      for await (const batch of decoder.batches<object>(await decoder.fetch(url))) {
        batches += 1;
        taken.push(...batch);
      }
    } catch (reason) {
      const { name, code, format, path: place } = reason as Record<string, unknown>;
      error = { name, code, format, path: place };
    }
    return { batches, trips: taken, error };
  }, path);
}

/** What a body holds, where the pool is closed when it has begun to decode it. */
async function fetchAndClose(path: string, page: Page): Promise<unknown> {
  await page.evaluate(async (url) => {
    Object.assign(globalThis, { answer: fetch(url) });
    while (decoder.stats().running === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    decoder.close();
  }, path);
  application.site.goOn();
  return page.evaluate(async () => other.decode(await (globalThis as unknown as { answer: Promise<Response> }).answer));
}

describe.each([
  ['the pool of a page that shares it', 'page', 1],
  ['the service worker, where the route says so', 'here', 0],
] as const)('a service worker whose payloads are decoded by %s', (_, where, expected) => {
  it('answers with JSON text', async () => {
    const page = await application.openSharing();
    expect(await application.fetchJson(`${where}/json/${PATH}`, page)).toEqual({ status: 200, type: 'application/json', value: trips });
    // So long that its beginning leaves before its end is there.
    const long = await page.evaluate(async (url) => {
      const value = (await (await fetch(url)).json()) as { trips: { id: number }[] };
      return [value.trips.length, value.trips.every(({ id }, index) => id === index)];
    }, `${where}/json/trips.msgpack?rows=60000`);
    expect(long).toEqual([60_000, true]);
    expect(await workers(page)).toBe(expected);
    expect(application.complaints).toEqual([]);
  });

  it.each(['block', 'stream'])('answers with %s', async (form) => {
    const page = await application.openSharing();
    expect(await application.fetchDecoded(`${where}/${form}/${PATH}`, page)).toEqual({
      type: `application/vnd.unspool.${form === 'block' ? 'block' : 'parts'}`,
      rows: `rows ${ROWS}`,
      value: trips,
    });
    expect(await workers(page)).toBe(expected);
    expect(application.complaints).toEqual([]);
  });

  it('answers with batches', async () => {
    const page = await application.openSharing();
    const { batches, ...result } = await fetchBatches(`${where}/batches/${PATH}`, page);
    expect(result).toEqual({ trips: trips.trips, error: undefined });
    expect(batches).toBeGreaterThan(1);
    expect(await workers(page)).toBe(expected);
  });

  it('answers with values of a format that needs a schema', async () => {
    const page = await application.openSharing();
    expect(await application.fetchJson(`${where}/json/trips.avro?rows=1000`, page)).toMatchObject({ status: 200, value: tripsOf(1000) });
    expect(await workers(page)).toBe(expected);
  });

  it.each(['json', 'block', 'stream'])('answers with a problem where the payload is broken (%s)', async (form) => {
    const page = await application.openSharing();
    const { status, type, value } = await application.fetchJson(`${where}/${form}/trips.broken`, page);
    expect({ status, type }).toEqual({ status: 502, type: 'application/problem+json' });
    expect(value).toMatchObject({ title: 'DecodeError', code: 'truncated', format: 'cbor' });
    expect(await workers(page)).toBe(expected);
  });

  it('gives an error after all good batches where the payload is broken far in', async () => {
    const page = await application.openSharing();
    const result = await fetchBatches(`${where}/batches/trips.broken?rows=${ROWS}`, page);
    expect(result.trips).toEqual(trips.trips.slice(0, -1));
    expect(result.error).toMatchObject({ name: 'DecodeError', code: 'truncated', format: 'cbor' });
  });
});

it('a service worker decodes where no page shares its pool', async () => {
  expect((await application.fetchJson(`page/json/${PATH}`)).value).toEqual(trips);
  expect(await application.fetchDecoded(`page/block/${PATH}`)).toMatchObject({ rows: `rows ${ROWS}`, value: trips });
  expect(await workers(application.page)).toBe(0);
});

it.each(['json', 'block', 'stream'])('a service worker decodes where the pool goes before anything has left (%s)', async (form) => {
  const page = await application.openSharing();
  expect(await fetchAndClose(`page/${form}/${PATH}&hold=1`, page)).toEqual(trips);
});

it('a page that is closed while it decodes does no harm', async () => {
  const page = await application.openSharing();
  await page.evaluate(async (path) => {
    for (const form of ['json', 'block', 'stream', 'batches']) void fetch(`page/${form}/${path}&hold=1`).catch(() => {});
    while (decoder.stats().running < 4) await new Promise((resolve) => setTimeout(resolve, 10));
  }, PATH);
  await page.close();
  application.site.goOn();
  expect((await application.fetchDecoded(`page/block/${PATH}`)).value).toEqual(trips);
  expect((await application.fetchJson(`page/json/${PATH}`)).value).toEqual(trips);
});
