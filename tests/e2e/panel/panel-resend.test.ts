import type { Locator } from 'playwright-core';
import { Packr } from 'msgpackr';
import { describe, expect, test } from 'vitest';
import { panelSession } from '../../setup/panel/panel-session.ts';

const packr = new Packr({ useRecords: false });
const ORDER = { id: 7, at: new Date('2026-01-31T12:00:00Z'), raw: Uint8Array.of(1, 2, 255), count: 2n ** 60n, lines: [{ article: 'a', rate: NaN }] };

/** A request as returned by `/mirror`. */
interface Mirrored {
  method: string;
  cookie: string;
  origin: string;
  type: string;
  mark: string;
  body: string;
}

const session = panelSession({
  prepare: async (session) => {
    await session.page.evaluate(
      async ([order]) => {
        document.cookie = 'session=abc';
        const body = Uint8Array.from(atob(order!), (character) => character.charCodeAt(0));
        const headers = { 'content-type': 'application/vnd.msgpack', 'x-mark': 'page' };
        await fetch('/mirror?order', { method: 'POST', headers, body }).then((response) => response.arrayBuffer());
        await fetch('/mirror?asked').then((response) => response.arrayBuffer());
        await fetch('/mirror?form', { method: 'POST', body: new URLSearchParams({ name: 'Oak St' }) }).then((response) => response.arrayBuffer());
      },
      [packr.pack(ORDER).toString('base64')],
    );
    await session.panel.locator('.chip').nth(2).waitFor();
  },
});

const button = (name: string): Locator => session.panel.getByRole('button', { name, exact: true });

/** Opens the form for a request. */
async function draft(name: string): Promise<void> {
  await session.open(name);
  await session.tab('Send again');
  await session.panel.locator('.resend').waitFor();
}

/** Chooses the form of the body once it has loaded. */
async function choose(form: string): Promise<void> {
  const radio = session.panel.getByRole('radio', { name: form, exact: true });
  await expect.poll(() => radio.isEnabled()).toBe(true);
  await radio.check({ force: true });
}

/** Sends the form and returns the mirrored request. */
async function send(method: string): Promise<Mirrored> {
  const { panel } = session;
  await button('Send…').click();
  await panel.getByRole('dialog', { name: 'Send this request?' }).waitFor();
  await button(`Send ${method}`).click();
  await button('Open').click();
  await panel.locator('.request-row.is-selected').getByRole('img', { name: 'sent from this panel' }).waitFor();
  await expect.poll(() => panel.locator('.tree-row').count()).toBe(7);
  await session.tab('Text');
  await panel.locator('.text-line').nth(7).waitFor();
  const lines = await panel.locator('.text-line [role=gridcell]').allInnerTexts();
  return JSON.parse(lines.join('')) as Mirrored;
}

describe('sending again', () => {
  test('sends the edited value in its format, including values beyond JSON', async () => {
    const { panel, rows } = session;
    await draft('order');
    const editor = panel.getByLabel('Value of the body');
    await expect.poll(() => editor.inputValue()).toContain('"article": "a"');
    await editor.fill((await editor.inputValue()).replace('"article": "a"', '"article": "b"'));
    const { method, type, mark, cookie, origin, body } = await send('POST');
    expect({ method, type, mark, cookie, origin }).toEqual({
      method: 'POST',
      type: 'application/vnd.msgpack',
      mark: 'page',
      cookie: 'session=abc',
      origin: session.url.slice(0, -1),
    });
    expect(packr.unpack(Buffer.from(body, 'base64'))).toEqual({ ...ORDER, raw: Buffer.from(ORDER.raw), lines: [{ article: 'b', rate: NaN }] });
    expect(await rows('order').count()).toBe(2);
    expect(await rows('order').getByRole('img', { name: 'sent from this panel' }).count()).toBe(1);
  });

  test('gives the editor of the body the room that is free', async () => {
    const { panel } = session;
    await draft('order');
    const editor = panel.getByLabel('Value of the body');
    const heightOf = async (part: typeof editor): Promise<number> => (await part.boundingBox())?.height ?? 0;
    const others = panel.locator('.resend > *:not(.resend-body)');
    await expect.poll(() => editor.inputValue()).toContain('"article"');
    const taken = (await Promise.all((await others.all()).map(heightOf))).reduce((sum, height) => sum + height, 0);
    const free = (await heightOf(panel.locator('.resend'))) - taken;
    expect(await heightOf(editor)).toBeGreaterThan(Math.max(139, free / 2));
  });

  test('sends the same bytes without edits', async () => {
    await draft('order');
    await button('Reset').click();
    await expect.poll(() => session.panel.locator('.resend-body').innerText()).toContain('are sent.');
    expect((await send('POST')).body).toBe(packr.pack(ORDER).toString('base64'));
  });

  test('sends another address and header without a body', async () => {
    const { panel } = session;
    await draft('asked');
    await panel.getByLabel('Headers, one per line').fill('x-mark: panel');
    await panel.getByRole('textbox', { name: 'Address' }).fill(`${session.url}mirror?other`);
    expect(await send('GET')).toMatchObject({ method: 'GET', mark: 'panel', body: '', cookie: 'session=abc' });
    await expect.poll(() => session.rows('other').count()).toBe(1);
  });

  test('sends text or bytes', async () => {
    const { panel } = session;
    await draft('form');
    await choose('Text');
    await panel.getByLabel('Text of the body').fill('name=Elm+St');
    expect(Buffer.from((await send('POST')).body, 'base64').toString()).toBe('name=Elm+St');
    await draft('form');
    await choose('Hex');
    await panel.getByLabel('Bytes of the body').fill('00 ff 1');
    await button('Send…').click();
    await expect.poll(() => panel.locator('.resend [role=alert]').innerText()).toContain('The last byte has only one digit');
    await panel.getByLabel('Bytes of the body').fill('00 ff 10');
    expect((await send('POST')).body).toBe('AP8Q');
  });
});

describe('the form to send again', () => {
  test('asks for confirmation of target and body, which can be cancelled', async () => {
    const { panel, rows } = session;
    await draft('order');
    const before = await rows('order').count();
    await button('Send…').click();
    const dialog = panel.getByRole('dialog', { name: 'Send this request?' });
    const text = await dialog.innerText();
    expect(text).toContain('POST');
    expect(text).toContain(`${session.url}mirror?order`);
    expect(text).toContain(`${packr.pack(ORDER).length} bytes`);
    expect(text).toContain(`the page of ${session.url.slice(0, -1)}, with its cookies`);
    expect(await button('Cancel').evaluate((element) => element === document.activeElement)).toBe(true);
    await dialog.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
    expect(await button('Send…').evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await rows('order').count()).toBe(before);
  });

  test('shows and selects an error at its position', async () => {
    const { panel } = session;
    await draft('order');
    const editor = panel.getByLabel('Value of the body');
    await expect.poll(() => editor.inputValue()).toContain('"article"');
    await editor.fill((await editor.inputValue()).replace('"id": 7', '"id": {"$bigint": "seven"}'));
    await button('Send…').click();
    await expect.poll(() => panel.locator('.resend [role=alert]').innerText()).toMatch(/Line 2: \$bigint must be decimal digits/);
    expect(await editor.evaluate((element: HTMLTextAreaElement) => element.value.slice(element.selectionStart, element.selectionEnd))).toBe(
      '"seven"',
    );
    await button('Reset').click();
  });

  test('rejects headers that the browser sets', async () => {
    const { panel } = session;
    await draft('asked');
    await panel.getByLabel('Headers, one per line').fill('cookie: a=b');
    await button('Send…').click();
    await expect.poll(() => panel.locator('.resend [role=alert]').innerText()).toContain('The browser sets cookie itself');
    await button('Reset').click();
  });
});

test('a request that another origin does not allow is reported as failed', async () => {
  const { panel, url } = session;
  await draft('asked');
  await button('Reset').click();
  await panel.getByRole('textbox', { name: 'Address' }).fill(url.replace('127.0.0.1', 'localhost') + 'mirror?elsewhere');
  await button('Send…').click();
  expect(await panel.getByRole('dialog').innerText()).toContain('to another origin, which must allow it');
  await button('Send GET').click();
  await expect.poll(() => panel.locator('.resend-sent').innerText()).toContain('The response is in the list');
  await button('Open').click();
  await expect.poll(() => panel.locator('.detail').innerText()).toContain('The request failed: net::ERR_FAILED');
  await draft('asked');
  await button('Reset').click();
});

test('the response is compared with the first one', async () => {
  const { panel } = session;
  await draft('asked');
  await panel.getByLabel('Headers, one per line').fill('x-mark: again');
  await button('Send…').click();
  await button('Send GET').click();
  await button('Compare with the original response').waitFor();
  await button('Compare with the original response').click();
  await expect.poll(() => panel.locator('.diff').innerText()).toMatch(/mark[\s\S]*again/);
});

test('a page of another origin that was opened later does not send the request', async () => {
  const { page, panel, url } = session;
  await draft('asked');
  await button('Reset').click();
  await button('Send…').click();
  await panel.getByRole('dialog', { name: 'Send this request?' }).waitFor();
  await panel.getByLabel('Preserve log').evaluate((box: HTMLInputElement) => box.click());
  await page.goto(url.replace('127.0.0.1', 'localhost'));
  await page.evaluate(() => {
    const heard: unknown[] = [];
    Object.assign(globalThis, {
      heard,
      fetch: (...given: unknown[]) => heard.push(given),
      Request: class {
        constructor(...given: unknown[]) {
          heard.push(given);
        }
      },
    });
  });
  await button('Send GET').click();
  await expect.poll(() => panel.locator('.resend [role=alert]').innerText()).toContain('Another page was opened in the meantime');
  await button('Send…').click();
  await expect.poll(() => panel.locator('.resend [role=alert]').innerText()).toContain(`This request belongs to ${url.slice(0, -1)}`);
  expect(await page.evaluate(() => (globalThis as unknown as { heard: unknown[] }).heard)).toEqual([]);
});
