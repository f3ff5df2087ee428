import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFirefox } from '../../../scripts/browsers.mjs';
import { type FirefoxPanel, startFirefox } from '../../setup/panel/firefox-panel.ts';
import { type PanelSite, startPanelSite } from '../../setup/panel/panel-site.ts';
import { REPOSITORY } from '../../setup/sources/imports.ts';

const executable = findFirefox();
let site: PanelSite;
let firefox: FirefoxPanel;

beforeAll(async () => {
  if (!executable) return;
  site = await startPanelSite();
  firefox = await startFirefox(executable.path, join(REPOSITORY, 'dist-extension-firefox.xpi'));
  await firefox.open(site.url);
  await firefox.openPanel('Unspool');
});

afterAll(async () => {
  await firefox?.close();
  await site?.close();
});

const text = (selector: string): Promise<string> => firefox.inPanel(`return document.querySelector(${JSON.stringify(selector)})?.innerText ?? ''`);
/** Clicks an element once it is there and enabled. */
const click = async (selector: string, content: string): Promise<void> => {
  const found = `[...document.querySelectorAll(${JSON.stringify(selector)})].find((one) => one.textContent.includes(${JSON.stringify(content)}) && !one.disabled)`;
  await expect.poll(() => firefox.inPanel<boolean>(`return ${found} !== undefined`)).toBe(true);
  await firefox.inPanel(`${found}.click()`);
};
const fetchAll = (path: string, options = '{}'): Promise<void> =>
  firefox.inPage(`return fetch('${path}', ${options}).then((response) => response.arrayBuffer()).then(() => undefined)`);
const rows = (): Promise<string[]> =>
  firefox.inPanel(`return [...document.querySelectorAll('.request-row:not(.request-header)')].map((row) => row.innerText.replaceAll(/\\s+/g, ' '))`);

test.skipIf(!executable)('the panel in Firefox lists requests with their formats, and shows the values of a response', async () => {
  await expect.poll(() => text('.app')).toContain('No requests yet');
  await fetchAll('/trips.msgpack');
  await fetchAll('/status.json');
  await expect.poll(rows).toContainEqual(expect.stringMatching(/^trips\.msgpack 200 messagepack/));
  await expect.poll(rows).toContainEqual(expect.stringMatching(/^status\.json 200 json/));
  await click('.request-row', 'status.json');
  await expect.poll(() => text('.tree')).toContain('price');
});

test.skipIf(!executable)('the panel in Firefox shows the body of a request, and sends it again', async () => {
  // Firefox has left out a request once, so that the page repeats it.
  const listed = async (): Promise<string[]> => {
    await fetchAll('/echo', `{ method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"station":"Oak"}' }`);
    return rows();
  };
  await expect.poll(listed).toContainEqual(expect.stringMatching(/^POST ?↑ ?echo 200 json/));
  await click('.request-row', 'echo');
  await click('.detail-title label', 'Request');
  await expect.poll(() => text('.tree')).toContain('station');
  await click('[role=tab]', 'Send again');
  await expect.poll(() => text('.resend')).toContain('Send…');
  await click('.resend button', 'Send…');
  await click('dialog button', 'Send POST');
  await expect.poll(rows).toContainEqual(expect.stringMatching(/↻.*echo/));
});

test.skipIf(!executable)('the panel in Firefox keeps its requests while the document stays, and empties for a new one', async () => {
  await firefox.inPage(`history.pushState({}, '', '?pushed')`);
  await fetchAll('/stations.cbor');
  await expect.poll(rows).toContainEqual(expect.stringMatching(/^stations\.cbor 200 cbor/));
  expect(await rows()).toContainEqual(expect.stringMatching(/^trips/));
  await firefox.open(`${site.url}?new`);
  // Firefox tells the panel of a new document later than the page that it has loaded.
  await expect.poll(rows).toEqual([]);
  await fetchAll('/status.json?new');
  await expect.poll(rows).toEqual([expect.stringMatching(/^status\.json\?new/)]);
});

test.skipIf(!executable)('the panel in Firefox keeps the requests that a new document made while it loaded', async () => {
  await firefox.open(`${site.url}loading.html`);
  // Only once the panel knows of the new document do the requests of the old one go.
  await expect.poll(rows).not.toContainEqual(expect.stringMatching(/^status\.json\?new/));
  await expect.poll(rows).toContainEqual(expect.stringMatching(/^status\.json\?loading 200 json/));
  await click('.request-row', 'status.json');
  await click('[role=tab]', 'Tree and bytes');
  await expect.poll(() => text('.tree')).toContain('price');
});
