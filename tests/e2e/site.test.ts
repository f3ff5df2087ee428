/** The site in Chromium, if `npm run site` has built it. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
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

describe.skipIf(!existsSync(join(SITE, 'index.html')))('the site, which `npm run site` builds,', () => {
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

  it.each(['', 'README', 'docs/api', 'docs/guides/streaming', 'docs/internals/benchmarks'])(
    'requests no script for its page /%s before that is used, and has its text without one',
    async (path) => {
      await page.goto(`${site.url}${path}`);
      await page.evaluate((url) => fetch(url).then((response) => response.arrayBuffer()), `${site.url}icon.svg?later`);
      expect(scripts).toEqual([]);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.mouse.move(600, 400);
      await expect.poll(() => scripts.length).toBeGreaterThan(2);
    },
  );

  it.each(['', 'docs/guides/streaming'])(
    'is accessible on its page /%s before and after its scripts have arrived, in light and dark',
    async (path) => {
      await page.goto(`${site.url}${path}`);
      const check = async (when: string): Promise<void> => {
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          await page.reload();
          if (when === 'after') {
            await page.keyboard.press('Shift');
            await page.waitForFunction(() => '__vue_app__' in document.querySelector('#app')!);
          }
          await page.evaluate(axe.source);
          // The search's button shows the keys that open it, which are no part of its name.
          const options: axe.RunOptions = { rules: { 'label-content-name-mismatch': { enabled: false } } };
          const { violations } = await page.evaluate((given) => (globalThis as unknown as { axe: typeof axe }).axe.run(given), options);
          expect(
            violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`),
            `${colorScheme}, ${when}`,
          ).toEqual([]);
        }
      };
      await check('before');
      await release();
      await check('after');
    },
  );

  it('stays where it was scrolled to while its scripts arrive', async () => {
    await page.goto(`${site.url}docs/api`);
    await page.mouse.move(600, 400);
    await page.mouse.wheel(0, 2_000);
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(2_000);
    await release();
    // Made by its scripts.
    await page.getByRole('navigation', { name: 'On this page' }).getByRole('link').first().waitFor();
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    expect(await page.evaluate(() => scrollY)).toBe(2_000);
    await page.getByRole('link', { name: 'Benchmarks' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Benchmarks' }).waitFor();
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  });

  it('opens a file that is dropped on its front page before a script has arrived, and stays', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'unspool-site-'));
    await writeFile(join(folder, 'first.json'), '{"stops":[1,2,3]}');
    await drop(join(folder, 'first.json'));
    expect(page.url()).toBe(site.url);
    await release();
    await playground().getByText('first.json').first().waitFor();
    await playground().getByText('"stops"').or(playground().getByText('stops')).first().waitFor();
    await rm(folder, { recursive: true });
  });

  it('opens a text that is pasted on its front page before a script has arrived', async () => {
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

  it('has a link from each page of the demo to its front page', async () => {
    await release();
    await page.goto(`${site.url}demo/playground`);
    await page.getByRole('link', { name: 'Unspool', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Large responses, without a frozen page' }).waitFor();
    expect(page.url()).toBe(site.url);
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
