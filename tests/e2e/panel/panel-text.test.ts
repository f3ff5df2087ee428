import { afterAll, beforeAll, expect, test } from 'vitest';
import { panelSession } from '../../setup/panel/panel-session.ts';
import { type PanelSite, startPanelSite } from '../../setup/panel/panel-site.ts';

let elsewhere: PanelSite;
beforeAll(async () => {
  elsewhere = await startPanelSite();
});
afterAll(() => elsewhere.close());
const session = panelSession({
  complains: true,
  prepare: ({ fetchAll }) => fetchAll('/app.js', '/status.json'),
});

const chosenTab = (): Promise<string> => session.panel.locator('[role=tab][aria-selected=true]').innerText();
const lines = (): Promise<string[]> => session.panel.locator('.text-line [role=gridcell]').allInnerTexts();

test('a script opens as text', async () => {
  const { open } = session;
  await open('app.js');
  await expect.poll(async () => (await lines()).length).toBe(1);
  expect(await chosenTab()).toBe('Text');
  expect(session.complaints).toEqual([]);
});

test('a key shows the text of a value as it was sent', async () => {
  const { panel, open, tab } = session;
  await open('status.json');
  await tab('Text');
  await expect.poll(async () => (await lines()).length).toBeGreaterThan(1);
  await panel.locator('.text-lines').press('f');
  await expect.poll(async () => (await lines()).length).toBe(1);
  await tab('Tree and bytes');
});

test('a request blocked by CORS is red', async () => {
  const { page, rows } = session;
  await page.evaluate((url) => fetch(url).catch(() => undefined), `${elsewhere.url}status.json?elsewhere`);
  await expect.poll(() => rows('?elsewhere').getAttribute('class')).toContain('is-bad');
  expect(await rows('?elsewhere').locator('[role=gridcell]').nth(1).innerText()).toBe('200');
});
