import { describe, expect, test } from 'vitest';
import { panelSession } from '../../setup/panel/panel-session.ts';

const script = (body: string) => () => ({ type: 'text/javascript', body });
const session = panelSession({
  responses: {
    '/frame.html': () => ({ type: 'text/html', body: '<script>fetch("/status.json?of-frame").then((response) => response.text());</script>' }),
    '/thread.js': script('fetch("/status.json?of-worker").then((response) => response.text());'),
    '/guard.js': script('oninstall = (event) => event.waitUntil(fetch("/status.json?of-service-worker").then((response) => response.text()));'),
  },
});

describe('the list', () => {
  test('says which part of the page made a request, and draws when in a waterfall, if the user chooses these columns', async () => {
    const { page, panel, rows, fetchAll } = session;
    // The browser marks the requests of a page whose load it has seen.
    await page.reload();
    await expect.poll(() => rows('of-').count()).toBe(0);
    await fetchAll('/status.json?of-page');
    await page.evaluate(() => {
      const frame = document.createElement('iframe');
      frame.src = '/frame.html';
      document.body.append(frame);
      Object.assign(globalThis, { thread: new Worker('/thread.js') });
      void navigator.serviceWorker.register('/guard.js');
    });
    for (const column of ['From', 'Waterfall']) {
      await panel.getByRole('columnheader', { name: 'Name' }).click({ button: 'right' });
      await panel.getByRole('menuitemcheckbox', { name: column }).click();
    }
    for (const [name, from] of [
      ['?of-page', 'page'],
      ['?of-frame', 'frame frame.html'],
      ['?of-worker', 'worker thread.js'],
      ['?of-service-worker', 'service worker guard.js'],
    ] as const)
      await expect.poll(() => rows(name).first().innerText()).toContain(from);
    const bar = rows('?of-worker').getByRole('img', { name: /after the first request, .* waiting, .* receiving/ });
    expect(await bar.locator('.phase-wait').evaluate((phase) => [getComputedStyle(phase).backgroundColor, phase.clientHeight])).toEqual([
      expect.not.stringMatching(/^rgba\(0, 0, 0, 0\)$/),
      10,
    ]);
    await page.evaluate(async () => {
      for (const registration of await navigator.serviceWorker.getRegistrations()) await registration.unregister();
    });
  });
});
