/** Builds applications from the packed package as the guide to service workers says, and opens them in Chromium. */
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Script } from 'node:vm';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import * as vite from 'vite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chromiumLaunch } from '../../setup/browsers/chromium.ts';
import { FORMATS, NAMED_FORMS } from '../../../core/formats/registry.ts';
import { ROOT } from '../../../scripts/run.mjs';
import { PATIENCE_MS } from '../../setup/browsers/patience.ts';
import { canInstall, install } from '../../setup/build/npm.ts';
import { makeApplication } from '../bundlers/package.ts';
import { Site, tripsOf } from './site.ts';

/** Inside the repository, so that packages other than the library resolve. */
const folder = join(ROOT, 'node_modules/.cache/service-worker-recipes');
const application = join(folder, 'application');
/** Formats that the recipes leave out. */
const UNUSED = new RegExp(
  `assets/(?:proto-text|proto-reflection|fbs-text|capnp-text|${[...FORMATS, ...NAMED_FORMS]
    .filter(({ id }) => id !== 'json' && id !== 'messagepack')
    .map(({ id }) => id)
    .join('|')})-`,
);

/** The plugin and workbox-build bring 250 packages, so they are installed here alone. */
const isPossible = await canInstall();

let browser: Browser;

beforeAll(async () => {
  if (!isPossible) return;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await makeApplication(application, join(import.meta.dirname, 'recipe-app'));
  await install(application, 'vite-plugin-pwa@^2.0.0', 'workbox-build@^7.4.1');
  await cp(join(application, 'src/index.html'), join(application, 'index.html'));
  await writeGuide();
  browser = await chromium.launch(chromiumLaunch());
});

afterAll(async () => {
  if (!isPossible) return;
  await browser.close();
  await rm(folder, { recursive: true, force: true });
});

describe.skipIf(!isPossible).each([
  ['vite-plugin-pwa', buildWithPlugin],
  ['Workbox and esbuild', buildWithWorkbox],
])('a service worker built by %s', (_, build) => {
  let site: Site;
  let context: BrowserContext;
  const out = join(application, 'dist');
  const complaints: string[] = [];

  beforeAll(build);

  beforeEach(async () => {
    site = new Site(out);
    await site.start();
    context = await browser.newContext();
    context.setDefaultTimeout(PATIENCE_MS);
    complaints.length = 0;
    context.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    context.on('weberror', (error) => complaints.push(error.error().message));
  });

  afterEach(async () => {
    await context.close();
    await site.stop();
  });

  it('parses as a classic script, without import.meta', async () => {
    const script = await readFile(join(out, 'service-worker.js'), 'utf8');
    expect(() => new Script(script)).not.toThrow();
  });

  it('precaches only the formats that the application reads', async () => {
    const script = await readFile(join(out, 'service-worker.js'), 'utf8');
    const files = [...script.matchAll(/assets\/[\w-]+\.\w+/g)].map(([file]) => file);
    expect(files).toContainEqual(expect.stringMatching(/assets\/worker-/));
    expect(files).toContainEqual(expect.stringMatching(/assets\/messagepack-/));
    expect(files.filter((file) => UNUSED.test(file))).toEqual([]);
  });

  it('answers response.json() from MessagePack, and serves the application offline', async () => {
    const page = await context.newPage();
    await page.goto(site.url);
    await page.evaluate(() => controlled);
    const answer = await page.evaluate(async () => {
      const response = await fetch('/api/trips.msgpack');
      return { type: response.headers.get('content-type'), value: (await response.json()) as unknown };
    });
    expect(answer).toEqual({ type: 'application/json', value: tripsOf(100) });
    await site.stop();
    await page.reload();
    const value = await page.evaluate(() => decoder.decode(Uint8Array.of(0x81, 0xa1, 0x61, 1), { format: 'messagepack', route: 'worker' }));
    expect(value).toEqual({ a: 1 });
    expect(complaints).toEqual([]);
    await site.start();
  });
});

/** Writes the guide's files that are named in their first line. */
async function writeGuide(): Promise<void> {
  const guide = await readFile(join(ROOT, 'docs/guides/service-worker.md'), 'utf8');
  for (const [, name = '', code = ''] of guide.matchAll(/^```js\n\/\/ ([\w./-]+\.m?js)[^\n]*\n([^]*?)^```$/gm)) {
    const file = join(application, name);
    await mkdir(dirname(file), { recursive: true });
    // The page of the test does more than the guide's.
    await writeFile(name === 'src/main.js' ? join(application, 'src/register.js') : file, code);
  }
}

async function buildWithPlugin(): Promise<void> {
  await vite.build({ root: application, configFile: join(application, 'vite.config.js'), logLevel: 'error', build: { emptyOutDir: true } });
}

async function buildWithWorkbox(): Promise<void> {
  await vite.build({ root: application, configFile: false, logLevel: 'error', build: { emptyOutDir: true } });
  await promisify(execFile)(process.execPath, ['build-service-worker.mjs'], { cwd: application });
}
