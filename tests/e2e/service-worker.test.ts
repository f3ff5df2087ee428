import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findChromium } from '../../scripts/browsers.mjs';
import { buildApplication } from './service-worker/build.ts';
import { Site, tripsOf } from './service-worker/site.ts';

let folder: string;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let site: Site;
/** What pages and service workers complain of. */
let complaints: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unspool-service-worker-'));
  await buildApplication(folder);
  browser = await chromium.launch(findChromium()!.launch);
});

afterAll(async () => {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  site = new Site(folder);
  await site.start();
  context = await browser.newContext();
  complaints = [];
  context.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  context.on('weberror', (error) => complaints.push(error.error().message));
  page = await openPage();
});

afterEach(async () => {
  await context.close();
  await site.stop();
});

/** A page that has its service worker. */
async function openPage(query = ''): Promise<Page> {
  const opened = await context.newPage();
  await opened.goto(site.url + query);
  await opened.evaluate(() => controlled);
  return opened;
}

/** A page that shares its pool, and has done so. */
async function openSharing(): Promise<Page> {
  const sharing = await openPage('?share');
  await sharing.evaluate(() => app.registration);
  return sharing;
}

/** What an application that knows nothing of the library gets. */
function fetchJson(path: string, target = page): Promise<{ status: number; type: string | null; value: unknown }> {
  return target.evaluate(async (url) => {
    const response = await fetch(url);
    return { status: response.status, type: response.headers.get('content-type'), value: (await response.json()) as unknown };
  }, path);
}

/** What an application that has a decoder gets. */
function fetchDecoded(path: string, target = page): Promise<{ type: string; value: unknown; rows: string }> {
  return target.evaluate(async (url) => {
    const response = await decoder.fetch(url);
    const copy = response.clone();
    const { trips } = await copy.rows<{ trips: object[] }>();
    return {
      type: response.headers.get('content-type')!.split(';', 1)[0]!,
      value: (await response.json()) as unknown,
      rows: `${'column' in trips ? 'rows' : 'list'} ${trips.length}`,
    };
  }, path);
}

describe('an application that calls response.json()', () => {
  it.each(['msgpack', 'cbor', 'avro', 'json'])('receives %s', async (encoder) => {
    expect(await fetchJson(`json/trips.${encoder}`)).toEqual({ status: 200, type: 'application/json', value: tripsOf(100) });
    expect(complaints).toEqual([]);
  });

  it('receives a container of Avro with compressed blocks, for which nothing is loaded', async () => {
    expect(await fetchJson('json/trips.container')).toMatchObject({ status: 200, value: [tripsOf(100)] });
  });

  it('receives long answers as they are written', async () => {
    const summary = await page.evaluate(async () => {
      const response = await fetch('json/trips.msgpack?rows=60000&chunked');
      const { trips } = (await response.json()) as { trips: { id: number }[] };
      return [trips.length, trips.every(({ id }, index) => id === index), trips.at(-1)];
    });
    expect(summary).toEqual([60_000, true, tripsOf(60_000).trips.at(-1)]);
  });

  it('receives the status of an answer', async () => {
    expect(await fetchJson('json/trips.cbor?status=404&rows=1')).toMatchObject({ status: 404, value: tripsOf(1) });
  });

  it('receives a problem where the payload is broken', async () => {
    expect(await fetchJson('json/trips.broken')).toMatchObject({
      status: 502,
      type: 'application/problem+json',
      value: { title: 'DecodeError', code: 'truncated', format: 'cbor', instance: `${site.url}json/trips.broken` },
    });
  });

  it('receives other types and pages as they are', async () => {
    const bytes = await page.evaluate(async () => {
      const response = await fetch('json/trips.png');
      return [response.headers.get('content-type'), ...new Uint8Array(await response.arrayBuffer())];
    });
    expect(bytes).toEqual(['image/png', 1, 2, 3]);
    expect((await page.goto(`${site.url}json/trips.cbor`).catch((error: Error) => error.message)) ?? 'download').toContain('Download');
  });
});

describe('an application with a decoder', () => {
  it.each(['msgpack', 'cbor', 'avro'])('opens a block of %s, from the cache the second time', async (encoder) => {
    const opened = { type: 'application/vnd.unspool.block', value: tripsOf(1000), rows: 'rows 1000' };
    for (let visit = 0; visit < 2; visit += 1) {
      expect(await fetchDecoded(`block/trips.${encoder}?rows=1000`)).toEqual(opened);
      await cached('blocks', 1);
    }
    expect(site.requests).toHaveLength(1);
    expect(complaints).toEqual([]);
  });
});

describe('what a service worker keeps', () => {
  it('is not what was asked for with authority, or said to be private', async () => {
    const status = await page.evaluate(async () => {
      const response = await decoder.fetch('block/trips.cbor', { headers: { Authorization: 'Bearer 1' } });
      return (await response.rows<{ trips: object[] }>()).trips.length;
    });
    expect(status).toBe(100);
    site.headers = { 'Cache-Control': 'private' };
    await fetchDecoded('block/trips.msgpack');
    site.headers = {};
    await fetchDecoded('block/trips.avro');
    await cached('blocks', 1);
    expect(await keys('blocks')).toEqual(['/block/trips.avro']);
  });

  it('is no problem and no failure', async () => {
    expect((await fetchJson('block/trips.broken')).status).toBe(502);
    expect((await page.evaluate(async () => (await decoder.fetch('block/trips.cbor?status=500')).status))).toBe(500);
    await fetchDecoded('block/trips.avro');
    await cached('blocks', 1);
    expect(await keys('blocks')).toEqual(['/block/trips.avro']);
  });

  it('may be the response as it came', async () => {
    for (let visit = 0; visit < 2; visit += 1) {
      expect((await fetchJson('encoded/trips.msgpack')).value).toEqual(tripsOf(100));
      await cached('encoded', 1);
    }
    expect(site.requests).toHaveLength(1);
    const type = await page.evaluate(async () => (await caches.match('encoded/trips.msgpack'))!.headers.get('content-type'));
    expect(type).toBe('application/vnd.msgpack');
  });

  it('goes when there is more than there is to be', async () => {
    for (const rows of [1, 2, 3, 4, 5]) await fetchDecoded(`block/trips.cbor?rows=${rows}`);
    await cached('blocks', 3);
  });

  it('counts for nothing where another version of the library wrote it', async () => {
    await page.evaluate(async () => {
      const headers = { 'Content-Type': 'application/vnd.unspool.block; format=cbor; version=9999' };
      await (await caches.open('blocks')).put('block/trips.cbor', new Response('of the future', { headers }));
    });
    expect((await fetchDecoded('block/trips.cbor')).value).toEqual(tripsOf(100));
    expect(site.requests).toHaveLength(1);
  });

  it('is nothing where the storage is full; the page gets its answer', async () => {
    const session = await context.newCDPSession(page);
    await session.send('Storage.overrideQuotaForOrigin', { origin: new URL(site.url).origin, quotaSize: 10 });
    expect((await fetchDecoded('block/trips.cbor?rows=1000')).value).toEqual(tripsOf(1000));
    await fetchDecoded('block/trips.cbor?rows=1000');
    expect(site.requests).toHaveLength(2);
  });
});

describe('large bodies', () => {
  it('are decoded in the pool of a page that shares it', async () => {
    const sharing = await openSharing();
    expect(await fetchDecoded('bridge/trips.msgpack?rows=20000', sharing)).toMatchObject({ rows: 'rows 20000', value: tripsOf(20_000) });
    expect(await sharing.evaluate(() => decoder.stats().workers)).toBe(1);
    const { value } = await fetchJson('bridge/trips.broken', sharing);
    expect(value).toMatchObject({ title: 'DecodeError', code: 'truncated', format: 'cbor' });
    expect(complaints.filter((text) => !text.includes('502'))).toEqual([]);
  });

  it('are decoded by the service worker where no page shares its pool', async () => {
    expect(await fetchDecoded('bridge/trips.msgpack?rows=20000')).toMatchObject({ rows: 'rows 20000', value: tripsOf(20_000) });
    expect(await page.evaluate(() => decoder.stats().workers)).toBe(0);
  });

  it('are decoded by the service worker where the pool goes while it decodes', async () => {
    const sharing = await openSharing();
    const rows = await sharing.evaluate(async () => {
      const answer = fetch('bridge/trips.msgpack?rows=20000&pause=20');
      while (decoder.stats().running === 0) await new Promise((resolve) => setTimeout(resolve, 10));
      decoder.close();
      const bytes = await (await answer).arrayBuffer();
      return [(await answer).headers.get('content-type'), bytes.byteLength > 100_000];
    });
    expect(rows).toEqual(['application/vnd.unspool.block; format=msgpack; version=1'.replace('msgpack', 'messagepack'), true]);
  });

  it('of a page that is closed while it decodes do no harm', async () => {
    const sharing = await openSharing();
    await sharing.evaluate(async () => {
      void fetch('bridge/trips.msgpack?rows=20000&pause=20').catch(() => {});
      while (decoder.stats().running === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    });
    await sharing.close();
    expect((await fetchDecoded('bridge/trips.msgpack?rows=20000')).value).toEqual(tripsOf(20_000));
  });

  it('stream to the page part by part', async () => {
    const opened = await fetchDecoded('stream/trips.msgpack?rows=20000');
    expect(opened).toEqual({ type: 'application/vnd.unspool.parts', rows: 'rows 20000', value: tripsOf(20_000) });
  });
});

it('batches come to the page as they are decoded', async () => {
  const batches = await page.evaluate(async () => {
    const response = await decoder.fetch('batches/trips.msgpack?rows=20000');
    const ids: number[] = [];
    let count = 0;
    for await (const batch of decoder.batches<{ id: number }>(response)) {
      count += 1;
      for (const { id } of batch) ids.push(id);
    }
    return [count > 1, ids.length, ids.every((id, index) => id === index)];
  });
  expect(batches).toEqual([true, 20_000, true]);
});

describe('the life of a service worker', () => {
  it('goes on without a network', async () => {
    await page.reload();
    await page.waitForFunction(() => 'decoder' in window);
    await fetchDecoded('block/trips.cbor');
    await cached('blocks', 1);
    const { port } = new URL(site.url);
    await site.stop();
    await page.reload();
    await page.waitForFunction(() => 'decoder' in window);
    expect(await fetchDecoded('block/trips.cbor')).toMatchObject({ rows: 'rows 100', value: tripsOf(100) });
    await expect(fetchJson('json/trips.cbor')).rejects.toThrow('Failed to fetch');
    await site.start(Number(port));
    expect((await fetchJson('json/trips.cbor')).value).toEqual(tripsOf(100));
  });

  it('says when a new version waits, and lets it take over when told', async () => {
    expect(await page.evaluate(() => events)).toEqual(['installed', 'controlling']);
    site.version = '\n// A new version.';
    await page.evaluate(() => app.update());
    await page.waitForFunction(() => events.includes('waiting update') && app.waiting);
    await page.evaluate(() => app.skipWaiting());
    await page.waitForFunction(() => events.at(-1) === 'controlling update' && !app.waiting);
    expect((await fetchJson('json/trips.cbor')).value).toEqual(tripsOf(100));
  });

  it('says that it could not begin', async () => {
    const other = await browser.newContext();
    site.version = '\n)';
    const opened = await other.newPage();
    await opened.goto(site.url);
    await opened.waitForFunction(() => events.length > 0);
    expect(await opened.evaluate(() => events.join())).toMatch(/^failed: TypeError/);
    await other.close();
  });

  it('ends in the middle of a response, and begins again', async () => {
    const session = await context.newCDPSession(page);
    await session.send('ServiceWorker.enable');
    const failing = page.evaluate(async () => {
      const response = await fetch('json/trips.msgpack?rows=100000&pause=10');
      Object.assign(window, { begun: true });
      return response.json().then(
        () => 'whole',
        (error: Error) => error.name,
      );
    });
    await page.waitForFunction(() => 'begun' in window);
    await session.send('ServiceWorker.stopAllWorkers');
    expect(await failing).toMatch(/^(?:TypeError|SyntaxError)$/);
    expect((await fetchJson('json/trips.msgpack')).value).toEqual(tripsOf(100));
  });
});

/** Waits until a cache has so many entries. */
async function cached(name: string, entries: number): Promise<void> {
  await expect.poll(async () => (await keys(name)).length, { timeout: 10_000 }).toBe(entries);
}

/** What a cache has entries for. */
function keys(name: string): Promise<string[]> {
  return page.evaluate(async (cache) => {
    const requests = await (await caches.open(cache)).keys();
    return requests.map(({ url }) => new URL(url).pathname);
  }, name);
}
