import { readFileSync } from 'node:fs';
import protobufjs from 'protobufjs';
import { describe, expect, test } from 'vitest';
import { RESPONSES, type SiteResponse } from '../../setup/panel/panel-site.ts';
import { panelSession } from '../../setup/panel/panel-session.ts';

const PROTO = `syntax = "proto3";
package shop;
import "google/protobuf/any.proto";
import "google/protobuf/struct.proto";
import "google/protobuf/timestamp.proto";
enum Status { NEW = 0; SHIPPED = 2; }
message Order {
  int64 id = 1;
  string name = 2;
  Status status = 3;
  map<string, int32> stock = 4;
  google.protobuf.Timestamp placed = 5;
  google.protobuf.Any detail = 6;
  google.protobuf.Struct labels = 7;
}
message ListRequest { uint32 page = 1; }
message ListResponse { repeated Order orders = 1; }
service OrderService { rpc List(ListRequest) returns (ListResponse); }`;
const { root } = protobufjs.parse(PROTO);
for (const name of ['any', 'struct', 'timestamp'] as const) root.addJSON(protobufjs.common.get(`google/protobuf/${name}.proto`)!.nested!);
const encode = (name: string, value: object): Uint8Array => {
  const type = root.lookupType(name);
  return type.encode(type.fromObject(value)).finish();
};
const order = (id: number) => ({
  id,
  name: `order ${id}`,
  status: 2,
  stock: { oak: 3, elm: 4 },
  placed: { seconds: 1_767_225_600 },
  labels: { fields: { rush: { boolValue: true }, bins: { listValue: { values: [{ numberValue: 1.5 }, { stringValue: 'a' }] } } } },
  detail: { type_url: 'type.googleapis.com/shop.ListRequest', value: encode('shop.ListRequest', { page: 77 }) },
});

const proto = (body: Uint8Array): SiteResponse => ({ type: 'application/proto', body });
const text =
  (type: string, body: Uint8Array | string): (() => SiteResponse) =>
  () => ({ type, body });

const responses: Readonly<Record<string, () => SiteResponse>> = {
  '/ids.json': text('application/json', '{"last":9007199254740993,"rows":[{"id":9007199254740995,"rate":0.10},{"id":1e400,"rate":1}]}'),
  '/ids-later.json': text('application/json', '{"last":9007199254740992,"rows":[]}'),
  '/shop.OrderService/List': () => proto(encode('shop.ListResponse', { orders: [order(7), order(8)] })),
  '/one/shop.OrderService/List': () => proto(encode('shop.ListResponse', { orders: [order(7)] })),
  // The id of the order is text.
  '/misfit/shop.OrderService/List': () => proto(Uint8Array.of(0x0a, 4, 0x0a, 2, 0x68, 0x69)),
  '/guess': text('application/octet-stream', RESPONSES['/any.pb']!().body),
  // A frame of gRPC-web with a message, and its trailers.
  '/frames': text(
    'application/grpc-web+proto',
    Buffer.concat([
      Buffer.of(0, 0, 0, 0, 5, 0x0a, 3),
      Buffer.from('Ada'),
      Buffer.of(0x80, 0, 0, 0, 15),
      Buffer.from('grpc-status: 0\r\n').subarray(0, 15),
    ]),
  ),
  '/tile': () => ({ type: 'application/vnd.mapbox-vector-tile', body: RESPONSES['/tiles/14/4823/6160.pbf']!().body }),
  // A map with the key [1, 2], and a value after it.
  '/keys.msgpack': text('application/msgpack', Buffer.concat([Buffer.of(0x92, 0x81, 0x92, 1, 2, 0xa1, 0x78, 0xa5), Buffer.from('after')])),
  '/deep.json': text('application/json', '['.repeat(4_000) + ']'.repeat(4_000)),
  '/empty.json': text('application/json', ''),
  '/table.csv': text('text/csv', 'station,docks\nOak St,7\n'),
  '/token.jwt': text('application/jwt', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJBZGEifQ.'),
  '/latin.txt': text('text/plain; charset=iso-8859-1', Buffer.from('caf\xe9 au lait', 'latin1')),
  '/module.wasm': text('application/wasm', Buffer.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0)),
  '/paper.pdf': text('application/pdf', '%PDF-1.4\n%%EOF'),
  '/photo': () => ({ type: 'image/png', body: RESPONSES['/dot.png']!().body }),
};

const session = panelSession({ responses });
const treeText = (): Promise<string | null> => session.panel.locator('.tree').textContent();
const viewText = (): Promise<string> => session.panel.locator('#view').innerText();
const chosenTab = (): Promise<string> => session.panel.locator('[role=tab][aria-selected=true]').innerText();

/** Posts a body from the page. */
function post(path: string, type: string, body: Uint8Array | string): Promise<void> {
  return session.page.evaluate(
    async ([url, contentType, base64]) => {
      const bytes = Uint8Array.from(atob(base64!), (character) => character.charCodeAt(0));
      const headers = { 'content-type': contentType!, authorization: 'Bearer abcdef' };
      await (await fetch(url!, { method: 'POST', headers, body: bytes })).arrayBuffer();
    },
    [path, type, Buffer.from(body).toString('base64')],
  );
}

/** Text of the file that a click downloads. */
async function downloaded(button: string): Promise<string> {
  const download = session.devtools.waitForEvent('download');
  await session.panel.getByRole('button', { name: button, exact: true }).click();
  return readFileSync(await (await download).path(), 'utf8');
}

describe('numbers of JSON that no double holds', () => {
  test('keep their digits in the tree, the text, the table, a search and a comparison', async () => {
    const { panel, fetchAll, open, tab } = session;
    await fetchAll('/ids.json', '/ids-later.json');
    await open('ids.json');
    await expect.poll(treeText).toContain('9007199254740993');
    expect(await treeText()).toContain('1e400');
    await panel.getByLabel('Search in the value').fill('9007199254740993');
    await expect.poll(() => panel.locator('.search-count').innerText()).toBe('1 found');
    await panel.getByLabel('Search in the value').fill('');
    for (const [name, expected] of [
      ['Text', '0.10'],
      ['Table', '9007199254740995'],
    ] as const) {
      await tab(name);
      await expect.poll(viewText).toContain(expected);
    }
    await tab('Compare');
    await panel.getByRole('button', { name: 'Compare others with this' }).click();
    await open('ids-later.json');
    await expect.poll(viewText).toMatch(/\$\.last\s+9007199254740993\s+9007199254740992/);
    await tab('Tree and bytes');
  });
});

describe('a .proto with a service', () => {
  test('names the fields of requests and responses by the path of the call, without a question', async () => {
    const { panel, open, tab, rows } = session;
    await post('/shop.OrderService/List', 'application/proto', encode('shop.ListRequest', { page: 2 }));
    expect(await session.formatOf('OrderService/List')).toBe('protobuf');
    expect((await rows('List').locator('.request-name').textContent())!.match(/OrderService/g)).toHaveLength(1);
    await open('OrderService/List');
    // The form to send again is open before the schema comes.
    await panel.getByRole('radio', { name: 'Request', exact: true }).check();
    await tab('Send again');
    const editor = panel.getByLabel('Value of the body');
    await expect.poll(() => editor.inputValue()).toContain('"1": ');
    await panel.locator('.toolbar input[type=file]').setInputFiles({ name: 'shop.proto', mimeType: 'text/plain', buffer: Buffer.from(PROTO) });
    await expect.poll(() => editor.inputValue()).toContain('"page": 2');
    await panel.getByRole('button', { name: 'Schemas', exact: true }).click();
    await tab('Tree and bytes');
    await expect.poll(treeText).toContain('page: 2');
    await panel.getByRole('radio', { name: 'Response', exact: true }).check();
    await expect.poll(treeText).toContain('orders: [2 items]');
  });

  test('groups values as they decode: lists, maps, enums, timestamps, the JSON of a Struct and the messages in an Any', async () => {
    const { tab } = session;
    for (const expected of ['oak: 3', 'SHIPPED', '2026-01-01T00:00:00', '{"rush": true, "bins": [1.5, "a"]}', 'page: 77'])
      expect(await treeText()).toContain(expected);
    await tab('Table');
    await expect.poll(viewText).toMatch(/order 7[\s\S]*order 8/);
    await tab('Text');
    await expect.poll(viewText).toMatch(/"orders": \[/);
    expect((await viewText()).match(/"orders"/g)).toHaveLength(1);
    await tab('Tree and bytes');
    await session.fetchAll('/one/shop.OrderService/List');
    await expect.poll(() => session.rows('List').count()).toBe(2);
    await session.rows('List').nth(1).click();
    await expect.poll(treeText).toContain('orders: [1 item]');
  });

  test('marks a value that does not have the type of its field', async () => {
    const { panel, fetchAll, rows } = session;
    await fetchAll('/misfit/shop.OrderService/List');
    await expect.poll(() => rows('List').count()).toBe(3);
    await rows('List').nth(2).click();
    await expect.poll(() => panel.locator('.tree-row .is-misfit').count()).toBe(1);
    expect(await treeText()).not.toContain('id: "hi"');
  });
});

test('vector tiles are known by their own type', async () => {
  const { fetchAll, open, formatOf } = session;
  await fetchAll('/tile');
  expect(await formatOf('tile')).toBe('protobuf');
  await open('tile');
  await expect.poll(treeText).toContain('name: "roads"');
});

describe('unusual bodies', () => {
  test('with a list as key of a map keep the values after it', async () => {
    const { panel, fetchAll, open } = session;
    await fetchAll('/keys.msgpack');
    await open('keys.msgpack');
    await expect.poll(treeText).toContain('"after"');
    expect(await panel.getByRole('alert').count()).toBe(0);
  });

  test('with 4,000 levels are read to the last one', async () => {
    const { panel, fetchAll, open, formatOf } = session;
    await fetchAll('/deep.json');
    expect(await formatOf('deep.json')).toBe('json');
    await open('deep.json');
    expect(await panel.getByRole('alert').count()).toBe(0);
    await panel.getByLabel('Go to an offset').waitFor();
  });

  test('without bytes are called empty', async () => {
    const { fetchAll, rows } = session;
    await fetchAll('/empty.json');
    await rows('empty.json').first().click();
    await expect.poll(viewText).toContain('The body is empty');
  });

  test('have the format of a form, a text or a file in the list, and open as text if they are text', async () => {
    const { panel, fetchAll, open, formatOf } = session;
    await post('/echo?form', 'application/x-www-form-urlencoded', 'name=Oak');
    expect(await formatOf('echo?form')).toMatch(/^form/);
    await fetchAll('/table.csv', '/token.jwt', '/latin.txt', '/page.html', '/module.wasm', '/paper.pdf', '/boxes.woff', '/photo');
    await panel.getByRole('radio', { name: 'All', exact: true }).check();
    for (const [name, format] of [
      ['table.csv', 'csv'],
      ['token.jwt', 'jwt'],
      ['latin.txt', 'text'],
      ['page.html', 'html'],
      ['module.wasm', 'wasm'],
      ['paper.pdf', 'pdf'],
      ['boxes.woff', 'font'],
      ['photo', 'png'],
    ] as const)
      expect(await formatOf(name), name).toBe(format);
    for (const [name, content] of [
      ['table.csv', 'Oak St,7'],
      ['token.jwt', 'eyJzdWIiOiJBZGEifQ'],
      ['latin.txt', 'café au lait'],
    ] as const) {
      await open(name);
      await expect.poll(viewText).toContain(content);
      expect(await chosenTab(), name).toBe('Text');
    }
    await open('photo');
    await expect.poll(chosenTab).toBe('Bytes');
    await panel.getByRole('radio', { name: 'Data', exact: true }).check();
  });
});

describe('the session', () => {
  test('finds text in requests too', async () => {
    const { panel } = session;
    await post('/status.json?asked', 'application/json', '{"needle":"in the request"}');
    await panel.getByRole('button', { name: 'Session' }).click();
    const field = panel.getByLabel('Search in all bodies');
    await field.fill('in the request');
    await field.press('Enter');
    await expect.poll(() => panel.locator('.session-found li').allInnerTexts()).toEqual([expect.stringMatching(/asked request .*needle/)]);
  });

  test('shows totals without decode times', async () => {
    const headings = session.panel.locator('.totals th[scope=col]');
    expect(await headings.allInnerTexts()).toEqual(['Address', 'Format', 'Requests', 'Failed', 'Bodies', 'Transferred']);
  });

  test('exports exact numbers, and a HAR file without secrets unless they are wanted', async () => {
    const lines = (await downloaded('Export decoded')).split('\n');
    expect(lines.find((line) => line.includes('ids.json'))).toContain('"last":9007199254740993');
    // A repeated field is a list, whatever its count.
    const orders = lines.filter((line) => line.includes('/shop.OrderService/List')).flatMap((line) => /(?<="orders":)./.exec(line) ?? []);
    expect(new Set(orders)).toEqual(new Set('['));
    expect(await downloaded('Save as HAR')).not.toContain('Bearer abcdef');
    expect(await downloaded('Save with secrets')).toContain('Bearer abcdef');
    await session.panel.getByRole('button', { name: 'Session' }).click();
  });
});

describe('the sizes', () => {
  test('are of the schema of the body in *What if*', async () => {
    const { panel, open, tab } = session;
    await open('OrderService/List');
    await tab('What if');
    const row = panel.locator('.what-if tbody tr', { hasText: 'Protocol Buffers' });
    await expect.poll(() => row.innerText()).toMatch(/[+−]0 %[^]*schema of this body/);
    expect(await row.innerText()).not.toContain('loses');
    // No columns for the time on slow lines.
    expect(await panel.locator('.what-if th[scope=col]').allInnerTexts()).toEqual(['Format', 'Size', 'Change', 'gzip', 'Encode', 'Decode', 'Note']);
    await tab('Tree and bytes');
  });

  test('leave the types of the tree whole, however wide the window is', async () => {
    const { panel, devtools, open, fetchAll } = session;
    await fetchAll('/records.bin');
    await open('records.bin');
    const types = panel.locator('.tree-row .encoding');
    const cut = (): Promise<(string | null)[]> =>
      types.evaluateAll((all) => all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map((label) => label.textContent));
    for (const width of [900, 1_120, 1_280, 1_400]) {
      await devtools.setViewportSize({ width, height: 760 });
      await expect.poll(() => types.first().innerText()).toBe('fixext 1, record definition 0x40');
      await expect.poll(cut).toEqual([]);
    }
    await devtools.setViewportSize({ width: 1_400, height: 900 });
  });
});

describe('a calm panel', () => {
  test('shows the certainty of a format only below 90 %, and no decode time', async () => {
    const { panel, open } = session;
    const facts = (): Promise<string> => panel.locator('.detail-facts').innerText();
    await open('ids.json');
    expect(await facts()).not.toMatch(/%|ms/);
    await session.fetchAll('/guess');
    await open('guess');
    expect(await facts()).toMatch(/\d+ % certain: /);
  });

  test('gives the list the whole width until a request is chosen, and again after Escape or *Close*', async () => {
    const { panel, open } = session;
    const detail = panel.locator('.detail');
    await open('ids.json');
    await panel.getByRole('grid', { name: 'Requests' }).press('Escape');
    await expect.poll(() => detail.isVisible()).toBe(false);
    await open('ids.json');
    await panel.locator('.detail-close').click();
    await expect.poll(() => detail.isVisible()).toBe(false);
    await expect.poll(() => panel.getByRole('columnheader').allInnerTexts()).toEqual(['Name', 'Status', 'Format', 'Size', 'Transferred', 'Time']);
  });

  test('shows the format of the open request apart from the background of its row', async () => {
    const { panel, open } = session;
    await open('ids.json');
    const colours = await panel.locator('.request-row.is-selected').evaluate((row) => {
      const chip = row.querySelector('.chip')!;
      return [getComputedStyle(chip).backgroundColor, getComputedStyle(row).backgroundColor];
    });
    expect(colours[0]).not.toBe(colours[1]);
    expect(colours[0]).not.toBe('rgba(0, 0, 0, 0)');
    await panel.locator('.detail-close').click();
  });

  test('filters by the terms of the Network panel', async () => {
    const { panel } = session;
    const shown = async (filter: string): Promise<string[]> => {
      await panel.getByPlaceholder('Filter').fill(filter);
      return (await panel.locator('.request-row:not(.request-header) .request-name').allInnerTexts()).toSorted();
    };
    await session.fetchAll('/missing');
    await expect.poll(() => shown('status-code:404')).toEqual(['missing']);
    await expect.poll(() => shown('mime-type:application/json larger-than:1k')).toEqual(['deep.json']);
    await expect.poll(() => shown('/ids(-later)?\\.json/ -later')).toEqual(['ids.json']);
    await expect.poll(() => shown('/^ids\\.json$/ scheme:http has-response-header:content-type')).toEqual(['ids.json']);
    expect(await shown('is:running')).toEqual([]);
    expect(await panel.locator('.empty').first().innerText()).toContain('The filter searches is: as text.');
    await panel.getByPlaceholder('Filter').fill('');
  });

  test('disables the views without meaning for a body, and keeps the others in one line with a menu', async () => {
    const { panel, devtools, open } = session;
    await panel.getByRole('radio', { name: 'All', exact: true }).check();
    await open('paper.pdf');
    await panel.getByRole('tab', { name: 'Bytes', exact: true }).click();
    for (const name of ['Table', 'Size', 'What if', 'Compare'])
      expect(await panel.getByRole('tab', { name, exact: true }).isDisabled(), name).toBe(true);
    await panel.getByRole('radio', { name: 'Data', exact: true }).check();
    await open('ids.json');
    await devtools.setViewportSize({ width: 420, height: 760 });
    await panel.getByRole('button', { name: 'More views' }).waitFor();
    const tops = (): Promise<number[]> =>
      panel.locator('.tab:not(.is-in-menu)').evaluateAll((tabs) => [...new Set(tabs.map((tab) => tab.getBoundingClientRect().top))]);
    expect(await tops()).toHaveLength(1);
  });

  test('shows the messages of frames, and their flags and lengths on demand', async () => {
    const { panel, devtools, fetchAll, open } = session;
    await devtools.setViewportSize({ width: 1_400, height: 900 });
    await fetchAll('/frames');
    await open('frames');
    await expect.poll(treeText).toContain('1: "Ada"');
    expect(await treeText()).not.toContain('flags');
    await panel.getByRole('button', { name: 'Frames' }).click();
    await expect.poll(treeText).toMatch(/flags: 0[^]*length: 5[^]*1: "Ada"/);
    await panel.getByRole('button', { name: 'Frames' }).click();
  });

  test('keeps the names next to an open request, then the status', async () => {
    const { panel, devtools } = session;
    const headings = (): Promise<string[]> => panel.locator('.request-header [role=columnheader]').allInnerTexts();
    await devtools.setViewportSize({ width: 810, height: 900 });
    await expect.poll(headings).toEqual(['Name', 'Status']);
    const line = panel.getByRole('separator', { name: 'Width of the list' });
    for (const _ of [1, 2]) await line.press('ArrowLeft');
    await expect.poll(headings).toEqual(['Name']);
    for (const _ of [1, 2]) await line.press('ArrowRight');
  });

  test('shows the value beside the tree where the panel is low', async () => {
    const { panel, devtools } = session;
    await devtools.setViewportSize({ width: 1_400, height: 300 });
    await panel.getByRole('button', { name: 'Value', exact: true }).click();
    const beside = async (): Promise<boolean> => {
      const [tree, value] = await Promise.all([panel.locator('.tree').boundingBox(), panel.locator('.value-view').boundingBox()]);
      return value!.x >= tree!.x + tree!.width;
    };
    await expect.poll(beside).toBe(true);
    await devtools.setViewportSize({ width: 1_400, height: 900 });
    await expect.poll(beside).toBe(false);
    await panel.getByRole('button', { name: 'Value', exact: true }).click();
  });

  test('masks secrets where it asks before sending', async () => {
    const { panel, open, tab } = session;
    await open('asked');
    await tab('Send again');
    await panel.getByRole('button', { name: 'Send…' }).click();
    const dialog = panel.getByRole('dialog');
    expect(await dialog.innerText()).toContain('authorization: Bearer ••••••');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await tab('Tree and bytes');
  });

  test('offers formats that fit, forms of copying without source text, and no checksums', async () => {
    const { panel, open, tab } = session;
    await open('ids.json');
    const options = (label: string): Promise<string[]> => panel.getByLabel(label, { exact: true }).locator('option').allInnerTexts();
    expect(await options('Format')).toEqual(['detect', 'json', 'More…']);
    await panel.getByRole('button', { name: 'Copy the selected value' }).click();
    expect(await panel.getByRole('menuitem').count()).toBe(7);
    await panel.getByRole('menu').press('Escape');
    await tab('Size');
    await panel.locator('.sizes').waitFor();
    expect(await viewText()).not.toMatch(/entropy|histogram|checksum/i);
    await tab('Tree and bytes');
  });
});
