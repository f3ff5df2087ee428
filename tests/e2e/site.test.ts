/** The front page of the site in Chromium, if `npm run site` has built it. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page, type Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/run.mjs';
import { chromiumLaunch } from '../setup/browsers/chromium.ts';
import { PATIENCE_MS } from '../setup/browsers/patience.ts';
import { serveSite, type SiteServer } from '../setup/servers/site-server.ts';

const SITE = join(ROOT, 'dist-site');
/** Path for which the site was built. */
const BASE = process.env['SITE_BASE'] ?? '/';

let site: SiteServer;
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** Addresses of the scripts that the page has requested, but for those of the playground. */
let scripts: string[];
/** Scripts that are held until `release`. */
let held: Route[] | undefined;

async function release(): Promise<void> {
  const routes = held!;
  held = undefined;
  for (const route of routes) await route.continue();
}

/** Drops a file on the page by the browser's own events. */
async function drop(path: string): Promise<void> {
  const session = await context.newCDPSession(page);
  const { x, y, width, height } = (await page.getByText('Drop or paste a payload here').boundingBox())!;
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x: x + width / 2, y: y + height / 2, data });
  }
}

const playground = () => page.frameLocator('iframe[title=Playground]');

describe.skipIf(!existsSync(join(SITE, 'index.html')))('the front page, which `npm run site` builds,', () => {
  beforeAll(async () => {
    site = await serveSite(SITE, BASE);
    browser = await chromium.launch(chromiumLaunch());
  });

  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  beforeEach(async () => {
    context = await browser.newContext({ viewport: { width: 1280, height: 1000 }, permissions: ['clipboard-read', 'clipboard-write'] });
    context.setDefaultTimeout(PATIENCE_MS);
    page = await context.newPage();
    scripts = [];
    held = [];
    page.on('request', (request) => {
      if (request.url().endsWith('.js') && request.frame() === page.mainFrame()) scripts.push(request.url());
    });
    await page.route('**/*.js', (route) => (held ? void held.push(route) : route.continue()));
    await page.goto(site.url);
  });

  afterEach(() => context.close());

  it('requests no script before it is used, and is complete without one', async () => {
    await page.evaluate(() => fetch('icon.svg?later').then((response) => response.arrayBuffer()));
    expect(scripts).toEqual([]);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.mouse.move(600, 400);
    await expect.poll(() => scripts.length).toBeGreaterThan(2);
  });

  it('opens a file that is dropped before a script has arrived, and stays', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'unspool-site-'));
    await writeFile(join(folder, 'first.json'), '{"stops":[1,2,3]}');
    await drop(join(folder, 'first.json'));
    expect(page.url()).toBe(site.url);
    await release();
    await playground().getByText('first.json').first().waitFor();
    await playground().getByText('"stops"').or(playground().getByText('stops')).first().waitFor();
    await rm(folder, { recursive: true });
  });

  it('opens a text that is pasted before a script has arrived', async () => {
    await page.evaluate(() => navigator.clipboard.writeText('{"pasted":[1,2,3]}'));
    await page.keyboard.press('ControlOrMeta+V');
    await release();
    await playground().getByText('pasted text').first().waitFor();
  });

  it('opens the sample whose button is pressed by key before a script has arrived', async () => {
    await page.getByRole('button', { name: 'Orders, CBOR' }).focus();
    await page.keyboard.press('Enter');
    await release();
    await playground().getByText('orders-cbor').first().waitFor();
  });

  it('asks for files after a click that came before a script had arrived', async () => {
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose files' }).click();
    await release();
    await (await chooser).setFiles({ name: 'chosen.json', mimeType: '', buffer: Buffer.from('{"chosen":true}') });
    await playground().getByText('chosen.json').first().waitFor();
  });

  it('opens the search by a key that is pressed before a script has arrived', async () => {
    await page.keyboard.press('/');
    await release();
    await page.getByRole('searchbox').waitFor();
  });

  it('loads its scripts with the next use if they could not be loaded with the first', async () => {
    await page.keyboard.press('Shift');
    await expect.poll(() => held!.length).toBeGreaterThan(2);
    const routes = held!;
    held = [];
    for (const route of routes) await route.abort();
    await page.getByRole('button', { name: 'Orders, CBOR' }).click();
    await release();
    await playground().getByText('orders-cbor').first().waitFor();
  });
});
