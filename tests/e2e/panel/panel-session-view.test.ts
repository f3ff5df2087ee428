import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { panelSession } from '../../setup/panel/panel-session.ts';

const session = panelSession({
  prepare: async (session) => {
    await session.fetchAll('/status.json', '/stations.cbor', '/person.pb', '/trips.msgpack');
    await session.panel.locator('.chip').nth(3).waitFor();
    await session.panel.getByRole('button', { name: 'Session' }).click();
  },
});

/** Opens or closes the session, which takes the place of the list. */
const toggleSession = (): Promise<void> => session.panel.getByRole('button', { name: 'Session' }).click();

describe('the session view', () => {
  test('takes the place of the list, and the whole width until a request is opened', async () => {
    const { panel } = session;
    expect(await panel.getByRole('grid', { name: 'Requests' }).count()).toBe(0);
    const width = async (selector: string): Promise<number> => (await panel.locator(selector).boundingBox())!.width;
    expect(await width('.session')).toBe(await width('.app'));
  });

  test('searches bodies of all formats and opens a result', async () => {
    const { panel } = session;
    const field = panel.getByLabel('Search in all bodies');
    await field.fill('Alice');
    await field.press('Enter');
    await expect.poll(() => panel.locator('.session-found li').allInnerTexts()).toHaveLength(1);
    await panel.locator('.session-found button').first().click();
    await expect.poll(() => panel.locator('.inspector-path').innerText()).toBe('$["1"]');
    await field.fill('classic_bike');
    await field.press('Enter');
    await expect.poll(() => panel.locator('.session > .view-bar [role=status]').innerText()).toMatch(/found in 2 bodies of 4 requests$/);
  });

  test('shows totals by address and format', async () => {
    const text = await session.panel.locator('.totals').innerText();
    expect(text).toMatch(/trips\.msgpack\s+messagepack\s+1\s+391 kB/);
  });

  test('saves a HAR file and opens it with its bodies', async () => {
    const { panel, devtools, rows, open } = session;
    const download = devtools.waitForEvent('download');
    await panel.getByRole('button', { name: 'Save as HAR' }).click();
    const path = await (await download).path();
    const { log } = JSON.parse(readFileSync(path, 'utf8')) as { log: { entries: unknown[] } };
    expect(log.entries.length).toBeGreaterThanOrEqual(4);
    await panel.getByRole('button', { name: 'Clear', exact: true }).click();
    await toggleSession();
    await panel.locator('.toolbar input[type=file]').setInputFiles({ name: 'saved.har', mimeType: 'application/json', buffer: readFileSync(path) });
    await expect.poll(() => rows('stations.cbor').count()).toBe(1);
    expect(await session.formatOf('stations.cbor')).toBe('cbor');
    await open('person.pb');
    await expect.poll(() => panel.locator('.tree').textContent()).toContain('Alice');
  });
});

test('all bodies are exported as one file with a line of JSON each', async () => {
  const { page, panel, devtools, fetchAll, rows } = session;
  await fetchAll('/nested.json', '/broken.msgpack', '/missing', '/stations.cbor?again');
  await page.evaluate(() =>
    fetch('/echo?sent', { method: 'POST', body: '{"sent":[1]}', headers: { 'content-type': 'application/json' } })
      .then((response) => response.arrayBuffer())
      .then(() => undefined),
  );
  await expect.poll(() => rows('echo?sent').locator('.chip').count()).toBe(1);
  await toggleSession();
  const download = devtools.waitForEvent('download');
  await panel.getByRole('button', { name: 'Export decoded' }).click();
  const text = readFileSync(await (await download).path(), 'utf8');
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const of = (name: string) => lines.filter(({ url }) => String(url).includes(name));
  expect(of('echo?sent')).toMatchObject([
    { method: 'POST', side: 'request', format: 'json', value: { sent: [1] } },
    { method: 'POST', side: 'response', format: 'json', value: { sent: [1] }, status: 200 },
  ]);
  const [stations] = of('stations.cbor?again') as [{ value: { stations: unknown[]; made: unknown; raw: unknown } }];
  expect(stations.value.stations).toHaveLength(60);
  expect(stations.value.made).toEqual({ $date: '1970-01-01T00:00:00.000Z' });
  expect(stations.value.raw).toEqual({ $base64: Buffer.alloc(40).toString('base64') });
  expect(of('broken.msgpack')[0]).toMatchObject({
    format: 'messagepack',
    reason: expect.stringContaining('end'),
    value: { trips: expect.anything() },
  });
  expect(of('missing')[0]).toMatchObject({ status: 404, format: null });
  await toggleSession();
});

test('messages of streams are exported, saved and opened again', async () => {
  const { page, panel, devtools, rows } = session;
  const saved = async (button: string): Promise<string> => {
    const download = devtools.waitForEvent('download');
    await panel.getByRole('button', { name: button, exact: true }).click();
    return readFileSync(await (await download).path(), 'utf8');
  };
  await page.evaluate(async () => {
    const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/socket`);
    socket.binaryType = 'arraybuffer';
    await new Promise((resolve) => socket.addEventListener('open', resolve));
    for (const message of ['{"a":[1,2]}', Uint8Array.of(0x81, 0xa1, 0x61, 0xcd, 1, 44)]) {
      const answered = new Promise((resolve) => socket.addEventListener('message', resolve, { once: true }));
      socket.send(message);
      await answered;
    }
    const events = new EventSource('/events');
    await new Promise((resolve) => events.addEventListener('price', resolve));
    Object.assign(globalThis, { socket, events });
  });
  await expect.poll(() => rows('socket').count()).toBe(1);
  await expect.poll(() => rows('events').count()).toBe(1);
  await toggleSession();
  const lines = (await saved('Export decoded')).trimEnd().split('\n');
  const of = (name: string) => lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ url }) => String(url).endsWith(name));
  const pair = (side: string) => [
    { side, format: 'json', value: { a: [1, 2] } },
    { side, format: 'messagepack', value: { a: 300 } },
  ];
  expect(of('/socket').toSorted((a, b) => String(b['side']).localeCompare(String(a['side'])))).toMatchObject([...pair('sent'), ...pair('received')]);
  expect(of('/events')).toMatchObject([
    { event: 'message', value: { hello: 1 } },
    { event: 'price', value: 2.5 },
  ]);
  const har = await saved('Save as HAR');
  await panel.getByRole('button', { name: 'Clear', exact: true }).click();
  await toggleSession();
  await panel.locator('.toolbar input[type=file]').setInputFiles({ name: 'saved.har', mimeType: 'application/json', buffer: Buffer.from(har) });
  for (const [name, count] of [
    ['socket', 4],
    ['events', 2],
  ] as const) {
    await rows(name).first().click();
    await expect.poll(() => panel.locator('.message-row:not(.request-header)').count()).toBe(count);
  }
});

describe('the copy menu', () => {
  test('copies an inferred type', async () => {
    const { panel, devtools, fetchAll, open, clipboard } = session;
    await fetchAll('/status.json');
    await open('status.json');
    await devtools.bringToFront();
    await panel.getByRole('button', { name: 'Copy the selected value' }).click();
    await panel.getByRole('menuitem', { name: 'TypeScript type of the whole value' }).click();
    await expect.poll(() => panel.locator('[role=status]').last().innerText()).toMatch(/copied\.$/);
    expect(await clipboard()).toContain('export interface Root {\n  ok: boolean;');
  });

  test('stores a value in the variable $u of the page', async () => {
    const { page, panel, devtools } = session;
    await devtools.bringToFront();
    await panel.locator('.tree-row', { hasText: 'tags' }).click({ button: 'right' });
    await panel.getByRole('menuitem', { name: 'Store as $u in the console' }).click();
    await expect.poll(() => page.evaluate(() => (globalThis as unknown as { $u: unknown }).$u)).toEqual(['a', 'b']);
  });
});

test('two windows share their settings', async () => {
  const { panel } = session;
  await panel.getByRole('radio', { name: 'All', exact: true }).check();
  await panel.evaluate(() => {
    const frame = document.createElement('iframe');
    frame.src = 'devtools.html';
    document.body.append(frame);
    return new Promise<void>((resolve) => {
      frame.addEventListener('load', () => {
        frame.contentWindow!.localStorage.setItem('unspool-panel-shown', '"binary"');
        resolve();
      });
    });
  });
  await expect.poll(() => panel.getByRole('radio', { name: 'Binary', exact: true }).isChecked()).toBe(true);
});
