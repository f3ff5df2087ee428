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
  prepare: ({ fetchAll }) => fetchAll('/app.js', '/page.html', '/status.json'),
});

const chosenTab = (): Promise<string> => session.panel.locator('[role=tab][aria-selected=true]').innerText();
const lines = (): Promise<string[]> => session.panel.locator('.text-line [role=gridcell]').allInnerTexts();

test('a script is formatted, and a key shows the original', async () => {
  const { panel, open } = session;
  await open('app.js');
  await expect.poll(lines).toContain('for (const dock of docks) {');
  expect(await chosenTab()).toBe('Text');
  await panel.locator('.text-lines').press('f');
  await expect.poll(async () => (await lines()).length).toBe(1);
  expect(session.complaints).toEqual([]);
});

test('a document is shown with its styles, without scripts and requests', async () => {
  const { panel, devtools, open, tab, leaks } = session;
  await open('page.html');
  await tab('Preview');
  await panel.locator('iframe').waitFor();
  const heading = (): Promise<string | undefined> | undefined =>
    devtools
      .frames()
      .find((frame) => frame.url() === 'about:srcdoc')
      ?.evaluate(() => `${getComputedStyle(document.querySelector('h1')!).color} ${document.title}`);
  await expect.poll(heading).toBe('rgb(200, 0, 0) Greedy');
  const frame = panel.frameLocator('iframe');
  await frame.locator('#link').click();
  await frame.locator('button').click();
  // Requests caused by a click would precede this one.
  await session.fetchAll('/status.json?later');
  await session.rows('?later').first().waitFor();
  expect(leaks).toEqual([]);
  expect(await heading()).toBe('rgb(200, 0, 0) Greedy');
  // Blocked scripts are reported.
  expect(session.complaints.filter((text) => !/violates the following Content Security Policy|sandboxed/.test(text))).toEqual([]);
});

test('a request blocked by CORS is red', async () => {
  const { page, rows } = session;
  await page.evaluate((url) => fetch(url).catch(() => undefined), `${elsewhere.url}status.json?elsewhere`);
  await expect.poll(() => rows('?elsewhere').getAttribute('class')).toContain('is-bad');
  expect(await rows('?elsewhere').locator('[role=gridcell]').nth(1).innerText()).toBe('200');
});
