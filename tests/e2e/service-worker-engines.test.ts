/** The application with a service worker in every engine that is there. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApplication } from './service-worker/build.ts';
import { Site, tripsOf } from './service-worker/site.ts';
import { type Visitor, VISITORS } from './service-worker/visitor.ts';

const ROWS = 8_000;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unspool-engines-'));
  await buildApplication(folder);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe.each(VISITORS)('the service worker, in %s,', (_, visit) => {
  it.skipIf(!visit)(
    'installs, answers JSON, blocks and streams, decodes in the pool, and goes on without a network',
    async () => {
      const site = new Site(folder);
      await site.start();
      const visitor = await visit!();
      try {
        await visitor.open(`${site.url}?share`);
        await visitor.run(async () => {
          await controlled;
          await app.registration;
        }, undefined);
        // Firefox may tell of the second before the first.
        expect((await visitor.run(() => [...events], undefined)).toSorted()).toEqual(['controlling', 'installed']);

        for (const where of ['json', 'page/json', 'here/json']) {
          expect(await fetchJson(visitor, `${where}/trips.msgpack?rows=${ROWS}`)).toEqual(['application/json', tripsOf(ROWS)]);
        }
        for (const where of ['here/block', 'page/block', 'here/stream', 'page/stream']) {
          expect(await fetchRows(visitor, `${where}/trips.cbor?rows=${ROWS}`)).toEqual([ROWS, tripsOf(ROWS).trips.at(-1)]);
        }
        expect(await visitor.run(() => decoder.stats().workers, undefined)).toBe(1);
        expect(await fetchJson(visitor, 'json/trips.broken')).toMatchObject(['application/problem+json', { code: 'truncated' }]);

        // The application is kept once the service worker has it.
        await visitor.open(site.url);
        await visitor.run(() => controlled, undefined);
        expect(await fetchRows(visitor, 'block/trips.avro?rows=100')).toEqual([100, tripsOf(100).trips.at(-1)]);
        await expect.poll(() => kept(visitor), { timeout: 10_000 }).toBe(1);
        const { port } = new URL(site.url);
        await site.stop();
        await visitor.open(site.url);
        await visitor.run(() => controlled, undefined);
        expect(await fetchRows(visitor, 'block/trips.avro?rows=100')).toEqual([100, tripsOf(100).trips.at(-1)]);
        await expect(fetchJson(visitor, 'json/trips.cbor')).rejects.toThrow();
        await site.start(Number(port));

        // A new version waits until the page lets it take over.
        site.version = '\n// A new version.';
        await visitor.run(() => app.update(), undefined);
        await expect.poll(() => visitor.run(() => app.waiting, undefined), { timeout: 10_000 }).toBe(true);
        await visitor.run(() => app.skipWaiting(), undefined);
        await expect.poll(() => visitor.run(() => events.at(-1), undefined), { timeout: 10_000 }).toBe('controlling update');
        expect(await fetchJson(visitor, 'json/trips.cbor')).toEqual(['application/json', tripsOf(100)]);
      } finally {
        await visitor.close();
        await site.stop();
      }
    },
    300_000,
  );
});

function fetchJson(visitor: Visitor, path: string): Promise<unknown[]> {
  return visitor.run(async (url) => {
    const response = await fetch(url);
    return [response.headers.get('content-type'), (await response.json()) as unknown];
  }, path);
}

function fetchRows(visitor: Visitor, path: string): Promise<unknown[]> {
  return visitor.run(async (url) => {
    const response = await decoder.fetch(url);
    const { trips } = await response.rows<{ trips: object[] }>();
    return [trips.length, trips.at(-1)];
  }, path);
}

function kept(visitor: Visitor): Promise<number> {
  return visitor.run(async () => (await (await caches.open('blocks')).keys()).length, undefined);
}
