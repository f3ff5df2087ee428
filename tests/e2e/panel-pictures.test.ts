import { join } from 'node:path';
import { expect, test } from 'vitest';
import { launchWithExtension, openPanel } from '../setup/devtools-panel.ts';
import { REPOSITORY } from '../setup/imports.ts';
import { startPanelSite } from '../setup/panel-site.ts';

const EXTENSION = process.env['UNSPOOL_EXTENSION'] ?? join(REPOSITORY, 'dist-extension');
const TO = join(REPOSITORY, 'docs/images');
const PATHS = ['trips.msgpack', 'records.bin', 'stations.cbor', 'status.json', 'person.pb', 'untyped', 'zipped.msgpack', 'packed.bin', 'broken.msgpack', 'missing', 'large.msgpack'];

/** Takes the pictures of the panel in docs/images: `UNSPOOL_PICTURES=1 npx vitest run --project e2e panel-pictures`. */
test.skipIf(!process.env['UNSPOOL_PICTURES']).each([false, true])('pictures of the panel, dark: %s', async (dark) => {
  const site = await startPanelSite();
  const { context, page, close } = await launchWithExtension(EXTENSION, { dark });
  try {
    await page.goto(site.url);
    const { devtools, panel } = await openPanel(context, page, 'Unspool');
    for (const path of PATHS) await page.evaluate((url) => fetch(url).then((response) => response.arrayBuffer()).then(() => undefined), `/${path}`);
    await expect.poll(() => panel.locator('.chip').count(), { timeout: 20_000 }).toBe(PATHS.length - 1);
    const take = async (name: string): Promise<void> => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      await devtools.screenshot({ path: join(TO, `panel-${name}${dark ? '-dark' : ''}.png`) });
    };
    const open = async (name: string): Promise<void> => {
      await panel.locator('.request-row', { hasText: name }).first().click();
      await panel.locator('.tree-row').first().waitFor();
    };
    await take('requests');
    await open('records.bin');
    await panel.locator('.tree-row', { hasText: 'trips' }).first().click();
    await panel.getByRole('tree').press('ArrowDown');
    await panel.getByRole('tree').press('ArrowRight');
    for (let i = 0; i < 4; i += 1) await panel.getByRole('tree').press('ArrowDown');
    await take('tree');
    for (const [tab, name] of [['Table', 'table'], ['Size', 'size'], ['What if', 'what-if']] as const) {
      await panel.getByRole('tab', { name: tab, exact: true }).click();
      if (name !== 'table') await panel.locator('.sizes').waitFor();
      await take(name);
    }
    await panel.getByRole('tab', { name: 'Tree and bytes' }).click();
    await open('broken.msgpack');
    await take('broken');
  } finally {
    await close();
    await site.close();
  }
}, 120_000);
