import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPlainPage } from '../../setup/browsers/plain-page.ts';
import { type DemoSite, openDemoSite, visitDemo } from '../../setup/servers/demo-site.ts';
import { pictureFile } from '../../setup/sources/pictures.ts';

const MINUTES = 60_000;

let site: DemoSite;

beforeAll(async () => {
  site = await openDemoSite();
});

afterAll(() => site.close());

/** The last parts of long pages that their pictures show, by the names of their regions. */
const ENDS: Readonly<Record<string, string>> = { 'demo-playground': 'Times of each way' };

async function take(page: Page, name: string): Promise<void> {
  // Scrolls to the top, moves the pointer away from highlighted elements, drops a selection by double clicks, and waits two frames.
  await page.mouse.move(1, 1);
  await page.evaluate(() => (getSelection()?.removeAllRanges(), scrollTo(0, 0)));
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  const end = ENDS[name.replace('-dark', '')];
  const box = end && (await page.getByRole('region', { name: end, exact: true }).boundingBox());
  const clip = box ? { x: 0, y: 0, width: 1440, height: box.y + box.height + 24 } : undefined;
  await page.screenshot({ path: pictureFile(`${name}.png`), fullPage: true, ...(clip && { clip }) });
}

/** Actions that fill each page for its picture. */
const pictures: Record<string, (page: Page) => Promise<void>> = {
  'demo-playground': async (page) => {
    await page.goto(`${site.url}playground#sample=trips-messagepack`);
    await page.getByText(/forms can hold it/).waitFor({ timeout: MINUTES });
    const open = (name: RegExp): Promise<void> => page.getByRole('treeitem', { name }).first().dblclick();
    await open(/^trips/);
    await open(/^0/);
  },
  'demo-streaming': async (page) => {
    await page.goto(`${site.url}streaming?rows=100000&encoding=messagepack&line=50&latency=100`);
    await page.getByRole('button', { name: 'Fetch and show' }).click();
    const grid = page.getByRole('grid');
    await expect.poll(async () => Number(await grid.getAttribute('aria-rowcount').catch(() => 0)), { timeout: MINUTES }).toBeGreaterThan(60_000);
  },
  'demo-table': async (page) => {
    await page.goto(`${site.url}table`);
    for (const holder of ['Array of objects', 'Rows']) {
      await page.getByRole('radio', { name: holder }).check({ force: true });
      await page.getByRole('button', { name: 'Load the trips' }).click();
      await page.getByRole('grid').waitFor({ timeout: 4 * MINUTES });
      await page.getByRole('searchbox').fill('park');
      await page.getByText('58,224 of 1,000,000 trips').waitFor();
    }
    await page.getByRole('table', { name: 'Unspool' }).getByRole('cell', { name: 'ms' }).nth(3).waitFor();
  },
  'demo-refetching': async (page) => {
    await page.goto(`${site.url}refetching?change=top`);
    await page.getByRole('button', { name: 'Refetch each second' }).click();
    await page.getByRole('table', { name: 'Unspool' }).getByText('5 refetches').waitFor({ timeout: MINUTES });
    await page.getByRole('button', { name: 'Stop' }).click();
  },
  'demo-live': async (page) => {
    await page.setViewportSize({ width: 1440, height: 600 });
    await page.goto(`${site.url}live?rate=1000`);
    await page.getByRole('radio', { name: '30 days' }).check({ force: true });
    await page.getByRole('button', { name: 'Write it' }).click();
    await page.getByText('The plan is complete.').waitFor({ timeout: MINUTES });
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('rowheader', { name: 'WILLOW' }).waitFor();
    // A whole second, not the first part of one.
    const received = page.locator('.tile').filter({ hasText: 'Received per second' }).locator('dd');
    await expect.poll(async () => Math.abs(Number((await received.innerText()).replace(',', '')) - 1000), { timeout: MINUTES }).toBeLessThan(60);
    await page.getByRole('button', { name: 'Disconnect' }).click();
  },
  'demo-service-worker': async (page) => {
    await page.goto(`${site.url}service-worker?rows=1000000`);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await page.getByRole('button', { name: 'Run it' }).click();
    await page.getByRole('grid', { name: 'Trips as JSON' }).waitFor();
    await page.getByRole('radio', { name: '1,000,000' }).check({ force: true });
    await page.getByRole('button', { name: 'Fetch', exact: true }).click();
    await page.getByText('decoded and cached').waitFor({ timeout: 4 * MINUTES });
    const visits = page.getByRole('rowheader', { name: 'From the cache, after a reload' });
    for (let visit = 1; visit <= 2; visit += 1) {
      await page.getByRole('button', { name: 'Reload the page and fetch again' }).click();
      await expect.poll(() => visits.count(), { timeout: MINUTES }).toBe(visit);
    }
    await page.getByRole('button', { name: 'Run it' }).click();
    await page.getByRole('grid', { name: 'Trips as JSON' }).waitFor();
  },
  'demo-panel': async (page) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${site.url}panel`);
    // The last sample.
    await page.getByRole('row', { name: 'jsbinary' }).waitFor();
    await page.getByRole('row', { name: 'cbor' }).click();
    const open = (name: RegExp): Promise<void> => page.getByRole('treeitem', { name }).first().dblclick();
    await open(/^trips/);
    await open(/^0/);
    await page
      .getByRole('treeitem', { name: /^rideable_type/ })
      .first()
      .click();
  },
};

/** Runs the race twice, and shows the second round, with all code loaded and the payload cached. */
const RACE = `(async () => {
  const button = (name) => [...document.querySelectorAll('button')].find(({ textContent, disabled }) => textContent === name && !disabled);
  const until = async (name) => {
    while (!button(name)) await new Promise((resolve) => setTimeout(resolve, 500));
    return button(name);
  };
  for (let round = 0; round < 2; round += 1) {
    (await until('Run all four')).click();
    await until('Stop');
    await until('Run all four');
  }
  return document.querySelector('[role=grid]').getAttribute('aria-rowcount');
})()`;

test.skipIf(!process.env['UNSPOOL_PICTURES'])(
  'takes the pictures of the race, in a page whose network no debugger observes',
  async () => {
    const page = await openPlainPage(`${site.url}?rows=1000000&encoding=messagepack`, { width: 1440, height: 900 });
    try {
      // Not in the empty document before.
      await expect
        .poll(() => page.evaluate<string>('document.querySelector("h1")?.innerText ?? ""').catch(() => ''), { timeout: MINUTES })
        .not.toBe('');
      expect(await page.evaluate(RACE)).toBe('1000001');
      const { height } = await page.evaluate<DOMRect>('document.documentElement.getBoundingClientRect().toJSON()');
      await page.screenshot(pictureFile('demo.png'), { x: 0, y: 0, width: 1440, height });
      const lanes = `document.getElementById('lanes-title').closest('section').getBoundingClientRect().toJSON()`;
      await page.screenshot(pictureFile('demo-race.png'), await page.evaluate<DOMRect>(lanes));
    } finally {
      await page.close();
    }
  },
  10 * MINUTES,
);

/** Takes the pictures for docs/images: `UNSPOOL_PICTURES=1 npx vitest run --project e2e demo-pictures`. */
test.skipIf(!process.env['UNSPOOL_PICTURES']).each(
  Object.keys(pictures).flatMap(
    (name) =>
      [
        [name, 'light'],
        [name, 'dark'],
      ] as const,
  ),
)(
  'takes the picture %s, %s',
  async (name, colorScheme) => {
    const visit = await visitDemo(site, {
      viewport: { width: 1440, height: 900 },
      colorScheme,
      reducedMotion: 'no-preference',
      serviceWorkers: name === 'demo-service-worker' ? 'allow' : 'block',
    });
    await pictures[name]!(visit.page);
    await take(visit.page, colorScheme === 'dark' ? `${name}-dark` : name);
    expect(visit.complaints).toEqual([]);
    await visit.end();
  },
  10 * MINUTES,
);
