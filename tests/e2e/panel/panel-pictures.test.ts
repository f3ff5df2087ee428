import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Packr } from 'msgpackr';
import { expect, test } from 'vitest';
import { REPOSITORY } from '../../setup/sources/imports.ts';
import { pictureFile } from '../../setup/sources/pictures.ts';
import { type PanelSession, startPanelSession } from '../../setup/panel/panel-session.ts';

const PATHS = [
  'trips.msgpack',
  'records.bin',
  'stations.cbor',
  'status.json',
  'person.pb',
  'untyped',
  'zipped.msgpack',
  'packed.bin',
  'broken.msgpack',
  'missing',
  'large.msgpack',
];
/** Size of pictures for the stores. */
const STORE = { width: 1280, height: 800 };
/** Widths of the panel in the documentation. */
const WIDTHS = [
  ['narrow', { width: 400, height: 800 }],
  ['medium', { width: 800, height: 700 }],
  ['wide', { width: 1400, height: 700 }],
] as const;

const ORDER = {
  id: 4711,
  placed: new Date('2026-05-04T08:12:07Z'),
  customer: { id: 92_233_720_368_547_758n, name: 'Ada' },
  lines: [{ article: 'bell', count: 2 }],
};

/** Fetches the payloads of the pictures and posts an order. */
async function prepare({ page, panel, fetchAll }: PanelSession): Promise<void> {
  await fetchAll(...PATHS.map((path) => `/${path}`));
  await page.evaluate(
    (order) =>
      fetch('/echo?order', {
        method: 'POST',
        headers: { 'content-type': 'application/vnd.msgpack' },
        body: Uint8Array.from(atob(order), (character) => character.charCodeAt(0)),
      })
        .then((response) => response.arrayBuffer())
        .then(() => undefined),
    new Packr({ useRecords: false }).pack(ORDER).toString('base64'),
  );
  await expect.poll(() => panel.locator('.chip').count()).toBe(PATHS.length);
}

/** Opens a list of trips and expands the first ones. */
async function openTrips({ panel, open }: PanelSession): Promise<void> {
  await open('records.bin');
  const twisty = panel.locator('.tree-row .twisty');
  await twisty.first().waitFor();
  if ((await panel.locator('.tree-row').count()) < 10) {
    await twisty.nth(2).click();
    await twisty.nth(3).click();
  }
  await panel.locator('.tree-row', { hasText: 'rideable_type' }).first().click();
}

/** Changes a value of the order in the form to send again. */
async function editOrder({ panel, rows, tab }: PanelSession): Promise<void> {
  await rows('echo?order').first().click();
  await tab('Send again');
  const editor = panel.getByLabel('Value of the body');
  await expect.poll(() => editor.inputValue()).toContain('"count": 2');
  await editor.fill((await editor.inputValue()).replace('"count": 2', '"count": 3'));
}

/** Takes the small promotional tile of the stores. */
async function takeTile({ page }: PanelSession): Promise<void> {
  const icon = readFileSync(join(REPOSITORY, 'devtools-extension/public/icons/icon-128.png')).toString('base64');
  await page.setViewportSize({ width: 440, height: 280 });
  await page.setContent(`<style>
    body { display: grid; align-content: center; gap: 18px; height: 280px; margin: 0; padding: 0 36px; box-sizing: border-box; background: #4653d4; color: #fff; font: 19px/1.4 system-ui, sans-serif; }
    header { display: flex; align-items: center; gap: 16px; font-size: 42px; font-weight: 650; }
    img { width: 72px; border-radius: 16px; box-shadow: 0 0 0 2px #fff4; }
    p { margin: 0; }
    code { display: block; color: #d5d9ff; font: 15px/1.6 ui-monospace, monospace; white-space: pre; }
  </style><header><img src="data:image/png;base64,${icon}" alt="">Unspool</header>
  <p>See what is inside binary responses</p><code>83 a2 69 64 07 a4 6e 61 6d 65 …\n{ id: 7, name: "Oak St", … }</code>`);
  await page.screenshot({ path: pictureFile('store-promo.png') });
}

/** Takes the pictures for the documentation and the stores: `npm run pictures`. */
test.skipIf(!process.env['UNSPOOL_PICTURES']).each([false, true])(
  'takes the pictures of the panel, dark: %s',
  async (dark) => {
    const session = await startPanelSession({ dark });
    const { devtools, panel, tab, open } = session;
    const take = async (name: string): Promise<void> => {
      // Moves the pointer away from highlighted elements and waits two frames.
      await devtools.mouse.move(1, 1);
      await panel.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 150)))));
      await devtools.screenshot({ path: pictureFile(`${name}${dark ? '-dark' : ''}.png`) });
    };
    /** Takes a picture for the documentation and, in the light theme, one for the stores. */
    const takeBoth = async (name: string, store?: number): Promise<void> => {
      await take(`panel-${name}`);
      if (dark || store === undefined) return;
      await devtools.setViewportSize(STORE);
      await take(`store-${store}-${name}`);
      await devtools.setViewportSize({ width: 1280, height: 760 });
    };
    try {
      await devtools.setViewportSize({ width: 1280, height: 760 });
      await prepare(session);
      await take('panel-requests');
      await openTrips(session);
      await takeBoth('tree', 1);
      await tab('Table');
      await take('panel-table');
      await tab('Size');
      await panel.locator('.sizes').waitFor();
      await takeBoth('size', 2);
      await tab('What if');
      await panel.locator('.sizes').waitFor();
      await expect.poll(() => panel.locator('.what-if').innerText()).not.toMatch(/ done\./);
      await takeBoth('what-if', 3);
      await editOrder(session);
      await takeBoth('send-again', 4);
      await panel.getByRole('button', { name: 'Send…' }).click();
      await panel.getByRole('dialog').waitFor();
      await take('panel-confirm');
      await panel.getByRole('button', { name: 'Cancel' }).click();
      await panel.getByRole('button', { name: 'Session' }).click();
      await panel.getByLabel('Search in all bodies').fill('R0000001eef');
      await panel.getByLabel('Search in all bodies').press('Enter');
      await expect.poll(() => panel.locator('.session [role=status]').first().innerText()).toMatch(/requests$/);
      await takeBoth('session', 5);
      await panel.getByRole('button', { name: 'Session' }).click();
      await tab('Tree and bytes');
      await open('broken.msgpack');
      await panel.locator('.tree-row').first().waitFor();
      await take('panel-broken');
      for (const [name, size] of WIDTHS) {
        await devtools.setViewportSize(size);
        await openTrips(session);
        await take(`panel-${name}`);
      }
      if (!dark) await takeTile(session);
    } finally {
      await session.close();
    }
  },
  240_000,
);
