import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compactPng } from '../setup/compact-png.ts';
import { REPOSITORY } from '../setup/imports.ts';
import { startPanelSession } from '../setup/panel-session.ts';

const TO = process.env['UNSPOOL_PICTURES_TO'] ?? join(REPOSITORY, 'docs/images');
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

/** Takes the pictures of the panel in docs/images: `UNSPOOL_PICTURES=1 npx vitest run --project e2e panel-pictures`. */
test.skipIf(!process.env['UNSPOOL_PICTURES']).each([false, true])(
  'takes the pictures of the panel, dark: %s',
  async (dark) => {
    const session = await startPanelSession({ dark });
    const { devtools, panel, fetchAll, tab } = session;
    try {
      await devtools.setViewportSize({ width: 1280, height: 760 });
      await fetchAll(...PATHS.map((path) => `/${path}`));
      await expect.poll(() => panel.locator('.chip').count(), { timeout: 20_000 }).toBe(PATHS.length - 1);
      const take = async (name: string): Promise<void> => {
        // Two frames, and the pointer away from what it would light up.
        await devtools.mouse.move(1, 1);
        await panel.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
        writeFileSync(join(TO, `panel-${name}${dark ? '-dark' : ''}.png`), compactPng(await devtools.screenshot()));
      };
      const open = async (name: string): Promise<void> => {
        await session.open(name);
        await panel.locator('.tree-row').first().waitFor();
      };
      await take('requests');
      await open('records.bin');
      await panel.locator('.tree-row .twisty').nth(2).click();
      await panel.locator('.tree-row .twisty').nth(6).click();
      await panel.locator('.tree-row').nth(11).click();
      await take('tree');
      for (const [view, name] of [
        ['Table', 'table'],
        ['Size', 'size'],
        ['What if', 'what-if'],
      ] as const) {
        await tab(view);
        if (name !== 'table') await panel.locator('.sizes').waitFor({ timeout: 60_000 });
        if (name === 'what-if') await expect.poll(() => panel.locator('.what-if').innerText(), { timeout: 60_000 }).not.toMatch(/are done\./);
        await take(name);
      }
      await tab('Tree and bytes');
      await open('broken.msgpack');
      await take('broken');
    } finally {
      await session.close();
    }
  },
  180_000,
);
