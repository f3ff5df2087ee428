import type { AddressInfo } from 'node:net';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createServer } from '../../../demo/server/index.mjs';
import { type DemoSite, type DemoVisit, openDemoSite, shownTrip, visitDemo } from '../../setup/servers/demo-site.ts';

const ROWS = 10_000;
const TITLES = ['JSON.parse', 'msgpackr', 'Worker, objects posted back', 'Unspool'];

let site: DemoSite;
let visit: DemoVisit;
let page: Page;

beforeAll(async () => {
  site = await openDemoSite();
  visit = await visitDemo(site);
  page = visit.page;
});

afterAll(() => site.close());

afterEach(() => visit.restart());

async function open(query = `?rows=${ROWS}`, target = page): Promise<void> {
  await target.goto(site.url + query);
  await target.getByRole('button', { name: 'Run all four' }).waitFor();
}

async function runAll(target = page): Promise<void> {
  await target.getByRole('button', { name: 'Run all four' }).click();
  await target.getByRole('button', { name: 'Stop' }).waitFor();
  await target.getByRole('button', { name: 'Run all four' }).waitFor();
}

function lane(title: string): Locator {
  return page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title, exact: true }) });
}

/** The figures of a lane in milliseconds, for the first run and warm: longest block, rows, all objects. */
async function figures(title: string): Promise<[first: number[], warm: number[]]> {
  const texts = await lane(title).locator('.figures tbody td').allTextContents();
  const numbers = texts.map((text) => Number(text.replaceAll(/[^\d.]/g, '')));
  return [numbers.filter((_, index) => index % 2 === 0), numbers.filter((_, index) => index % 2 === 1)];
}

/** The announcement for screen readers. */
function announced(): Promise<string> {
  return page.locator('main > [role=status]').innerText();
}

/** The cells of the visible rows, without row numbers. */
async function rowsInSight(): Promise<string[][]> {
  return page
    .getByRole('grid')
    .evaluate((grid) =>
      [...grid.querySelectorAll('.rows-view [role=row]')]
        .toSorted((a, b) => Number(a.getAttribute('aria-rowindex')) - Number(b.getAttribute('aria-rowindex')))
        .map((row) => [...row.querySelectorAll('[role=gridcell]')].map((cell) => cell.textContent)),
    );
}

describe('the race', () => {
  it.each([
    ['json', 'light', 1280],
    ['messagepack-records-bundled', 'dark', 390],
  ] as const)('runs all four ways with %s without errors on a %s page, and fits %d pixels', async (encoding, colorScheme, width) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 844 });
    await open(`?rows=${ROWS}&encoding=${encoding}`);
    await runAll();
    for (const title of TITLES) {
      for (const [block, ready, total] of await figures(title)) {
        // A fast machine may show 0.
        expect(block, title).toBeGreaterThanOrEqual(0);
        expect(ready, title).toBeGreaterThanOrEqual(0);
        expect(total, title).toBeGreaterThanOrEqual(ready!);
      }
    }
    const chart = page.getByRole('table', { name: /Time to rows/ });
    expect(await chart.getByRole('rowheader', { name: 'first (cold)' }).count()).toBe(4);
    expect(await chart.getByRole('rowheader', { name: 'warm' }).count()).toBe(4);
    expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe(String(ROWS + 1));
    expect((await rowsInSight()).slice(0, 3)).toEqual([shownTrip(0), shownTrip(1), shownTrip(2)]);
    const { overflow, background } = await page.evaluate(() => ({
      overflow: document.documentElement.scrollWidth - innerWidth,
      background: getComputedStyle(document.body).backgroundColor,
    }));
    expect(overflow).toBeLessThanOrEqual(0);
    const lightness = Math.max(...background.match(/\d+/g)!.map(Number));
    expect(lightness > 128).toBe(colorScheme === 'light');
    expect(visit.complaints).toEqual([]);
  });

  it('repeats rounds, each starting with another lane, and shows medians of warm runs', async () => {
    await open();
    await runAll();
    const frames = await page.locator('iframe[data-lane]').elementHandles();
    expect(frames).toHaveLength(4);
    const orders = new Set(await page.locator('.lanes-round').allInnerTexts());
    expect(orders.size).toBe(2);
    await runAll();
    orders.add(await page.locator('.lanes-round').innerText());
    // Compares titles without the kind of the round.
    expect(new Set([...orders].map((order) => order.split(': ')[1])).size).toBe(3);
    for (const title of TITLES) await lane(title).getByText('Warm: median of 2 runs').waitFor();
    // Pages of lanes stay, as only their first run is cold.
    for (const frame of frames) expect(await frame.evaluate((element) => element.isConnected)).toBe(true);
    expect(visit.complaints).toEqual([]);
  });

  it('clears the results after a change of settings, and gives each lane a new page', async () => {
    await open();
    await lane('Unspool').getByRole('button').click();
    await page.getByRole('grid').waitFor();
    const before = await page.locator('iframe[data-lane=unspool]').elementHandle();
    await page.getByRole('radio', { name: 'JSON', exact: true }).check({ force: true });
    await page.getByText('The rows of the latest run are shown here.').waitFor();
    expect(await lane('Unspool').getByText('Has not run yet.').count()).toBe(1);
    expect(await page.locator('iframe[data-lane]').count()).toBe(0);
    await lane('Unspool').getByRole('button').click();
    await page.getByRole('grid').waitFor();
    expect(await page.locator('iframe[data-lane=unspool]').count()).toBe(1);
    expect(await before.evaluate((element) => element.isConnected)).toBe(false);
  });

  it('runs each way alone and shows its rows', async () => {
    await open();
    for (const title of TITLES) {
      await lane(title).getByRole('button').click();
      await page.getByText(`by ${title}`).waitFor();
      expect((await rowsInSight())[5]).toEqual(shownTrip(5));
    }
    expect(visit.complaints).toEqual([]);
  });

  it('returns objects instead of rows on request', async () => {
    await open(`?rows=${ROWS}&result=objects`);
    await lane('Unspool').getByRole('button').click();
    await page.getByText('plain objects, by Unspool').waitFor();
    expect((await rowsInSight())[0]).toEqual(shownTrip(0));
  });

  it('stops during the download', async () => {
    await page.route('**/payload/*', () => new Promise(() => undefined));
    await open();
    await page.getByRole('button', { name: 'Run all four' }).click();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Run all four' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });
});

describe('the keyboard', () => {
  it('operates everything without a mouse', async () => {
    await open();
    const focused = (): Promise<string> =>
      page.evaluate(() => {
        const { activeElement: element } = document;
        return element?.closest('label')?.textContent ?? element?.getAttribute('aria-label') ?? element?.textContent ?? '';
      });
    const stops: string[] = [];
    for (let press = 0; press < 19; press++) {
      await page.keyboard.press('Tab');
      stops.push(await focused());
    }
    const pages = ['Race', 'Playground', 'Streaming', 'Table', 'Refetching', 'Live', 'Service worker', 'Panel'];
    const settings = ['Auto', 'Getting started', '10,000', 'MessagePack', 'Intact', 'Rows', 'Run all four'];
    expect(stops).toEqual([...pages, ...settings, ...TITLES.map((title) => `Run ${title}`)]);
    await page.getByRole('radio', { name: 'MessagePack', exact: true }).focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.getByRole('radio', { name: 'MessagePack records' }).isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Run Unspool' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('grid').waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('End');
    await expect.poll(async () => (await rowsInSight()).at(-1)).toEqual(shownTrip(ROWS - 1));
    await page.keyboard.press('PageUp');
    await page.keyboard.press('Home');
    await expect.poll(async () => (await rowsInSight())[0]).toEqual(shownTrip(0));
    await page.keyboard.press('Control+End');
    await expect
      .poll(() => page.evaluate(() => document.getElementById(document.activeElement!.getAttribute('aria-activedescendant')!)?.textContent))
      .toBe(shownTrip(ROWS - 1).at(-1));
  });
});

describe('the demo reports', () => {
  it.each(['json', 'messagepack'])('a broken payload (%s) with offset, path and bytes', async (encoding) => {
    await open(`?rows=${ROWS}&encoding=${encoding}&payload=byte`);
    await lane('Unspool').getByRole('button').click();
    const alert = lane('Unspool').getByRole('alert');
    await alert.getByRole('heading', { name: 'The payload contains an invalid byte' }).waitFor();
    // An invalid key has the path of its record.
    await alert.getByText(/^\$\.trips\[\d+\](?:\.\w+)?$/).waitFor();
    await expect.poll(() => alert.locator('.hex mark').first().textContent()).toBe('c1');
    await lane('msgpackr').getByRole('button').click();
    await lane('msgpackr').getByText('went unnoticed').waitFor();
  });

  it('a truncated payload in every lane of the race', async () => {
    await open(`?rows=${ROWS}&payload=cut`);
    await runAll();
    for (const title of TITLES) expect(await lane(title).getByRole('alert').count(), title).toBe(1);
    await lane('Unspool').getByRole('heading', { name: 'The payload ends too early' }).waitFor();
    // The page still works.
    await page.getByRole('radio', { name: 'Intact' }).check({ force: true });
    await lane('Unspool').getByRole('button').click();
    await page.getByRole('grid').waitFor();
  });

  it('a failure after a success to screen readers', async () => {
    await open();
    await lane('Unspool').getByRole('button').click();
    await expect.poll(announced).toMatch(/^Unspool, warm: rows after /);
    await page.getByRole('radio', { name: 'Cut short' }).check({ force: true });
    expect(await announced()).toBe('');
    await lane('Unspool').getByRole('button').click();
    await expect.poll(announced).toBe('Unspool failed: The payload ends too early.');
  });

  it('an error page instead of data', async () => {
    await open(`?rows=${ROWS}&payload=page`);
    await runAll();
    for (const title of TITLES) expect(await lane(title).getByRole('alert').count(), title).toBe(1);
  });

  it('an unreachable server', async () => {
    const other = createServer({ payloads: site.payloads });
    await page.goto(await other.listen({ port: 0 }));
    expect((other.http.address() as AddressInfo | null)?.port).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Run all four' }).waitFor();
    await other.close();
    await page.getByRole('button', { name: 'Run all four' }).click();
    await page.getByRole('heading', { name: 'The payload server cannot be reached' }).waitFor();
    await page.getByRole('button', { name: 'Run all four' }).waitFor();
  });

  it('an error status of the server', async () => {
    await page.route('**/payload/*', (route) => route.fulfill({ status: 503, body: 'Come back later.\n' }));
    await open();
    await lane('Unspool').getByRole('button').click();
    await page.getByRole('heading', { name: 'The server answered 503 instead of a payload' }).waitFor();
    await page.getByText('Come back later.').waitFor();
  });
});

describe('the page', () => {
  it('remembers the selected theme', async () => {
    await open();
    await page.getByRole('radio', { name: 'Dark' }).check({ force: true });
    await page.reload();
    expect(await page.getByRole('radio', { name: 'Dark' }).isChecked()).toBe(true);
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('dark');
  });

  it('moves a dot in every frame, unless motion is to be reduced', async () => {
    const style = (): Promise<string | null> => page.locator('.pulse-dot').getAttribute('style');
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await open();
    await expect.poll(style).toContain('translateX');
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await open();
    // Motion is applied in frames.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    expect(await style()).toBeNull();
  });
});
