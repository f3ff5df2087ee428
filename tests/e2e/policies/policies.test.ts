/** Every built entry of the package works on pages with strict policies, without violations. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { chromiumLaunch } from '../../setup/browsers/chromium.ts';
import { ROOT } from '../../../scripts/run.mjs';
import { LARGE as large, PAYLOADS as payloads } from '../bundlers/payloads.ts';
import { collectReports } from '../bundlers/reports.ts';
import { PATIENCE_MS } from '../../setup/browsers/patience.ts';

const ROWS = large.trips.length;
/** For each entry: the script that uses it, the source of its worker, and the outcome. */
const ENTRIES = [
  ['unspool', 'entry', "'self'", [6, 'worker', ROWS, ROWS]],
  ['unspool/worker', 'worker', "'self'", [6, 'worker']],
  ['unspool/inline', 'inline', 'blob:', [6, 'worker']],
  ['unspool/register and unspool/service-worker', 'register', "'self'", [ROWS, ROWS, 1]],
  ['unspool/validate', 'validate', "'self'", [ROWS]],
  ['unspool/json-schema', 'json-schema', "'none'", [7, 7]],
  [
    'unspool/sync and unspool/formats',
    'sync',
    "'none'",
    [[1], [1], [1], { a: 1 }, [null], [1], { a: 1 }, { a: 1 }, { a: 1 }, 'function', 'function'],
  ],
] as const;

const NONCE = 'bm9uY2U';
const TRUSTED_TYPES = "require-trusted-types-for 'script'; trusted-types unspool application";
const FILES = `default-src 'self'; script-src 'self'; ${TRUSTED_TYPES}`;
/** Script policies of pages. */
const SCRIPTS = [
  ['their origin', "'self'"],
  ['their nonce', `'nonce-${NONCE}'`],
  ['their nonce, and what they load', `'nonce-${NONCE}' 'strict-dynamic'`],
] as const;

let folder: string;
let browser: Browser;
/** The page of every test, whose sites have origins of their own. */
let page: Page;
/** Errors of the page in the current test. */
const complaints: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unspool-policies-'));
  await cp(join(import.meta.dirname, 'app'), folder, { recursive: true });
  await cp(join(import.meta.dirname, '../bundlers/app/decode-all.js'), join(folder, 'decode-all.js'));
  await cp(join(ROOT, 'dist'), join(folder, 'unspool'), { recursive: true });
  const pages = [...ENTRIES.map(([, script]) => script), 'kernel'].map((script) => [
    `${script}.html`,
    `<!doctype html><script type="module" nonce="${NONCE}" src="./${script}.js"></script>`,
  ]);
  const files = { ...payloads, ...(Object.fromEntries(pages) as Record<string, string>) };
  await Promise.all(Object.entries(files).map(([name, content]) => writeFile(join(folder, name), content)));
  browser = await chromium.launch(chromiumLaunch());
  page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
});

beforeEach(() => {
  complaints.length = 0;
});

// Before its sites close: a request that one of them does not answer would be an error in the next test.
afterEach(() => page.goto('about:blank'));

afterAll(async () => {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
});

describe.each(SCRIPTS)('on a page that allows scripts by %s', (_, scripts) => {
  it.each(ENTRIES)('%s works without violations', async (_, script, workers, expected) => {
    const reports = await collectReports();
    onTestFinished(reports.close);
    const pages = `default-src 'self'; script-src ${scripts}; worker-src ${workers}; ${TRUSTED_TYPES}; report-uri ${reports.url}`;
    const site = await servePolicies(folder, { pages, others: `${FILES}; report-uri ${reports.url}` });
    onTestFinished(site.close);
    await page.goto(`${site.url}${script}.html`);
    await page.waitForFunction(() => 'outcome' in globalThis).catch(() => {});
    expect(complaints).toEqual([]);
    expect(await page.evaluate(() => outcome as Promise<unknown>)).toEqual(expected);
    expect(complaints).toEqual([]);

    // Reports arrive, and this is the first violation.
    await page.evaluate(() => fetch('http://page.test/breach').catch(() => undefined));
    const breach = { directive: 'connect-src', blocked: 'http://page.test/breach' };
    await expect.poll(() => reports.violations).toEqual([breach]);
  });
});

/** Policies of the worker's script, and whether they allow kernels. The page's policy does not matter. */
const KERNELS = [
  ["default-src 'self'; script-src 'self'", false],
  ["default-src 'self'", false],
  ["default-src 'self'; script-src 'self' 'wasm-unsafe-eval'", true],
  ["default-src 'self' 'wasm-unsafe-eval'", true],
] as const;

it.each(KERNELS)('the policy "%s" of the worker decides about kernels, which the decoder reports', async (policy, expected) => {
  const reports = await collectReports();
  onTestFinished(reports.close);
  for (const pages of ["default-src 'self'", "default-src 'self' 'wasm-unsafe-eval'"]) {
    const site = await servePolicies(folder, {
      pages: `${pages}; report-uri ${reports.url}`,
      others: `${policy}; report-uri ${reports.url}`,
    });
    onTestFinished(site.close);
    await page.goto(`${site.url}kernel.html`);
    await page.waitForFunction(() => 'outcome' in globalThis);
    const said = await page.evaluate(() => outcome as Promise<unknown>);
    expect(said).toEqual({ rows: [ROWS, ROWS], events: [expected, expected], stats: expected });
    expect(complaints).toEqual([]);
  }
  expect(reports.violations).toEqual([]);
});

const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.msgpack': 'application/vnd.msgpack',
};

/** Serves a folder with one policy for pages and another for other files. Paths below `api` are payloads. */
async function servePolicies(root: string, policies: { pages: string; others: string }): Promise<{ url: string; close: () => Promise<void> }> {
  const answer = async (path: string, response: http.ServerResponse): Promise<void> => {
    const name = path.startsWith('/api/') ? basename(path) : path.slice(1);
    const file = await readFile(join(root, name)).catch(() => undefined);
    const type = TYPES[extname(name)] ?? 'application/octet-stream';
    response.setHeader('Content-Security-Policy', type === 'text/html' ? policies.pages : policies.others);
    response.writeHead(file ? 200 : 404, { 'Content-Type': type, ...(file && { 'Content-Length': file.length }) });
    response.end(file);
  };
  const server = http.createServer((request, response) => {
    answer(new URL(request.url!, 'http://localhost').pathname, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
