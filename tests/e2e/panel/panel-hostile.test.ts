import { describe, expect, test } from 'vitest';
import { ProcessMemory } from '../../../bench/memory.mjs';
import { panelSession } from '../../setup/panel/panel-session.ts';

const MAX_MEMORY = 1e9;

let memories: ProcessMemory[];
const session = panelSession({
  prepare: async ({ page }) => {
    const browser = await page.context().browser()!.newBrowserCDPSession();
    const { processInfo } = await browser.send('SystemInfo.getProcessInfo');
    memories = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => new ProcessMemory(id));
  },
});

/** The largest growth of a renderer since the last mark, in bytes. */
async function growth(): Promise<number> {
  return Math.max(...(await Promise.all(memories.map(async (memory) => (await memory.peak()) ?? 0))));
}

describe('a decompression bomb', () => {
  test.each(['bomb.bin', 'small-bomb.bin'])('%s is listed and opened with bounded memory', async (name) => {
    const { panel, fetchAll, rows } = session;
    await Promise.all(memories.map((memory) => memory.mark()));
    await fetchAll(`/${name}`);
    await rows(name).first().click();
    await panel.getByText('The body is too large to open').waitFor();
    await panel.getByRole('button', { name: 'Open the first 1.00 MB' }).click();
    await panel.getByText('only the first 1.00 MB').waitFor();
    const most = await growth();
    console.info(`${name}: ${Math.round(most / 1e6)} MB more`);
    expect(most).toBeLessThan(MAX_MEMORY);
  });

  test('leaves the panel able to open the next request', async () => {
    const { panel, fetchAll, open, rows } = session;
    await fetchAll('/bomb.bin?second', '/status.json');
    await rows('?second').first().click();
    await open('status.json');
    await expect.poll(() => panel.locator('.tree-row').count()).toBeGreaterThan(3);
  });
});
