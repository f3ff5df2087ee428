import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ExtensionBrowser, launchWithExtension, openPanel } from '../setup/devtools-panel.ts';
import { REPOSITORY } from '../setup/imports.ts';
import { type PanelSite, startPanelSite } from '../setup/panel-site.ts';

const EXTENSION = process.env['UNSPOOL_EXTENSION'] ?? join(REPOSITORY, 'dist-extension');
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let site: PanelSite;
let browser: ExtensionBrowser;
let page: Page;
let devtools: Page;
let panel: Frame;
/** What the panel complains about. */
const complaints: string[] = [];

beforeAll(async () => {
  site = await startPanelSite();
  browser = await launchWithExtension(EXTENSION);
  page = browser.page;
  await page.goto(site.url);
  ({ devtools, panel } = await openPanel(browser.context, page, 'Unspool'));
  devtools.on('pageerror', (error) => complaints.push(error.message));
  devtools.on('console', (message) => {
    if (message.type() === 'error' && /chrome-extension|Content Security/.test(message.text() + message.location().url)) complaints.push(message.text());
  });
});

afterAll(async () => {
  await browser.close();
  await site.close();
});

const rows = (name: string): Locator => panel.locator('.request-row:not(.request-header)', { hasText: name });

/** Has the page fetch a path and read all of it. */
async function fetchAll(...paths: string[]): Promise<void> {
  for (const path of paths) await page.evaluate((url) => fetch(url).then((response) => response.arrayBuffer()).then(() => undefined), path);
}

async function open(name: string): Promise<void> {
  await rows(name).first().click();
  await panel.locator('.detail-facts').waitFor();
}

async function tab(name: string): Promise<void> {
  await panel.getByRole('tab', { name, exact: true }).click();
}

/** Formats as the list has them. */
async function formatOf(name: string): Promise<string> {
  const cell = rows(name).first().locator('[role=gridcell]').nth(2);
  await expect.poll(() => cell.innerText(), { timeout: 10_000 }).not.toBe('');
  return cell.innerText();
}

describe('requests', () => {
  test('of fetch are listed with their format, however they are encoded and typed', async () => {
    await fetchAll('/trips.msgpack', '/records.bin', '/stations.cbor', '/status.json', '/person.pb', '/untyped', '/zipped.msgpack', '/packed.bin', '/missing');
    expect(await formatOf('trips.msgpack')).toBe('messagepack');
    expect(await formatOf('records.bin')).toBe('messagepack');
    expect(await formatOf('stations.cbor')).toBe('cbor');
    expect(await formatOf('status.json')).toBe('json');
    expect(await formatOf('person.pb')).toBe('protobuf');
    expect(await formatOf('untyped')).toMatch(/^messagepack/);
    expect(await formatOf('zipped.msgpack')).toBe('messagepack');
    expect(await formatOf('packed.bin')).toMatch(/^messagepack/);
    expect(await formatOf('missing')).toBe('–');
  });

  test('of XHR, of workers and of iframes are listed', async () => {
    await page.evaluate(async () => {
      await new Promise<void>((resolve) => {
        const request = new XMLHttpRequest();
        request.open('GET', '/again/trips.msgpack?xhr');
        request.responseType = 'arraybuffer';
        request.addEventListener('load', () => resolve());
        request.send();
      });
      const source = `onmessage = ({ data }) => fetch(data).then((r) => r.arrayBuffer()).then(() => postMessage(1))`;
      const worker = new Worker(URL.createObjectURL(new Blob([source])));
      await new Promise<void>((resolve) => {
        worker.addEventListener('message', () => resolve());
        worker.postMessage(`${location.origin}/again/trips.msgpack?worker`);
      });
      const frame = document.createElement('iframe');
      frame.src = '/';
      document.body.append(frame);
      await new Promise((resolve) => frame.addEventListener('load', resolve));
      await frame.contentWindow!.fetch('/again/trips.msgpack?frame').then((response) => response.arrayBuffer());
    });
    for (const name of ['?xhr', '?worker', '?frame']) expect(await formatOf(name)).toBe('messagepack');
  });

  test('show what was sent, too', async () => {
    await page.evaluate(() =>
      fetch('/echo', { method: 'POST', headers: { 'content-type': 'application/msgpack' }, body: Uint8Array.of(0x81, 0xa1, 0x71, 0x93, 1, 2, 0xc0) }).then((response) => response.arrayBuffer()).then(() => undefined),
    );
    await open('echo');
    await panel.getByRole('radio', { name: 'Request', exact: true }).check();
    await expect.poll(() => panel.locator('.tree-row').allInnerTexts()).toHaveLength(5);
    expect(await panel.locator('.tree-row').nth(1).innerText()).toContain('fixarray 3');
  });

  test('are filtered by text, by kind and by format', async () => {
    const count = (): Promise<number> => panel.locator('.request-row:not(.request-header)').count();
    await panel.getByPlaceholder('Filter').fill('stations');
    await expect.poll(count).toBe(1);
    await panel.getByPlaceholder('Filter').fill('');
    await panel.getByRole('radio', { name: 'Binary', exact: true }).check();
    await expect.poll(() => rows('status.json').count()).toBe(0);
    await panel.getByRole('radio', { name: 'Data', exact: true }).check();
    await panel.getByLabel('Format to show').selectOption('cbor');
    await expect.poll(count).toBe(1);
    await panel.getByLabel('Format to show').selectOption('');
    await expect.poll(() => rows('status.json').count()).toBe(1);
    expect(await rows('style.css').count()).toBe(0);
    await panel.getByRole('radio', { name: 'All', exact: true }).check();
    await expect.poll(() => rows('style.css').count()).toBeGreaterThanOrEqual(0);
    await panel.getByRole('radio', { name: 'Data', exact: true }).check();
  });
});

describe('tree and bytes', () => {
  test('a value shows its bytes, and a byte its value', async () => {
    await open('person.pb');
    await panel.locator('.tree-row', { hasText: 'Alice' }).click();
    const tinted = (name: string): Promise<string[]> => panel.locator(`.hex-bytes .tint-${name}`).allInnerTexts();
    expect(await tinted('key')).toEqual(['0a']);
    expect(await tinted('length')).toEqual(['05']);
    expect(await tinted('payload')).toEqual(['41 6c 69 63 65']);
    const cell = panel.locator('.hex-bytes').first();
    const box = (await cell.boundingBox())!;
    const text = await cell.innerText();
    await cell.click({ position: { x: (box.width / text.length) * (7 * 3 + 0.5), y: 8 } });
    await expect.poll(() => panel.locator('.inspector-path').innerText()).toBe('$["2"]');
  });

  test('is walked by keyboard', async () => {
    await open('status.json');
    const tree = panel.getByRole('tree');
    await tree.focus();
    const active = (): Promise<string | null> => panel.locator('[role=treeitem][aria-selected=true]').textContent();
    await tree.press('Home');
    await tree.press('ArrowDown');
    await tree.press('ArrowDown');
    expect(await active()).toContain('count');
    await tree.press('ArrowDown');
    expect(await active()).toContain('tags');
    const before = await panel.locator('.tree-row').count();
    await tree.press('ArrowLeft');
    await expect.poll(() => panel.locator('.tree-row').count()).toBe(before - 2);
    await tree.press('ArrowRight');
    await tree.press('ArrowRight');
    expect(await active()).toContain('"a"');
    await tree.press('ArrowLeft');
    expect(await active()).toContain('tags');
  });

  test('says where a body is broken, and shows what came before', async () => {
    await fetchAll('/broken.msgpack');
    await open('broken.msgpack');
    expect(await panel.getByRole('alert').innerText()).toMatch(/Broken at byte 1,777 \(0x06f1\)\s+the input ends inside a value/);
    expect(await panel.locator('.hex-bytes .is-error').count()).toBe(1);
    expect(await panel.locator('.tree-row').count()).toBeGreaterThan(5);
  });

  test('finds keys and values', async () => {
    await open('trips.msgpack');
    await panel.getByLabel('Search in the value').fill('R0000001eef');
    await expect.poll(() => panel.locator('.search-count').innerText()).toBe('1 found');
    await panel.getByLabel('Next').click();
    expect(await panel.locator('.inspector-path').innerText()).toBe('$[1].ride_id');
    await panel.getByLabel('Search in the value').fill('');
  });
});

describe('other views', () => {
  test('the table has a row a record', async () => {
    await open('trips.msgpack');
    await tab('Table');
    expect(await panel.getByText('2,000 rows, 10 columns').count()).toBe(1);
    expect(await panel.locator('.table-row').nth(2).innerText()).toContain('classic_bike');
  });

  test('sizes add up to the body', async () => {
    await tab('Size');
    await panel.locator('.size-view table').waitFor();
    const text = await panel.locator('.size-view .view-bar .muted').innerText();
    const [, sum, total] = /([\d,]+) of ([\d,]+) bytes/.exec(text)!;
    expect(sum).toBe(total);
    expect(await panel.locator('.area').count()).toBeGreaterThan(5);
  });

  test('other formats are tried', async () => {
    await tab('What if');
    await panel.locator('.what-if table').waitFor();
    expect(await panel.locator('.what-if tbody tr').count()).toBe(6);
    expect(await panel.locator('.what-if').innerText()).not.toContain('cannot hold');
  });

  test('two responses are compared', async () => {
    await open('person.pb');
    await tab('Compare');
    await panel.getByText('Compare others with this').click();
    await open('status.json');
    await expect.poll(() => panel.locator('.diff caption').innerText()).toMatch(/differences$/);
    await tab('Tree and bytes');
  });

  test('a page without the library has no timings, and the panel says so', async () => {
    await tab('Timing');
    await panel.getByText('No decode of this request was reported').waitFor();
    await tab('Tree and bytes');
  });
});

describe('schemas', () => {
  const proto = 'syntax = "proto3"; package test; message Person { string name = 1; int32 id = 2; Place place = 3; bytes raw = 4; message Place { int32 x = 1; int32 y = 2; } }';

  test('that are opened name the fields, also after the panel was reloaded', async () => {
    await open('person.pb');
    await panel.locator('input[type=file]').setInputFiles({ name: 'person.proto', mimeType: 'text/plain', buffer: Buffer.from(proto) });
    await panel.getByRole('button', { name: 'Use it' }).click();
    await expect.poll(() => panel.locator('.tree').textContent()).toContain('name: "Alice"');
    await panel.evaluate(() => location.reload());
    await panel.waitForFunction(() => document.querySelector('.app') !== null);
    await fetchAll('/person.pb');
    await expect.poll(() => rows('person.pb').count()).toBeGreaterThan(0);
    await open('person.pb');
    await expect.poll(() => panel.locator('.tree').textContent()).toContain('name: "Alice"');
  });
});

describe('streams of messages', () => {
  test('of a WebSocket are listed in both directions', async () => {
    await page.evaluate(async () => {
      const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/socket`);
      socket.binaryType = 'arraybuffer';
      await new Promise((resolve) => socket.addEventListener('open', resolve));
      const answer = new Promise((resolve) => socket.addEventListener('message', resolve));
      socket.send(Uint8Array.of(0x81, 0xa1, 0x61, 1));
      await answer;
      Object.assign(globalThis, { kept: socket });
    });
    await expect.poll(() => rows('socket').count(), { timeout: 10_000 }).toBe(1);
    await rows('socket').first().click();
    await expect.poll(() => panel.locator('.message-row:not(.request-header)').allInnerTexts(), { timeout: 10_000 }).toHaveLength(2);
    const [sent, received] = await panel.locator('.message-row:not(.request-header)').allInnerTexts();
    expect(sent).toMatch(/sent[\s\S]*81 a1 61 01/);
    expect(received).toMatch(/received[\s\S]*81 a1 61 01/);
    await panel.locator('.message-row:not(.request-header)').first().dblclick();
    await expect.poll(() => panel.locator('.tree-row').count()).toBe(2);
  });
});

describe('large bodies', () => {
  test('of 8 MB open, scroll and fold', async () => {
    await fetchAll('/large.msgpack');
    await open('large.msgpack');
    await expect.poll(() => panel.locator('.tree-row').count()).toBeGreaterThan(10);
    const tree = panel.getByRole('tree');
    await tree.press('End');
    await expect.poll(() => panel.locator('.inspector-path').innerText()).toBe('$[43999]');
    expect(await panel.locator('.hex-bytes .tint-payload').count()).toBeGreaterThan(0);
  });

  test('past the limit of DevTools say why they are missing', async () => {
    await fetchAll('/huge.msgpack');
    await rows('huge.msgpack').first().click();
    await panel.getByText('DevTools hands over bodies of up to 15 MB').waitFor();
  });
});

test('2,000 requests are kept up with', async () => {
  await panel.getByRole('button', { name: 'Clear' }).click();
  await page.evaluate(async () => {
    for (let i = 0; i < 2_000; i += 50) await Promise.all(Array.from({ length: 50 }, (_, n) => fetch(`/status.json?${i + n}`).then((response) => response.arrayBuffer())));
  });
  await expect.poll(() => panel.locator('.toolbar-count').innerText(), { timeout: 60_000 }).toBe('2,000 requests');
  expect(await panel.locator('.request-row').count()).toBeLessThan(100);
});

test('nothing of the panel is inaccessible', async () => {
  await panel.getByRole('button', { name: 'Clear' }).click();
  await panel.evaluate(axe);
  const check = async (): Promise<string[]> =>
    panel.evaluate(async () => {
      const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }> } };
      const { violations } = await axe.run({ resultTypes: ['violations'] });
      return violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.html.slice(0, 200)} ${nodes[0]!.failureSummary}`);
    });
  expect(await check()).toEqual([]);
  await fetchAll('/trips.msgpack', '/broken.msgpack');
  await formatOf('trips.msgpack');
  await open('trips.msgpack');
  for (const name of ['Tree and bytes', 'Table', 'Size', 'What if', 'Compare', 'Timing']) {
    await tab(name);
    if (name === 'Size' || name === 'What if') await panel.locator('.sizes').waitFor();
    expect(await check(), name).toEqual([]);
  }
  await tab('Tree and bytes');
  await open('broken.msgpack');
  expect(await check(), 'broken').toEqual([]);
});

test('the panel never complains', () => {
  expect(complaints).toEqual([]);
});
