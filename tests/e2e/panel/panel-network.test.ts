import { describe, expect, test } from 'vitest';
import { panelSession } from '../../setup/panel/panel-session.ts';

const session = panelSession({
  prepare: async (session) => {
    const { page, fetchAll } = session;
    await fetchAll('/status.json?a=1&b=two%20words', '/trips.msgpack', '/stations.cbor', '/missing');
    await page.evaluate(async () => {
      await fetch('/echo', {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-one': '1' },
        body: 'name=Oak+St&docks=7',
      }).then((response) => response.arrayBuffer());
    });
    await session.panel.locator('.chip').nth(2).waitFor();
  },
});

/** The value of a name in the open view. */
const fact = (name: string): Promise<string> =>
  session.panel
    .locator('.facts dt')
    .filter({ hasText: new RegExp(`^${name}$`, 'i') })
    .first()
    .locator('xpath=following-sibling::dd[1]')
    .innerText();

describe('the details of a request', () => {
  test('appear on tabs with the names of the Network panel', async () => {
    const { open, tab, url } = session;
    await open('status.json');
    await tab('Headers');
    expect(await fact('Request URL')).toBe(`${url}status.json?a=1&b=two%20words`);
    expect(await fact('Request Method')).toBe('GET');
    expect(await fact('Status Code')).toBe('200 OK');
    expect(await fact('Remote Address')).toContain('127.0.0.1');
    expect(await fact('content-type')).toBe('application/json');
    await tab('Payload');
    expect(await fact('b')).toBe('two words');
    await tab('Timing');
    await session.panel.getByText('Waiting for server response').waitFor();
    await session.panel.getByText('Content Download').waitFor();
  });

  test('include the fields of a form; requests with a body are marked', async () => {
    const { panel, rows, open, tab } = session;
    expect(await rows('echo').getByRole('img', { name: 'has a request body' }).count()).toBe(1);
    expect(await rows('status.json').getByRole('img').count()).toBe(0);
    await open('echo');
    await tab('Payload');
    expect(await fact('name')).toBe('Oak St');
    await panel.getByRole('button', { name: 'Open as a tree' }).click();
    await expect.poll(() => panel.locator('.detail-facts').innerText()).toContain('19 B');
  });
});

describe('the list', () => {
  const names = (): Promise<string[]> => session.panel.locator('.request-row:not(.request-header) .request-name').allInnerTexts();

  test('sorts by a heading, in reverse, and by arrival', async () => {
    const { panel } = session;
    const heading = panel.getByRole('button', { name: 'Size', exact: true });
    const asItCame = await names();
    await heading.click();
    await expect.poll(async () => (await names()).at(-1)).toBe('trips.msgpack');
    expect(await panel.getByRole('columnheader', { name: 'Size' }).getAttribute('aria-sort')).toBe('ascending');
    await panel.getByRole('button', { name: /^Size/ }).click();
    await expect.poll(async () => (await names())[0]).toBe('trips.msgpack');
    await panel.getByRole('button', { name: /^Size/ }).click();
    await expect.poll(names).toEqual(asItCame);
  });

  test('remembers column widths set by keyboard or pointer', async () => {
    const { panel, devtools, reload } = session;
    const width = async (): Promise<number> => (await panel.getByRole('columnheader', { name: 'Status' }).boundingBox())!.width;
    const before = await width();
    await panel.getByRole('button', { name: 'Status', exact: true }).focus();
    await devtools.keyboard.press('Shift+ArrowRight');
    await expect.poll(width).toBe(before + 8);
    const line = (await panel.getByRole('columnheader', { name: 'Status' }).locator('.column-line').boundingBox())!;
    const frame = (await panel.frameElement().then((element) => element.boundingBox()))!;
    expect(frame).not.toBeNull();
    await devtools.mouse.move(line.x + 3, line.y + 5);
    await devtools.mouse.down();
    await devtools.mouse.move(line.x - 17, line.y + 5, { steps: 4 });
    await devtools.mouse.up();
    await expect.poll(width).toBe(before + 28);
    await reload();
    await session.fetchAll('/status.json?a=1&b=two%20words', '/trips.msgpack', '/stations.cbor');
    await expect.poll(() => session.rows('stations').count()).toBeGreaterThan(0);
    expect(await width()).toBe(before + 28);
  });

  test('opens the menu of a row by pointer and keyboard', async () => {
    const { panel, devtools, rows, clipboard } = session;
    await rows('status.json').first().click({ button: 'right' });
    const menu = panel.getByRole('menu');
    await menu.getByRole('menuitem', { name: 'Copy as cURL' }).click();
    await expect.poll(() => panel.locator('[role=status]').last().innerText()).toBe('Command copied.');
    expect(await clipboard()).toMatch(/^curl .*'http.*status\.json/);
    await devtools.bringToFront();
    const list = panel.getByRole('grid', { name: 'Requests' });
    await list.focus();
    await devtools.keyboard.press('Shift+F10');
    await menu.waitFor();
    await devtools.keyboard.press('ArrowDown');
    await devtools.keyboard.press('Escape');
    expect(await menu.count()).toBe(0);
    expect(await list.evaluate((element) => document.activeElement === element)).toBe(true);
    await devtools.keyboard.press('Control+c');
    await expect.poll(() => panel.locator('[role=status]').last().innerText()).toBe('URL copied.');
  });
});

test('the search of DevTools searches the open body', async () => {
  const { panel, open, tab } = session;
  await open('trips.msgpack');
  await tab('Size');
  const search = (action: string, text = ''): Promise<void> =>
    panel.evaluate((detail) => void dispatchEvent(new CustomEvent('unspool-search', { detail })), { action, text });
  await search('performSearch', 'w 21 st');
  await expect.poll(() => panel.locator('.inspector-path').innerText()).toBe('$[1].start_station');
  await search('nextSearchResult');
  await expect.poll(() => panel.locator('.search-count').innerText()).toBe('2 of 29 found');
  await search('previousSearchResult');
  await expect.poll(() => panel.locator('.search-count').innerText()).toBe('1 of 29 found');
  await search('cancelSearch');
  await expect.poll(() => panel.locator('.search-count').innerText()).toBe('');
});

test('a click on a message opens it below the list', async () => {
  const { page, panel, rows } = session;
  await page.evaluate(async () => {
    const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/socket`);
    await new Promise((resolve) => socket.addEventListener('open', resolve));
    const answer = new Promise((resolve) => socket.addEventListener('message', resolve));
    socket.send('{"a":[1,2]}');
    await answer;
    Object.assign(globalThis, { socket });
  });
  await expect.poll(() => rows('socket').count()).toBe(1);
  await rows('socket').first().click();
  const messages = panel.locator('.message-row:not(.request-header)');
  await expect.poll(() => messages.count()).toBe(2);
  await messages.nth(1).click();
  await expect.poll(() => panel.locator('.tree-row').count()).toBe(4);
  expect(await messages.count()).toBe(2);
});
