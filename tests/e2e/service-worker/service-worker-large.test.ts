/** Large bodies are decoded in the pool of the requesting page if it is shared, otherwise by the service worker. */
import { describe, expect, it } from 'vitest';
import { Application } from './application.ts';
import { tripsOf } from './site.ts';

const ROWS = 8_000;
const PATH = `trips.msgpack?rows=${ROWS}`;
const trips = tripsOf(ROWS);

const application = Application.forTests({ isKept: true });

const workers = (): Promise<number> => application.page.evaluate(() => decoder.stats().workers);

/** The batches of a body, and the error after them. */
function fetchBatches(path: string): Promise<{ batches: number; trips: unknown[]; error: unknown }> {
  return application.page.evaluate(async (url) => {
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

/** The value of a body whose pool is closed during the decode. */
async function fetchAndClose(path: string): Promise<unknown> {
  await application.page.evaluate(async (url) => {
    Object.assign(globalThis, { answer: fetch(url) });
    while (decoder.stats().running === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    decoder.close();
  }, path);
  application.site.goOn();
  return application.page.evaluate(async () => other.decode(await (globalThis as unknown as { answer: Promise<Response> }).answer));
}

describe.each([
  ['the shared pool of a page', 'page', 1],
  ['the service worker itself', 'here', 0],
] as const)('a service worker with payloads decoded by %s', (_, where, expected) => {
  it('responds with JSON text', async () => {
    await application.load({ isSharing: true });
    expect(await application.fetchJson(`${where}/json/${PATH}`)).toEqual({ status: 200, type: 'application/json', value: trips });
    // Long enough that the start is sent before the end is decoded.
    const long = await application.page.evaluate(async (url) => {
      const value = (await (await fetch(url)).json()) as { trips: { id: number }[] };
      return [value.trips.length, value.trips.every(({ id }, index) => id === index)];
    }, `${where}/json/trips.msgpack?rows=60000`);
    expect(long).toEqual([60_000, true]);
    expect(await workers()).toBe(expected);
    expect(application.complaints).toEqual([]);
  });

  it.each(['block', 'stream'])('responds with %s', async (form) => {
    await application.load({ isSharing: true });
    expect(await application.fetchDecoded(`${where}/${form}/${PATH}`)).toEqual({
      type: `application/vnd.unspool.${form === 'block' ? 'block' : 'parts'}`,
      rows: `rows ${ROWS}`,
      value: trips,
    });
    expect(await workers()).toBe(expected);
    expect(application.complaints).toEqual([]);
  });

  it('responds with batches', async () => {
    await application.load({ isSharing: true });
    const { batches, ...result } = await fetchBatches(`${where}/batches/${PATH}`);
    expect(result).toEqual({ trips: trips.trips, error: undefined });
    expect(batches).toBeGreaterThan(1);
    expect(await workers()).toBe(expected);
  });

  it('responds with values of a format with a schema', async () => {
    await application.load({ isSharing: true });
    expect(await application.fetchJson(`${where}/json/trips.avro?rows=1000`)).toMatchObject({ status: 200, value: tripsOf(1000) });
    expect(await workers()).toBe(expected);
  });

  it.each(['json', 'block', 'stream'])('responds with a problem for a broken payload (%s)', async (form) => {
    await application.load({ isSharing: true });
    const { status, type, value } = await application.fetchJson(`${where}/${form}/trips.broken`);
    expect({ status, type }).toEqual({ status: 502, type: 'application/problem+json' });
    expect(value).toMatchObject({ title: 'DecodeError', code: 'truncated', format: 'cbor' });
    expect(await workers()).toBe(expected);
  });

  it('emits all valid batches before the error of a broken payload', async () => {
    await application.load({ isSharing: true });
    const result = await fetchBatches(`${where}/batches/trips.broken?rows=${ROWS}`);
    expect(result.trips).toEqual(trips.trips.slice(0, -1));
    expect(result.error).toMatchObject({ name: 'DecodeError', code: 'truncated', format: 'cbor' });
  });
});

it('a service worker decodes if no page shares its pool', async () => {
  await application.load({ isSharing: false });
  expect((await application.fetchJson(`page/json/${PATH}`)).value).toEqual(trips);
  expect(await application.fetchDecoded(`page/block/${PATH}`)).toMatchObject({ rows: `rows ${ROWS}`, value: trips });
  expect(await workers()).toBe(0);
});

it.each(['json', 'block', 'stream'])('a service worker decodes if the pool closes before the response begins (%s)', async (form) => {
  await application.load({ isSharing: true });
  expect(await fetchAndClose(`page/${form}/${PATH}&hold=1`)).toEqual(trips);
});

it('a page that closes during a decode does not affect others', async () => {
  await application.load({ isSharing: false });
  const closing = await application.context.newPage();
  await application.load({ isSharing: true, page: closing });
  await closing.evaluate(async (path) => {
    for (const form of ['json', 'block', 'stream', 'batches']) void fetch(`page/${form}/${path}&hold=1`).catch(() => {});
    while (decoder.stats().running < 4) await new Promise((resolve) => setTimeout(resolve, 10));
  }, PATH);
  await closing.close();
  application.site.goOn();
  expect((await application.fetchDecoded(`page/block/${PATH}`)).value).toEqual(trips);
  expect((await application.fetchJson(`page/json/${PATH}`)).value).toEqual(trips);
});
