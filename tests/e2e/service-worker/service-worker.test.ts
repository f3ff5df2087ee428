import { describe, expect, it } from 'vitest';
import { Application } from './application.ts';
import { tripsOf } from './site.ts';
import { PATIENCE_MS } from '../../setup/browsers/patience.ts';

const application = Application.forTests();

describe('an application that calls response.json()', () => {
  it.each(['msgpack', 'cbor', 'avro', 'json'])('receives %s', async (encoder) => {
    expect(await application.fetchJson(`json/trips.${encoder}`)).toEqual({ status: 200, type: 'application/json', value: tripsOf(100) });
    expect(application.complaints).toEqual([]);
  });

  it('receives an Avro container with compressed blocks', async () => {
    expect(await application.fetchJson('json/trips.container')).toMatchObject({ status: 200, value: [tripsOf(100)] });
  });

  it('receives long responses as they are written', async () => {
    const summary = await application.page.evaluate(async () => {
      const response = await fetch('json/trips.msgpack?rows=60000&chunked');
      const { trips } = (await response.json()) as { trips: { id: number }[] };
      return [trips.length, trips.every(({ id }, index) => id === index), trips.at(-1)];
    });
    expect(summary).toEqual([60_000, true, tripsOf(60_000).trips.at(-1)]);
  });

  it('receives the status of a response', async () => {
    expect(await application.fetchJson('json/trips.cbor?status=404&rows=1')).toMatchObject({ status: 404, value: tripsOf(1) });
  });

  it('receives a problem for a broken payload', async () => {
    expect(await application.fetchJson('json/trips.broken')).toMatchObject({
      status: 502,
      type: 'application/problem+json',
      value: { title: 'DecodeError', code: 'truncated', format: 'cbor', instance: `${application.site.url}json/trips.broken` },
    });
  });

  it('receives other types and pages unchanged', async () => {
    const bytes = await application.page.evaluate(async () => {
      const response = await fetch('json/trips.png');
      return [response.headers.get('content-type'), ...new Uint8Array(await response.arrayBuffer())];
    });
    expect(bytes).toEqual(['image/png', 1, 2, 3]);
    expect((await application.page.goto(`${application.site.url}json/trips.cbor`).catch((error: Error) => error.message)) ?? 'download').toContain(
      'Download',
    );
  });
});

describe('an application with a decoder', () => {
  it.each(['msgpack', 'cbor', 'avro'])('opens a block of %s, from the cache the second time', async (encoder) => {
    const opened = { type: 'application/vnd.unspool.block', value: tripsOf(1000), rows: 'rows 1000' };
    for (let visit = 0; visit < 2; visit += 1) {
      expect(await application.fetchDecoded(`block/trips.${encoder}?rows=1000`)).toEqual(opened);
      await application.cached('blocks', 1);
    }
    expect(application.site.requests).toHaveLength(1);
    expect(application.complaints).toEqual([]);
  });

  it('reads a cached block directly, or from the response if the entry has changed', async () => {
    for (const rows of [7, 1000]) await application.fetchDecoded(`block/trips.cbor?rows=${rows}`);
    await application.cached('blocks', 2);
    const seen = await application.page.evaluate(async () => {
      const url = 'block/trips.cbor?rows=1000';
      const cache = await caches.open('blocks');
      const entry = (await cache.match(url))!;
      const other = (await cache.match('block/trips.cbor?rows=7'))!;
      // Replaces the cache entry after the response has begun.
      const rowsAfter = async (change: () => Promise<unknown>): Promise<number> => {
        const response = await decoder.fetch(url);
        await change();
        const { trips } = await response.rows<{ trips: object[] }>();
        await cache.put(url, entry.clone());
        return trips.length;
      };
      const put = (headers: Headers) => () => cache.put(url, new Response(other.clone().body, { headers }));
      return [await rowsAfter(put(entry.headers)), await rowsAfter(put(other.headers)), await rowsAfter(() => cache.delete(url))];
    });
    expect(seen).toEqual([7, 1000, 1000]);
    expect(application.site.requests).toHaveLength(2);
    expect(application.complaints).toEqual([]);
  });
});

describe('the cache of a service worker', () => {
  it('excludes requests with authorization and private responses', async () => {
    const status = await application.page.evaluate(async () => {
      const response = await decoder.fetch('block/trips.cbor', { headers: { Authorization: 'Bearer 1' } });
      return (await response.rows<{ trips: object[] }>()).trips.length;
    });
    expect(status).toBe(100);
    application.site.headers = { 'Cache-Control': 'private' };
    await application.fetchDecoded('block/trips.msgpack');
    application.site.headers = {};
    await application.fetchDecoded('block/trips.avro');
    await application.cached('blocks', 1);
    expect(await application.keys('blocks')).toEqual(['/block/trips.avro']);
  });

  it('excludes problems and failures', async () => {
    expect((await application.fetchJson('block/trips.broken')).status).toBe(502);
    expect(await application.page.evaluate(async () => (await decoder.fetch('block/trips.cbor?status=500')).status)).toBe(500);
    await application.fetchDecoded('block/trips.avro');
    await application.cached('blocks', 1);
    expect(await application.keys('blocks')).toEqual(['/block/trips.avro']);
  });

  it('holds the original response on request', async () => {
    for (let visit = 0; visit < 2; visit += 1) {
      expect((await application.fetchJson('encoded/trips.msgpack')).value).toEqual(tripsOf(100));
      await application.cached('encoded', 1);
    }
    expect(application.site.requests).toHaveLength(1);
    const type = await application.page.evaluate(async () => (await caches.match('encoded/trips.msgpack'))!.headers.get('content-type'));
    expect(type).toBe('application/vnd.msgpack');
  });

  it('evicts entries beyond its limit', async () => {
    for (const rows of [1, 2, 3, 4, 5]) await application.fetchDecoded(`block/trips.cbor?rows=${rows}`);
    await application.cached('blocks', 3);
  });

  it('ignores entries of another version of the library', async () => {
    await application.page.evaluate(async () => {
      const headers = { 'Content-Type': 'application/vnd.unspool.block; format=cbor; version=9999' };
      await (await caches.open('blocks')).put('block/trips.cbor', new Response('of the future', { headers }));
    });
    expect((await application.fetchDecoded('block/trips.cbor')).value).toEqual(tripsOf(100));
    expect(application.site.requests).toHaveLength(1);
  });

  it('stays empty if the storage is full, and the page still gets its response', async () => {
    const session = await application.context.newCDPSession(application.page);
    await session.send('Storage.overrideQuotaForOrigin', { origin: new URL(application.site.url).origin, quotaSize: 10 });
    expect((await application.fetchDecoded('block/trips.cbor?rows=1000')).value).toEqual(tripsOf(1000));
    await application.fetchDecoded('block/trips.cbor?rows=1000');
    expect(application.site.requests).toHaveLength(2);
  });
});

describe('the life of a service worker', () => {
  it('continues offline', async () => {
    await application.page.reload();
    await application.page.waitForFunction(() => 'decoder' in window);
    await application.fetchDecoded('block/trips.cbor');
    await application.cached('blocks', 1);
    const { port } = new URL(application.site.url);
    await application.site.stop();
    await application.page.reload();
    await application.page.waitForFunction(() => 'decoder' in window);
    expect(await application.fetchDecoded('block/trips.cbor')).toMatchObject({ rows: 'rows 100', value: tripsOf(100) });
    await expect(application.fetchJson('json/trips.cbor')).rejects.toThrow('Failed to fetch');
    await application.site.start(Number(port));
    expect((await application.fetchJson('json/trips.cbor')).value).toEqual(tripsOf(100));
  });

  it('reports a waiting version and activates it on request', async () => {
    expect(await application.page.evaluate(() => events)).toEqual(['installed', 'controlling']);
    application.site.version = '\n// A new version.';
    await application.page.evaluate(() => app.update());
    await application.page.waitForFunction(() => events.includes('waiting update') && app.waiting);
    await application.page.evaluate(() => app.skipWaiting());
    await application.page.waitForFunction(() => events.at(-1) === 'controlling update' && !app.waiting);
    expect((await application.fetchJson('json/trips.cbor')).value).toEqual(tripsOf(100));
  });

  it('reports a failed installation', async () => {
    const other = await application.browser.newContext();
    other.setDefaultTimeout(PATIENCE_MS);
    application.site.version = '\n)';
    const opened = await other.newPage();
    await opened.goto(application.site.url);
    await opened.waitForFunction(() => events.length > 0);
    expect(await opened.evaluate(() => events.join())).toMatch(/^failed: TypeError/);
    await other.close();
  });

  it('survives a stop during a response', async () => {
    const session = await application.context.newCDPSession(application.page);
    await session.send('ServiceWorker.enable');
    const failing = application.page.evaluate(async () => {
      const response = await fetch('json/trips.msgpack?rows=100000&hold=1000000');
      Object.assign(window, { begun: true });
      return response.json().then(
        () => 'whole',
        (error: Error) => error.name,
      );
    });
    await application.page.waitForFunction(() => 'begun' in window);
    await session.send('ServiceWorker.stopAllWorkers');
    expect(await failing).toMatch(/^(?:TypeError|SyntaxError)$/);
    expect((await application.fetchJson('json/trips.msgpack')).value).toEqual(tripsOf(100));
  });
});
