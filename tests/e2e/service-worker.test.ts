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

/** Waits until a cache has so many entries. */
async function cached(name: string, entries: number): Promise<void> {
  await expect
    .poll(() => page.evaluate(async (cache) => (await (await caches.open(cache)).keys()).length, name), { timeout: 10_000 })
    .toBe(entries);
}
