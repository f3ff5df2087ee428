import { appendFile, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import { encode } from 'cbor-x';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { orders } from '../../../demo/server/data/orders.mjs';
import { createServer } from '../../../demo/server/index.mjs';
import { type DemoSite, type DemoVisit, openDemoSite, shownTrip, visitDemo } from '../../setup/servers/demo-site.ts';

const PAGES = [
  ['', 'Race', 'The race'],
  ['playground', 'Playground', 'Try it with your own payload'],
  ['streaming', 'Streaming', 'Rows while the bytes arrive'],
  ['table', 'Table', 'Sort and filter a million rows'],
  ['refetching', 'Refetching', 'A refetch costs what has changed'],
  ['live', 'Live', 'Values that never end'],
  ['service-worker', 'Service worker', 'Decoded before the page asks'],
  ['panel', 'Panel', 'Every byte explained'],
] as const;
const ROWS = 10_000;
/** Bytes sent before a payload is paused, enough for some rows. */
const HELD_BYTES = 250_000;

let site: DemoSite;
/** A visit without a service worker, whose page all tests share. */
let plain: DemoVisit;
let visit: DemoVisit;
let page: Page;

beforeAll(async () => {
  site = await openDemoSite();
  plain = await visitDemo(site);
});

afterAll(() => site.close());

beforeEach(() => {
  ({ page } = visit = plain);
});

afterEach(() => (visit === plain ? plain.restart() : visit.end()));

/** Replaces the visit by a new one with the demo's service worker. */
async function beginWithServiceWorker(): Promise<void> {
  ({ page } = visit = await visitDemo(site, { serviceWorkers: 'allow' }));
}

async function controlled(): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

/** The cells in the first row of a table. */
function firstRow(name: string): Promise<string[]> {
  return page.getByRole('grid', { name }).evaluate((grid) => {
    const row = grid.querySelector('[aria-rowindex="2"]');
    return [...(row?.querySelectorAll('[role=gridcell]') ?? [])].map((cell) => cell.textContent);
  });
}

/** The value of a tile. */
function tile(label: string): Promise<string> {
  return page.locator('.tile').filter({ hasText: label }).locator('dd').innerText();
}

const first = shownTrip(0);

/** Fills each page with all of its content. */
const fill: Record<string, () => Promise<void>> = {
  '': async () => {
    await page.getByRole('button', { name: 'Run Unspool' }).click();
    await page.getByRole('grid').waitFor();
  },
  playground: async () => {
    // The sample has twenty times as many, which every way and format takes time to read.
    const buffer = Buffer.from(encode({ orders: [...orders(100, 1)] }));
    await page.locator('main input[type=file]').first().setInputFiles({ name: 'orders.cbor', mimeType: '', buffer });
    await page.getByText(/forms can hold it/).waitFor();
  },
  streaming: async () => {
    await page.getByRole('button', { name: 'Fetch and show' }).click();
    await page.getByText('after the last byte').waitFor();
  },
  table: async () => {
    await page.getByRole('button', { name: 'Load the trips' }).click();
    await page.getByRole('grid').waitFor();
    await page.getByRole('button', { name: 'start_lat' }).click();
    await page.getByRole('columnheader', { name: 'start_lat' }).and(page.locator('[aria-sort=ascending]')).waitFor();
    await page.getByRole('table', { name: 'Unspool' }).getByRole('cell', { name: 'ms' }).nth(3).waitFor();
  },
  live: async () => {
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.getByRole('rowheader', { name: 'WILLOW' }).waitFor();
    await page.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByRole('button', { name: 'Play the answer' }).click();
    await page.getByText('Both forms are complete').waitFor();
    await page.getByRole('radio', { name: '7 days' }).check({ force: true });
    await page.getByRole('button', { name: 'Write it' }).click();
    await page.getByText('The plan is complete.').waitFor();
  },
  refetching: async () => {
    await page.getByRole('button', { name: 'Refetch each second' }).click();
    await page.getByRole('table', { name: 'Unspool' }).getByText('1 refetch').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
  },
  'service-worker': async () => {
    await controlled();
    await page.getByRole('button', { name: 'Run it' }).click();
    await page.getByRole('grid', { name: 'Trips as JSON' }).waitFor();
    await page.getByRole('radio', { name: '10,000' }).check({ force: true });
    await page.getByRole('button', { name: 'Fetch', exact: true }).click();
    await page.getByText('decoded and cached').waitFor();
  },
  panel: async () => {
    await page.getByRole('row', { name: 'cbor' }).click();
    await page.getByRole('tree').waitFor();
  },
};

describe('the pages', () => {
  it('open by links, addresses and the history', async () => {
    await page.goto(site.url);
    for (const [path, label, title] of [...PAGES.slice(1), PAGES[0]]) {
      await page.getByRole('link', { name: label, exact: true }).click();
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      expect(new URL(page.url()).pathname).toBe(`/${path}`);
      expect(await page.title()).toBe(`${title} · Unspool`);
      // The heading has the focus.
      await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(title);
    }
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: PAGES.at(-1)![2] }).waitFor();
    for (const [path, label, title] of PAGES) {
      await page.goto(site.url + path);
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      const link = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: label, exact: true });
      expect(await link.getAttribute('aria-current')).toBe('page');
    }
    expect(visit.complaints).toEqual([]);
  });

  it.each(PAGES)('/%s is accessible in dark and light, and fits a phone', async (path) => {
    if (path === 'service-worker') await beginWithServiceWorker();
    await page.goto(site.url + path + (path === 'panel' ? '' : `?rows=${ROWS}&line=0&latency=0`));
    await fill[path]!();
    // Evaluates through the debugger, which bypasses the policy.
    await page.evaluate(axe.source);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      // The dark theme changes colours alone.
      const options: axe.RunOptions = colorScheme === 'dark' ? { runOnly: ['color-contrast'] } : {};
      const { violations } = await page.evaluate((given) => (globalThis as unknown as { axe: typeof axe }).axe.run(given), options);
      expect(
        violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`),
        colorScheme,
      ).toEqual([]);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    expect(visit.complaints).toEqual([]);
  });

  it('all work offline after the first visit', async () => {
    await beginWithServiceWorker();
    await page.goto(`${site.url}service-worker`);
    await fill['service-worker']!();
    await page.goto(`${site.url}panel`);
    await page.getByRole('row', { name: 'jsbinary' }).waitFor();
    // The service worker answers pages alone.
    expect((await page.goto(`${site.url}nothing`))?.status()).toBe(404);
    await page.context().setOffline(true);
    for (const [path, , title] of PAGES) {
      await page.goto(site.url + path);
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
    }
    await page.getByText('Offline', { exact: true }).waitFor();
    // The panel's samples and its worker.
    await fill['panel']!();
    // The block, after a reload.
    await page.goto(`${site.url}service-worker`);
    await page.getByRole('button', { name: 'Reload the page and fetch again' }).click();
    await page.getByRole('rowheader', { name: 'From the cache, after a reload' }).waitFor();
    expect(await firstRow('Trips of this visit')).toEqual(first);
    await page.goto(`${site.url}live`);
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.getByText('Not connected: no price has arrived.').waitFor();
    // Data that was not cached is reported as missing.
    await page.goto(`${site.url}streaming`);
    await page.getByRole('button', { name: 'Fetch and show' }).click();
    await page.getByRole('heading', { name: 'The payload server cannot be reached' }).waitFor();
  });
});

describe('live', () => {
  it.each(['In a worker', 'On the page'])('shows the latest price of each symbol of a socket, until it is disconnected: %s', async (place) => {
    await page.goto(`${site.url}live?rate=1000`);
    await page.getByRole('radio', { name: place }).check({ force: true });
    await page.getByRole('button', { name: 'Connect' }).click();
    const prices = page.getByRole('table', { name: 'Latest price of each symbol' });
    await expect.poll(() => prices.getByRole('rowheader').allInnerTexts()).toHaveLength(16);
    const volume = async (): Promise<number> => Number((await prices.getByRole('cell').nth(2).innerText()).replaceAll(',', ''));
    const before = await volume();
    await expect.poll(volume).toBeGreaterThan(before);
    await expect.poll(() => tile('Replaced before a frame')).not.toBe('0');
    await page.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByText('Disconnected. The last prices are kept.').waitFor();
    expect(visit.complaints).toEqual([]);
  });

  it('builds a form for each tool that a model calls while their arguments arrive, and keeps what is changed in a complete one', async () => {
    await page.goto(`${site.url}live`);
    const train = page.getByRole('form', { name: 'Book train' });
    const hotel = page.getByRole('form', { name: 'Book hotel' });
    const field = (form: typeof train, name: string): Promise<string> => form.getByRole('textbox', { name, exact: true }).first().inputValue();
    // In the middle of both.
    const release = site.hold('/answer', 17_000);
    await page.getByRole('button', { name: 'Play the answer' }).click();
    await expect.poll(() => hotel.getByRole('textbox').count()).toBeGreaterThan(1);
    await expect.poll(() => train.getAttribute('aria-busy')).toBe('true');
    expect(await field(train, 'From')).toBe('Zürich HB');
    expect(await field(hotel, 'Hotel')).toBe('Hotel am Südbahnhof');
    expect(await train.getByRole('textbox', { name: 'From' }).isEditable()).toBe(false);
    expect(await train.getByRole('button').isDisabled()).toBe(true);
    release();
    await hotel.getByRole('button', { name: 'Book hotel' }).waitFor();
    await hotel.getByRole('textbox', { name: 'Hotel' }).fill('Hotel Prater');
    await page.getByText('Both forms are complete').waitFor();
    expect(await field(hotel, 'Hotel')).toBe('Hotel Prater');
    expect(
      await train.getByRole('textbox', { name: 'Name' }).evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value)),
    ).toEqual(['Noémie Favre', 'Jonas Favre', 'Mila Favre']);
    expect(await field(train, 'Price limit')).toBe('412.5');
    // By the keyboard alone.
    await hotel.getByRole('checkbox', { name: 'Breakfast' }).focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await hotel.getByRole('status').innerText()).toMatch(/^Sent: Hotel Prater, 2026-12-19, 3, Double room, 1, Single room, 1, We arrive/);
    expect(await field(hotel, 'Hotel')).toBe('Hotel Prater');

    await page.getByRole('button', { name: 'Play it again' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Cancelled. What has arrived is kept.').waitFor();
    await page.getByRole('button', { name: 'Play it again' }).click();
    await page.getByText('Both forms are complete').waitFor();
    expect(await field(hotel, 'Hotel')).toBe('Hotel am Südbahnhof');
    expect(visit.complaints).toEqual([]);
  });

  it('shows a plan while its JSON arrives, and the time of both ways to have its value', async () => {
    await page.goto(`${site.url}live`);
    const plan = page.getByRole('region', { name: 'Travel plan' });
    const release = site.hold('/itinerary', 8_000);
    await page.getByRole('button', { name: 'Write it' }).click();
    await plan.getByRole('heading', { name: 'Day 2: ' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Cancelled. What was written is kept.').waitFor();
    release();
    await page.getByRole('radio', { name: '7 days' }).check({ force: true });
    await page.getByRole('button', { name: 'Write it' }).click();
    await page.getByText('The plan is complete.').waitFor();
    expect(await plan.getByRole('heading', { level: 4 }).allInnerTexts()).toEqual(
      ['Basel', 'Colmar', 'Strasbourg', 'Freiburg', 'Lucerne', 'Bern', 'Thun'].map((place, index) => `Day ${index + 1}: ${place}`),
    );
    expect(await page.getByRole('progressbar').count()).toBe(2);
    expect(visit.complaints).toEqual([]);
  });
});

describe('streaming', () => {
  it.each(['json', 'avro'])('shows rows of %s while the bytes arrive', async (encoding) => {
    const release = site.hold('/payload', HELD_BYTES);
    await page.goto(`${site.url}streaming?rows=${ROWS}&encoding=${encoding}&line=50&latency=0`);
    await page.getByRole('button', { name: 'Fetch and show' }).click();
    await page.getByRole('grid').waitFor();
    release();
    await page.getByText('after the last byte').waitFor();
    expect((await firstRow('Trips so far'))[0]).toBe(first[0]);
    expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe(String(ROWS + 1));
    expect(Number.parseFloat((await tile('First rows')).replace(',', ''))).toBeLessThan(
      Number.parseFloat((await tile('Last byte')).replace(',', '')),
    );
    expect(visit.complaints).toEqual([]);
  });

  it('keeps the received rows after a cancellation', async () => {
    const release = site.hold('/payload', HELD_BYTES);
    await page.goto(`${site.url}streaming?rows=${ROWS}&encoding=cbor&line=50&latency=0`);
    const gone = page.waitForEvent('requestfailed');
    await page.getByRole('button', { name: 'Fetch and show' }).click();
    await page.getByRole('grid').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await gone;
    release();
    await page.getByText('Stopped: the request was cancelled').waitFor();
    expect(Number(await page.getByRole('grid').getAttribute('aria-rowcount'))).toBeGreaterThan(1);
    expect((await firstRow('Trips so far'))[0]).toBe(first[0]);
  });

  it.each([
    ['cut', 'The payload ends too early'],
    ['byte', 'The payload contains an invalid byte'],
    ['reset', 'The connection broke during the response'],
  ])('reports a fault in the middle (%s) after the valid rows', async (fault, title) => {
    const release = site.hold('/payload', HELD_BYTES);
    await page.goto(`${site.url}streaming?rows=${ROWS}&encoding=json&line=50&latency=0&fault=${fault}`);
    await page.getByRole('button', { name: 'Fetch and show' }).click();
    await page.getByRole('grid').waitFor();
    release();
    await page.getByRole('heading', { name: title }).waitFor();
    const count = Number(await page.getByRole('grid').getAttribute('aria-rowcount'));
    expect(count).toBeGreaterThan(1);
    expect(count).toBeLessThan(ROWS);
    expect(await firstRow('Trips so far')).toEqual(first);
  });

  it('follows the newest rows on request', async () => {
    await page.goto(`${site.url}streaming?rows=${ROWS}&line=50&latency=0`);
    await page.getByRole('button', { name: 'Fetch and show' }).click();
    await page.getByRole('checkbox', { name: 'Follow the newest rows' }).check();
    await page.getByText('after the last byte').waitFor();
    await page.getByRole('rowheader', { name: '10,000' }).waitFor();
  });
});

describe('the table', () => {
  it('is loaded, sorted, searched and emptied by the keyboard alone', async () => {
    await page.goto(`${site.url}table?rows=${ROWS}`);
    await page.getByRole('button', { name: 'Load the trips' }).press('Enter');
    await page.getByText('10,000 of 10,000 trips').waitFor();
    const header = page.getByRole('button', { name: 'started_at' });
    await header.press('Enter');
    await header.press('Space');
    const last = Array.from({ length: ROWS }, (_, index) => shownTrip(index)).toSorted((a, b) => (a[2]! < b[2]! ? 1 : -1))[0];
    await expect.poll(() => firstRow('Trips')).toEqual(last);
    await page.getByRole('searchbox').pressSequentially('no such station');
    await page.getByText('0 of 10,000 trips').waitFor();
    await page.getByRole('searchbox').press('Escape');
    await page.getByText('10,000 of 10,000 trips').waitFor();
    expect(visit.complaints).toEqual([]);
  });

  it('reports an unreachable server and can load again, as an array too', async () => {
    await page.route('**/payload/*', (route) => route.abort());
    await page.goto(`${site.url}table?rows=${ROWS}&as=array`);
    await page.getByRole('button', { name: 'Load the trips' }).click();
    await page.getByRole('heading', { name: 'The payload server cannot be reached' }).waitFor();
    await page.unroute('**/payload/*');
    await page.getByRole('button', { name: 'Load the trips' }).click();
    await page.getByRole('grid', { name: 'Trips' }).waitFor();
    expect(await firstRow('Trips')).toEqual(first);
  });

  it('can be cancelled while it loads', async () => {
    const release = site.hold('/payload', HELD_BYTES);
    await page.goto(`${site.url}table?rows=${ROWS}`);
    await page.getByRole('button', { name: 'Load the trips' }).click();
    await page.getByRole('progressbar').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Stopped: the request was cancelled.').waitFor();
    release();
    await page.getByRole('button', { name: 'Load the trips' }).waitFor();
  });
});

describe('refetching', () => {
  const sameObjects = (title: string): Promise<string> =>
    page.getByRole('table', { name: title }).getByRole('row', { name: 'Same objects' }).getByRole('cell').first().innerText();

  it('keeps orders that have moved, which a comparison by place does not, and the scroll position', async () => {
    await page.goto(`${site.url}refetching?rows=${ROWS}&change=top`);
    await page.getByRole('button', { name: 'Refetch each second' }).click();
    const grid = page.getByRole('grid', { name: 'Orders' });
    await grid.focus();
    await page.keyboard.press('End');
    await page.getByRole('table', { name: 'Unspool' }).getByText('1 refetch').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('rowheader', { name: '10,000' }).waitFor();
    expect(await sameObjects('structural sharing')).toBe('0');
    expect(Number((await sameObjects('Unspool')).replace(',', ''))).toBeGreaterThan(ROWS * 0.98);
    expect(visit.complaints).toEqual([]);
  });

  it('reports an unreachable server and can begin again', async () => {
    await page.route('**/api/orders?*', (route) => route.abort());
    await page.goto(`${site.url}refetching?rows=${ROWS}`);
    await page.getByRole('button', { name: 'Refetch each second' }).click();
    await page.getByRole('heading', { name: 'The payload server cannot be reached' }).waitFor();
    await page.unroute('**/api/orders?*');
    await page.getByRole('button', { name: 'Refetch each second' }).click();
    await page.getByRole('grid', { name: 'Orders' }).waitFor();
  });
});

describe('the service worker', () => {
  beforeEach(beginWithServiceWorker);

  it('gives unchanged code JSON for MessagePack, CBOR and Avro', async () => {
    await page.goto(`${site.url}service-worker`);
    await controlled();
    for (const [label, type] of [
      ['MessagePack', 'application/vnd.msgpack'],
      ['CBOR', 'application/cbor'],
      ['Avro', 'application/avro'],
    ] as const) {
      await page.getByRole('region', { name: 'Unchanged code' }).getByRole('radio', { name: label }).check({ force: true });
      await page.getByRole('button', { name: 'Run it' }).click();
      const stops = page.getByRole('list', { name: 'The path of the payload' }).getByRole('listitem');
      await expect.poll(() => stops.nth(0).locator('.code').allInnerTexts()).toEqual([type]);
      expect(await stops.nth(2).locator('.code').innerText()).toBe('application/json');
      expect((await firstRow('Trips as JSON'))[0]).toBe(first[0]);
    }
    expect(visit.complaints).toEqual([]);
  });

  it('opens a cached block, and clears the cache on request', async () => {
    await page.goto(`${site.url}service-worker`);
    await fill['service-worker']!();
    await page.getByRole('button', { name: 'Fetch', exact: true }).click();
    await page.getByRole('rowheader', { name: 'From the cache', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Reload the page and fetch again' }).click();
    await page.getByRole('rowheader', { name: 'From the cache, after a reload' }).waitFor();
    expect(await firstRow('Trips of this visit')).toEqual(first);
    const storage = page.locator('.facts > div').filter({ hasText: 'Storage' }).locator('dd');
    await expect.poll(() => storage.innerText()).toMatch(/^\d+\.\d MB$/);
    await page.getByRole('button', { name: 'Clear the cache' }).click();
    await page.getByText('None', { exact: true }).waitFor();
    expect(await storage.innerText()).toBe('0 B');
    await page.getByRole('button', { name: 'Fetch', exact: true }).click();
    await page.getByRole('rowheader', { name: 'From the server' }).waitFor();
    expect(visit.complaints).toEqual([]);
  });

  it('asks before a new version takes over', async () => {
    const root = await mkdtemp(join(tmpdir(), 'unspool-demo-'));
    await cp(fileURLToPath(new URL('../../../dist-demo', import.meta.url)), root, { recursive: true });
    const own = createServer({ payloads: site.payloads, root });
    await page.goto(`${await own.listen({ port: 0 })}service-worker`);
    await controlled();
    await appendFile(join(root, 'service-worker.js'), '\n// another version');
    await page.getByRole('button', { name: 'Look for a new version' }).click();
    await page.getByText('A new version is ready.').waitFor();
    const loaded = page.waitForEvent('load');
    await page.getByRole('button', { name: 'Load it' }).click();
    await loaded;
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByText('A new version is ready.').count()).toBe(0);
    await own.close();
    await rm(root, { recursive: true, force: true });
  });
});

describe('the panel', () => {
  it('shows the decode time of every sample, including those with a schema', async () => {
    // Narrow lists omit the time.
    await page.setViewportSize({ width: 2_400, height: 900 });
    await page.goto(`${site.url}panel`);
    await page.getByRole('row', { name: 'jsbinary' }).waitFor();
    const times = (): Promise<string[]> => page.locator('.request-row [role=gridcell]:last-child').allInnerTexts();
    await expect.poll(times).toEqual(Array.from({ length: 11 }, () => expect.stringMatching(/ ms$/) as string));
  });

  it('shows requests of the other pages, and files', async () => {
    await page.goto(`${site.url}streaming?rows=${ROWS}&encoding=bson&line=0&latency=0`);
    await fill['streaming']!();
    await page.getByRole('link', { name: 'Panel' }).click();
    await page.getByRole('row', { name: /format=bson/ }).click();
    await page.getByRole('treeitem', { name: /trips/ }).first().waitFor();
    await page.locator('input[type=file][multiple]').setInputFiles({
      name: 'note.cbor',
      mimeType: 'application/cbor',
      buffer: Buffer.from([0xa1, 0x61, 0x61, 0x18, 0x2a]),
    });
    await page.getByRole('heading', { name: 'note.cbor' }).waitFor();
    expect(visit.complaints).toEqual([]);
  });

  it('follows the theme', async () => {
    await page.goto(`${site.url}panel`);
    await fill['panel']!();
    const background = (): Promise<string> => page.evaluate(() => getComputedStyle(document.querySelector('.panel-frame > div')!).backgroundColor);
    await page.getByRole('radio', { name: 'Dark' }).check({ force: true });
    await expect.poll(background).toBe('rgb(20, 24, 30)');
    await page.getByRole('radio', { name: 'Light' }).check({ force: true });
    await expect.poll(background).toBe('rgb(255, 255, 255)');
  });
});

describe('the keyboard', () => {
  it('navigates between pages and runs their actions', async () => {
    await page.goto(`${site.url}?rows=${ROWS}`);
    for (let tab = 0; tab < 3; tab += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Rows while the bytes arrive' }).waitFor();
    await page.getByRole('button', { name: 'Fetch and show' }).focus();
    await page.keyboard.press('Enter');
    const grid = page.getByRole('grid', { name: 'Trips so far' });
    await grid.waitFor();
    await grid.focus();
    await page.keyboard.press('ArrowDown');
    expect(await grid.getAttribute('aria-activedescendant')).toBe('arriving-1-0');
  });
});
