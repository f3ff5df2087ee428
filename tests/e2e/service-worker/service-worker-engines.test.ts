/** The application with a service worker in every installed engine. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decode as decodeCbor } from 'cbor-x';
import { unpack } from 'msgpackr';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApplication } from './build.ts';
import { Site, tripsOf } from './site.ts';
import playwright from 'playwright-core';
import { findChromium, findFirefox, findWebKit } from '../../../scripts/browsers.mjs';
import { WebKitSession } from '../../setup/browsers/webkit-session.ts';
import { PATIENCE_MS } from '../../setup/browsers/patience.ts';

const ROWS = 8_000;

/** A request as the server received it; the body as base64. */
interface Echo {
  method: string;
  type: string;
  token: string;
  body: string;
}

const read: Readonly<Record<string, (bytes: Buffer) => unknown>> = {
  'application/vnd.msgpack': (bytes) => unpack(bytes) as unknown,
  'application/cbor': (bytes) => decodeCbor(bytes) as unknown,
};

/** The engines, and how to open each that is installed. */
const VISITORS: readonly [engine: string, visit: (() => Promise<Visitor>) | undefined][] = [
  ['Chromium', visitor('chromium')],
  ['Firefox', visitor('firefox')],
  ['WebKit', visitor('webkit')],
];

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unspool-engines-'));
  await buildApplication(folder);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe.each(VISITORS)('the service worker in %s', (_, visit) => {
  it.skipIf(!visit)(
    'installs, responds with JSON, blocks and streams, decodes in the pool, and works offline',
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
        // Firefox may report them in reverse order.
        expect((await visitor.run(() => [...events], undefined)).toSorted()).toEqual(['controlling', 'installed']);

        for (const where of ['json', 'page/json', 'here/json']) {
          expect(await fetchJson(visitor, `${where}/trips.msgpack?rows=${ROWS}`)).toEqual(['application/json', tripsOf(ROWS)]);
        }
        for (const where of ['here/block', 'page/block', 'here/stream', 'page/stream']) {
          expect(await fetchRows(visitor, `${where}/trips.cbor?rows=${ROWS}`)).toEqual([ROWS, tripsOf(ROWS).trips.at(-1)]);
        }
        expect(await visitor.run(() => decoder.stats().workers, undefined)).toBe(1);
        expect(await fetchJson(visitor, 'json/trips.broken')).toMatchObject(['application/problem+json', { code: 'truncated' }]);

        for (const where of ['as/messagepack/trips.cbor', 'as/cbor/trips.msgpack']) {
          const [type, bytes] = await fetchBytes(visitor, `${where}?rows=${ROWS}`);
          expect([type, read[type]?.(bytes)]).toEqual([type, tripsOf(ROWS)]);
        }
        const text = JSON.stringify(tripsOf(ROWS));
        for (const [where, type] of [
          ['messagepack', 'application/vnd.msgpack'],
          ['cbor', 'application/cbor'],
        ] as const) {
          const echo = await send(visitor, `send/${where}/echo`, { body: text });
          expect(echo).toMatchObject({ method: 'POST', type, token: 'a' });
          expect(read[type]!(Buffer.from(echo.body, 'base64'))).toEqual(tripsOf(ROWS));
        }
        // Firefox does not pass requests with `keepalive` to service workers.
        const isHeard = (await fetchTypeWithKeepalive(visitor, 'json/trips.cbor')) === 'application/json';
        const short = await send(visitor, 'send/messagepack/echo', { body: '[1]', keepalive: true });
        expect([short.type, [...Buffer.from(short.body, 'base64')]]).toEqual(
          isHeard ? ['application/vnd.msgpack', [0x91, 1]] : ['application/json', [...Buffer.from('[1]')]],
        );
        const broken = await send(visitor, 'send/messagepack/echo', { body: text.slice(0, -1) });
        expect(broken).toEqual({ method: 'POST', type: 'application/json', token: 'a', body: Buffer.from(text.slice(0, -1)).toString('base64') });

        // The application works offline once the service worker has cached it.
        await visitor.open(site.url);
        await visitor.run(() => controlled, undefined);
        expect(await fetchRows(visitor, 'block/trips.avro?rows=100')).toEqual([100, tripsOf(100).trips.at(-1)]);
        await expect.poll(() => kept(visitor)).toBe(1);
        const { port } = new URL(site.url);
        await site.stop();
        await visitor.open(site.url);
        await visitor.run(() => controlled, undefined);
        expect(await fetchRows(visitor, 'block/trips.avro?rows=100')).toEqual([100, tripsOf(100).trips.at(-1)]);
        await expect(fetchJson(visitor, 'json/trips.cbor')).rejects.toThrow();
        await site.start(Number(port));

        // A new version waits until the page activates it.
        site.version = '\n// A new version.';
        await visitor.run(() => app.update(), undefined);
        await expect.poll(() => visitor.run(() => app.waiting, undefined)).toBe(true);
        await visitor.run(() => app.skipWaiting(), undefined);
        await expect.poll(() => visitor.run(() => events.at(-1), undefined)).toBe('controlling update');
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

/** Fetches a body through base64. */
async function fetchBytes(visitor: Visitor, path: string): Promise<[type: string, bytes: Buffer]> {
  const [type, text] = await visitor.run(async (url) => {
    const response = await fetch(url);
    const data = new FileReader();
    data.readAsDataURL(await response.blob());
    await new Promise((resolve) => data.addEventListener('load', resolve));
    return [response.headers.get('content-type')!, (data.result as string).replace(/^.*,/, '')] as const;
  }, path);
  return [type, Buffer.from(text, 'base64')];
}

function fetchTypeWithKeepalive(visitor: Visitor, path: string): Promise<string | null> {
  return visitor.run(async (url) => (await fetch(url, { keepalive: true })).headers.get('content-type'), path);
}

/** Sends a request and returns it as the server received it. */
function send(visitor: Visitor, path: string, init: { body: string; keepalive?: boolean }): Promise<Echo> {
  return visitor.run(
    async ([url, more]) => {
      const headers = { 'Content-Type': 'application/json', 'X-Token': 'a' };
      return (await (await fetch(url, { method: 'POST', headers, ...more })).json()) as Echo;
    },
    [path, init] as const,
  );
}

function kept(visitor: Visitor): Promise<number> {
  return visitor.run(async () => (await (await caches.open('blocks')).keys()).length, undefined);
}

/** A browser with one page, for every engine. */
interface Visitor {
  /** Opens an address and resolves when it has loaded. */
  open(url: string): Promise<void>;
  /** Runs a function in the page by its source text, with a JSON argument and result. */
  run<A, R>(script: (argument: A) => R | Promise<R>, argument: A): Promise<R>;
  close(): Promise<void>;
}

type Launch = Parameters<typeof playwright.firefox.launch>[0];

async function launch(engine: 'chromium' | 'firefox' | 'webkit', options: Launch): Promise<Visitor> {
  const browser = await playwright[engine].launch(options);
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  return {
    open: async (url) => void (await page.goto(url)),
    run: (script, argument) => page.evaluate(script as never, argument as never),
    close: () => browser.close(),
  };
}

/** WebKitGTK, which Playwright does not support. */
function drive(programs: ConstructorParameters<typeof WebKitSession>[0]): Visitor {
  const session = new WebKitSession(programs);
  return {
    open: (url) => session.open(url),
    run: async <A, R>(script: (argument: A) => R | Promise<R>, argument: A) => {
      const code = `
        const [argument, done] = arguments;
        (async () => (${String(script)})(argument))().then((value) => done({ value }), (error) => done({ error: String(error) }));
      `;
      const { value, error } = await session.run<{ value: R; error?: string }>(code, [argument]);
      if (error !== undefined) throw new Error(error);
      return value;
    },
    close: () => session.close(),
  };
}

function visitor(engine: 'chromium' | 'firefox' | 'webkit'): (() => Promise<Visitor>) | undefined {
  const found = { chromium: findChromium, firefox: findFirefox, webkit: findWebKit }[engine]();
  if (!found) return undefined;
  return 'driver' in found ? () => Promise.resolve(drive(found)) : () => launch(engine, found.launch);
}
