/** Examples whose libraries are too heavy for the repository: installed from the registry with the packed library, built, and opened in Chromium. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { getRequestListener } from '@hono/node-server';
import * as esbuild from 'esbuild';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import * as vite from 'vite';
import { respond } from '../../main/server.ts';
import { chromiumLaunch } from '../setup/browsers/chromium.ts';
import { ROOT } from '../../scripts/run.mjs';
import { PATIENCE_MS } from '../setup/browsers/patience.ts';
import { canInstall, install, npm } from '../setup/build/npm.ts';
import { startServer } from '../setup/servers/npm-server.ts';
import { pack } from './bundlers/package.ts';

const MESSAGEPACK = 'application/vnd.msgpack';
const TRIPS = Array.from({ length: 5_000 }, (_, id) => ({ id, station: `Station ${id % 300}`, minutes: id / 2, member: id % 3 > 0 }));

const isPossible = await canInstall();

let folder: string;
let packed: string;
let browser: Browser;

beforeAll(async () => {
  if (!isPossible) return;
  folder = await mkdtemp(join(tmpdir(), 'unspool-frameworks-'));
  packed = join(folder, await pack(folder));
  browser = await chromium.launch(chromiumLaunch());
});

afterAll(async () => {
  if (!isPossible) return;
  await browser.close();
  await rm(folder, { recursive: true, force: true });
});

/** Copies an example and installs its libraries, and the packed one. Returns the folder. */
async function installExample(name: string): Promise<string> {
  const example = join(folder, name);
  await cp(join(ROOT, 'docs/examples', name), example, { recursive: true });
  const file = join(example, 'package.json');
  const manifest = JSON.parse(await readFile(file, 'utf8')) as { dependencies: Record<string, string> };
  manifest.dependencies['unspool'] = `file:${packed}`;
  await writeFile(file, JSON.stringify(manifest));
  await install(example);
  return example;
}

/** Opens a page, whose errors fail the test. */
async function open(url: string): Promise<Page> {
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  onTestFinished(async () => {
    await page.close();
    expect(errors).toEqual([]);
  });
  await page.goto(url);
  return page;
}

describe.skipIf(!isPossible)('an example installed from the registry', () => {
  it.each([['18-next'], ['19-sveltekit'], ['20-nuxt']])('%s builds, answers in MessagePack, and shows the first 50 trips', async (name) => {
    const example = await installExample(name);
    await npm(example, 'run', 'build');
    const url = await startServer(example, 'preview');
    const page = await open('about:blank');
    const types: (string | undefined)[] = [];
    page.on('response', (response) => {
      if (new URL(response.url()).pathname === '/trips') types.push(response.headers()['content-type']);
    });
    await page.goto(url);
    await expect.poll(() => page.locator('li').count()).toBe(50);
    expect(await page.locator('li').last().textContent()).toBe('Station 49');
    expect(types).toEqual([MESSAGEPACK]);
    const plain = await fetch(`${url}trips`);
    expect(plain.headers.get('content-type')).toBe('application/json');
    expect(await plain.json()).toMatchObject({ trips: { length: 5_000, 4999: { id: 4_999, station: 'Station 199' } } });
  });

  it('17-angular decodes responses and the bodies of errors', async () => {
    const example = await installExample('17-angular');
    // Compiles the decorators of Angular's own code, as the Angular CLI does in advance.
    const { page, types } = await openBuilt(
      example,
      "import '@angular/compiler';\nconst { loadTrips } = await import('./index.ts');\nglobalThis.loadTrips = loadTrips;\n",
    );
    await page.waitForFunction(() => 'loadTrips' in globalThis);
    const call = (url: string): Promise<unknown> =>
      page.evaluate(async (path) => {
        const example = globalThis as unknown as { loadTrips(url: string): Promise<unknown> };
        return await example.loadTrips(path).catch(({ status, error }: { status: number; error: unknown }) => ({ status, error }));
      }, url);
    expect(await call('/trips')).toEqual(TRIPS);
    expect(await call('/missing')).toEqual({ status: 404, error: { message: 'no such list' } });
    expect(types).toEqual([MESSAGEPACK, MESSAGEPACK]);
  });

  it('25-tanstack-table sorts by its headers, filters by its field, and renders only rows whose trip was not there before', async () => {
    const example = await installExample('25-tanstack-table');
    const { page, types } = await openBuilt(
      example,
      `import { createElement } from 'react';
      import { createRoot } from 'react-dom/client';
      import { loadTrips, TripTable } from './index.tsx';
      globalThis.rendered = [];
      const onRender = (trip) => globalThis.rendered.push(trip.id);
      createRoot(document.querySelector('main')).render(createElement(TripTable, { trips: await loadTrips('/trips'), onRender }));`,
    );
    const rendered = (): Promise<number[]> => page.evaluate(() => (globalThis as unknown as { rendered: number[] }).rendered.splice(0));
    const ids = (): Promise<string[]> => page.locator('tbody tr td:first-child').allTextContents();
    await expect.poll(async () => (await ids()).slice(0, 3)).toEqual(['0', '1', '2']);
    expect((await ids()).length).toBeLessThan(50);
    expect(types).toEqual([MESSAGEPACK]);
    const before = await ids();
    await rendered();

    // The same rows in the same order, as other views.
    await page.getByRole('searchbox').fill('Station');
    await page.getByRole('button', { name: 'member' }).click();
    await expect.poll(() => page.locator('th').last().getAttribute('aria-sort')).not.toBe('none');
    await expect.poll(ids).not.toEqual(before);
    const held = new Set(before.map(Number));
    expect((await rendered()).filter((id) => held.has(id))).toEqual([]);

    const minutes = page.getByRole('button', { name: 'minutes' });
    await minutes.click();
    await expect.poll(async () => (await ids())[0]).toBe('4999');
    await minutes.click();
    await expect.poll(async () => (await ids())[0]).toBe('0');
    await page.getByRole('searchbox').fill('Station 299');
    await expect.poll(() => page.locator('output').textContent()).toBe('16 of 5000');
    await expect.poll(ids).toEqual(Array.from({ length: 16 }, (_, index) => String(299 + 300 * index)));
  });

  it('26-ag-grid sorts by its headers, and filters by its columns', async () => {
    const example = await installExample('26-ag-grid');
    const { page, types } = await openBuilt(
      example,
      `import { showTable } from './index.ts';
      const container = document.querySelector('main');
      container.style.height = '400px';
      await showTable(container, '/trips');`,
    );
    const ids = async (): Promise<string[]> => {
      const rows = await page
        .locator('[role=row][row-index]')
        .evaluateAll((elements) =>
          elements.map((row): [number, string] => [Number(row.getAttribute('row-index')), row.querySelector('[col-id=id]')?.textContent ?? '']),
        );
      return rows.toSorted(([one], [other]) => one - other).map(([, id]) => id);
    };
    await expect.poll(async () => (await ids()).slice(0, 3)).toEqual(['0', '1', '2']);
    expect(types).toEqual([MESSAGEPACK]);
    const header = page.locator('.ag-header-cell[col-id=minutes] .ag-header-cell-label');
    await header.click();
    await header.click();
    await expect.poll(async () => (await ids())[0]).toBe('4999');

    await page.locator('.ag-header-cell[col-id=station] .ag-header-cell-filter-button').click();
    await page.locator('.ag-filter input[type=text]:visible').first().fill('Station 299');
    await expect.poll(ids).toEqual(Array.from({ length: 16 }, (_, index) => String(4_799 - 300 * index)));
  });

  it('28-perspective counts rows by a view, in Node', async () => {
    const example = await installExample('28-perspective');
    const script = `import { createDecoder } from 'unspool';
      import { countByStation } from './index.ts';
      const trips = await createDecoder().decode(new Blob([${JSON.stringify(JSON.stringify(TRIPS))}], { type: 'application/json' }), { as: 'rows' });
      console.log(JSON.stringify(await countByStation(trips)));
      process.exit();`;
    await esbuild.build({
      stdin: { contents: script, resolveDir: example },
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      outfile: join(example, 'main.mjs'),
    });
    const { stdout } = await promisify(execFile)('node', ['main.mjs'], { cwd: example, timeout: PATIENCE_MS });
    const counts = JSON.parse(stdout) as unknown[];
    expect(counts).toHaveLength(301);
    expect(counts[0]).toEqual({ station: null, trips: TRIPS.length });
    for (const [index, trips] of [
      [7, 17],
      [299, 16],
    ])
      expect(counts).toContainEqual({ station: `Station ${index}`, trips });
  });
});

/** Builds an example with Vite as a page with a script, serves it with 5,000 trips, and opens it. `types` are the media types of the answers. */
async function openBuilt(example: string, script: string): Promise<{ page: Page; types: (string | null)[] }> {
  await writeFile(join(example, 'index.html'), '<!doctype html><main></main><script type="module" src="./page.js"></script>');
  await writeFile(join(example, 'page.js'), script);
  await vite.build({ configFile: false, root: example, logLevel: 'error', worker: { format: 'es' }, build: { target: 'es2022' } });
  const types: (string | null)[] = [];
  const listener = getRequestListener(async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/trips' || pathname === '/missing') {
      const isFound = pathname === '/trips';
      const response = await respond(request, isFound ? { trips: TRIPS } : { message: 'no such list' }, { status: isFound ? 200 : 404 });
      types.push(response.headers.get('content-type'));
      return response;
    }
    const file = await readFile(join(example, 'dist', pathname === '/' ? 'index.html' : pathname)).catch(() => undefined);
    const type = { '.js': 'text/javascript', '': 'text/html' }[extname(pathname)];
    return new Response(file ?? null, { status: file ? 200 : 404, headers: type ? { 'Content-Type': type } : {} });
  });
  const server = http.createServer((request, response) => void listener(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { page: await open(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`), types };
}
