import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Packr } from 'msgpackr';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { tripAt } from '../../demo/server/data/trips.mjs';
import { createServer } from '../../demo/server/index.mjs';
import { findChromium } from '../../scripts/browsers.mjs';
import {
  buildWithEsbuild,
  buildWithNothing,
  buildWithRollup,
  buildWithVite,
  buildWithWebpack,
  PAGES,
  serveWithVite,
} from './bundlers/builds.ts';
import { makeApplication } from './bundlers/package.ts';
import { collectReports } from './bundlers/reports.ts';

const large = { trips: Array.from({ length: 300 }, (_, index) => tripAt(index)) };
const small = { hello: 'world', list: [1, 2.5, null, true] };
const packr = new Packr({ useRecords: false });
const files = {
  'large.msgpack': packr.pack(large),
  'large.json': JSON.stringify(large),
  'small.msgpack': packr.pack(small),
  'small.json': JSON.stringify(small),
  'small.pb': Uint8Array.of(10, 5, 119, 111, 114, 108, 100, 18, 2, 2, 3),
  // Browsers ask for it.
  'favicon.ico': '',
};
const decoded = {
  'large.msgpack': { route: 'worker', value: large },
  'large.json': { route: 'worker', value: large },
  'small.msgpack': { route: 'inline', value: small },
  'small.json': { route: 'inline', value: small },
  'small.pb': { route: 'inline', value: { hello: 'world', list: [1, -2] } },
};

const STRICT = "default-src 'self'; script-src 'self'";
const TRUSTED_TYPES = "require-trusted-types-for 'script'";
/** What a page may ask for with each way to the worker: made by the library from a file or a blob, or by the page. */
const POLICIES = {
  beside: `${STRICT}; worker-src 'self'; ${TRUSTED_TYPES}`,
  inline: `${STRICT}; worker-src blob:; ${TRUSTED_TYPES}`,
  named: `${STRICT}; worker-src 'self'`,
};

const PATIENTLY = { timeout: 30_000 };

let folder: string;
let application: string;
let browser: Browser;
let page: Page;
/** What the page complains of. */
const complaints: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unspool-bundlers-'));
  application = join(folder, 'application');
  browser = await chromium.launch(findChromium()!.launch);
  page = await browser.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await makeApplication(application);
  // Vite serves and copies what lies in this folder.
  await writeFiles(join(application, 'public'));
});

afterAll(async () => {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
});

async function writeFiles(to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await Promise.all(Object.entries(files).map(([name, bytes]) => writeFile(join(to, name), bytes)));
}

/** Serves a folder until the test is over. */
async function serve(root: string, policy: string): Promise<string> {
  const server = createServer({ root, headers: { 'Content-Security-Policy': policy } });
  onTestFinished(() => server.close());
  return server.listen({ port: 0 });
}

/** Opens a page of the application, and waits until it has decoded everything. */
async function expectDecoded(url: string): Promise<void> {
  complaints.length = 0;
  await page.goto(url);
  expect(complaints).toEqual([]);
  expect(await page.evaluate(() => outcome)).toEqual(decoded);
  expect(complaints).toEqual([]);
}

describe.each([
  ['Vite', buildWithVite, ['beside', 'inline']],
  ['webpack', buildWithWebpack, ['beside', 'inline']],
  ['Rollup', buildWithRollup, PAGES],
  ['esbuild', buildWithEsbuild, PAGES],
] as const)('with %s', (name, build, pages) => {
  let built: string;

  beforeAll(async () => {
    built = join(folder, name);
    await build(application, built);
    await writeFiles(built);
  });

  it.each(pages)('decodes with the worker %s', async (way) => {
    await expectDecoded(`${await serve(built, POLICIES[way])}${way}.html`);
  });
});

describe("with Vite's development server", () => {
  let server: Awaited<ReturnType<typeof serveWithVite>>;

  beforeAll(async () => {
    server = await serveWithVite(application);
    return server.close;
  });

  it.each(['beside', 'inline'])('decodes with the worker %s', async (way) => {
    await expectDecoded(`${server.url}${way}.html`);
  });
});

describe('with no bundler, on a page whose policy is strict', () => {
  let built: string;

  beforeAll(async () => {
    built = join(folder, 'no bundler');
    await buildWithNothing(application, built);
    await writeFiles(built);
  });

  it.each([
    ['with the worker beside', 'beside', POLICIES.beside],
    ['with the one policy of Trusted Types named', 'beside', `${POLICIES.beside}; trusted-types unspool`],
    ['with the worker inline', 'inline', `${POLICIES.inline}; trusted-types unspool`],
  ])('decodes without a breach to report, %s', async (_, way, policy) => {
    const reports = await collectReports();
    onTestFinished(reports.close);
    const url = await serve(built, `${policy}; report-uri ${reports.url}`);
    await expectDecoded(`${url}${way}.html`);

    // The page's first breach and its worker's first are these.
    const { violations } = reports;
    await page.evaluate(() => fetch('http://page.test/breach').catch(() => undefined));
    await expect.poll(() => violations, PATIENTLY).toEqual([{ directive: 'connect-src', blocked: 'http://page.test/breach' }]);
    await page.workers()[0]!.evaluate(() => fetch('http://worker.test/breach').catch(() => undefined));
    await expect.poll(() => violations[1], PATIENTLY).toEqual({ directive: 'connect-src', blocked: 'http://worker.test/breach' });
  });
});
