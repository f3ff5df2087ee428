import { Int32, Table, tableToIPC, Utf8, vectorFromArray } from 'apache-arrow';
import { Decimal128, serialize } from 'bson';
import { gzipSync } from 'node:zlib';
import protobufjs from 'protobufjs';
import { describe, expect, test } from 'vitest';
import type { SiteResponse } from '../../setup/panel/panel-site.ts';
import { panelSession } from '../../setup/panel/panel-session.ts';

const PROTO = `syntax = "proto3";
package shop;
message OutOfStock { string sku = 1; int32 left = 2; }
message Status { int32 code = 1; string message = 2; repeated Any details = 3; }
message Any { string type_url = 1; bytes value = 2; }`;
const { root } = protobufjs.parse(PROTO);
const encode = (name: string, value: object): Uint8Array => root.lookupType(name).encode(value).finish();

/** Trailers of gRPC-web alone, with a detail of a type of the shop. */
function failedCall(): Uint8Array {
  const detail = encode('shop.OutOfStock', { sku: 'oak-7', left: 3 });
  const status = encode('shop.Status', {
    code: 9,
    message: 'sold out',
    details: [{ typeUrl: 'type.googleapis.com/shop.OutOfStock', value: detail }],
  });
  const trailers = Buffer.from(`grpc-status: 9\r\ngrpc-message: sold out\r\ngrpc-status-details-bin: ${Buffer.from(status).toString('base64')}\r\n`);
  const head = Buffer.alloc(5, 0x80);
  head.writeUInt32BE(trailers.length, 1);
  return Buffer.concat([head, trailers]);
}

const table = new Table({ count: vectorFromArray([7, 300, null], new Int32()), name: vectorFromArray(['Oak', 'Elm St', 'Ash'], new Utf8()) });
const make =
  (type: string, body: () => Uint8Array | string, encoding?: string): (() => SiteResponse) =>
  () => ({ type, body: body(), ...(encoding !== undefined && { encoding }) });

const session = panelSession({
  responses: {
    '/table.arrow': make('application/vnd.apache.arrow.stream', () => tableToIPC(table, 'stream')),
    // {1: 2, -1: 1}
    '/cose-key.cbor': make('application/cbor', () => Uint8Array.of(0xa2, 1, 2, 0x20, 1)),
    '/empty.bin': make('application/octet-stream', () => ''),
    '/zipped.json': make('application/json', () => gzipSync(JSON.stringify({ text: 'x'.repeat(18_700_000) })), 'gzip'),
    '/shop.Shop/Buy': make('application/grpc-web+proto', failedCall),
    '/answer': make('text/event-stream', () =>
      ['Oak', 'Elm', 'Ash'].map((word) => `data: {"id":"chatcmpl-1","choices":[{"index":0,"delta":{"content":"${word}"}}]}\n\n`).join(''),
    ),
    // As Apollo Server sends it.
    '/deferred': make('multipart/mixed; boundary="-"; deferSpec=20220824', () =>
      ['{"data":{"bike":{"id":1}},"hasNext":true}', '{"incremental":[{"path":["bike"],"data":{"trips":[7]}}],"hasNext":false}']
        .map((part) => `\r\n---\r\ncontent-type: application/json; charset=utf-8\r\n\r\n${part}`)
        .join('')
        .concat('\r\n-----\r\n'),
    ),
    '/graphql': make('application/json', () => '{"data":null,"errors":[{"message":"no such bike"}]}'),
  },
});

const cellText = async (name: string, cell: number): Promise<string> => session.rows(name).first().locator('[role=gridcell]').nth(cell).innerText();
const post = (path: string, type: string, body: string): Promise<void> =>
  session.page.evaluate(
    ([url, contentType, text]) =>
      fetch(url!, { method: 'POST', headers: { 'content-type': contentType! }, body: text! }).then((response) =>
        response.arrayBuffer().then(() => undefined),
      ),
    [path, type, body],
  );

test('a value of Arrow has its bytes, its offsets and its bit of validity, and the list of records has all others', async () => {
  const { panel, fetchAll, open } = session;
  await fetchAll('/table.arrow');
  await open('table.arrow');
  await panel.locator('.tree-row', { hasText: '"Elm St"' }).click();
  await expect.poll(() => panel.locator('.inspector').innerText()).toMatch(/payload 6[^]*offsets 8/);
  expect(await panel.locator('.tree-row', { hasText: '"Elm St"' }).locator('.row-size').innerText()).toBe('6 B');
  for (const part of ['payload', 'key']) expect(await panel.locator(`.hex-bytes .tint-${part}`).count(), part).toBeGreaterThan(0);
  await panel.locator('.tree-row', { hasText: 'null' }).click();
  await expect.poll(() => panel.locator('.inspector').innerText()).toMatch(/validity, bit 2 1/);
});

test('a map with numbers as keys shows them before its values', async () => {
  const { panel, fetchAll, open } = session;
  await fetchAll('/cose-key.cbor');
  await open('cose-key.cbor');
  const rows = panel.locator('.tree-row');
  await expect.poll(() => rows.count()).toBe(3);
  expect((await rows.allInnerTexts()).map((text) => text.replaceAll(/\s/g, ''))).toEqual([
    expect.stringMatching(/^Map/),
    expect.stringMatching(/^1:2/),
    expect.stringMatching(/^-1:1/),
  ]);
  await rows.nth(2).click();
  await expect.poll(() => panel.locator('.inspector-path').innerText()).toBe('$.get(-1)');
});

test('Escape and Close bring the focus back to the list', async () => {
  const { panel, devtools, open } = session;
  const isListFocused = (): Promise<boolean> => panel.locator('.requests').evaluate((list) => list.contains(document.activeElement));
  await open('cose-key.cbor');
  await panel.locator('.tree-row').first().click();
  await devtools.keyboard.press('Escape');
  await expect.poll(() => panel.locator('.detail').count()).toBe(0);
  expect(await isListFocused()).toBe(true);
  await open('cose-key.cbor');
  await panel.getByRole('button', { name: 'Close', exact: true }).click();
  expect(await isListFocused()).toBe(true);
});

describe('a response without a body', () => {
  test('says what is known', async () => {
    const { page, panel, rows, fetchAll } = session;
    await page.evaluate(() => fetch('/status.json?head', { method: 'HEAD' }).then(() => undefined));
    await fetchAll('/empty.bin');
    const cancelled = (): Promise<void> =>
      page.evaluate(async () => {
        const stop = new AbortController();
        await fetch('/hanging.msgpack', { signal: stop.signal });
        stop.abort();
      });
    await cancelled();
    await expect.poll(() => rows('hanging').count()).toBe(1);
    await rows('hanging').first().click();
    await panel.getByText('the page cancelled this request, or did not read the body to its end').waitFor();
    expect(await panel.getByRole('button', { name: 'Fetch it again as bytes' }).count()).toBe(1);
    for (const [name, text] of [
      ['?head', 'The response to a HEAD request has no body.'],
      ['empty.bin', 'No bytes were sent.'],
    ] as const) {
      await expect.poll(() => rows(name).count()).toBe(1);
      await rows(name).first().click();
      await panel.getByText(text).waitFor();
    }
    await panel.getByRole('button', { name: 'Close', exact: true }).click();
  });

  test('has the size that DevTools knows', async () => {
    await session.fetchAll('/zipped.json');
    await expect.poll(() => cellText('zipped.json', 3)).toBe('18.7 MB');
  });
});

describe('messages of sockets', () => {
  test('count in bytes; calls of SignalR are named; records of msgpackr keep the keys of the connection', async () => {
    const { page, panel, rows } = session;
    const frames: (string | number[])[] = [
      '{"protocol":"json","version":1}\u001e',
      '{"arguments":["é"],"target":"Send","type":1}\u001e',
      [13, 0x95, 1, 0x80, 0xc0, 0xa4, 0x4d, 0x6f, 0x76, 0x65, 0x92, 7, 0xa1, 0x61],
      [0xd4, 0x72, 0x40, 0x92, 0xa2, 0x69, 0x64, 0xa1, 0x6e, 1, 0xa3, 0x4f, 0x61, 0x6b],
      [0x40, 2, 0xa3, 0x45, 0x6c, 0x6d],
    ];
    await page.evaluate(async (all) => {
      const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/hub`);
      await new Promise((resolve) => socket.addEventListener('open', resolve));
      for (const frame of all) {
        const answered = new Promise((resolve) => socket.addEventListener('message', resolve, { once: true }));
        socket.send(typeof frame === 'string' ? frame : Uint8Array.from(frame));
        await answered;
      }
      Object.assign(globalThis, { hub: socket });
    }, frames);
    await expect.poll(() => rows('hub').count()).toBe(1);
    const size = 2 * frames.reduce((sum, frame) => sum + Buffer.from(frame as string).length, 0);
    await expect.poll(() => cellText('hub', 3)).toBe(`${size} B`);
    await rows('hub').first().click();
    const messages = panel.locator('.message-row:not(.request-header)');
    const contents = (): Promise<string[]> => messages.locator('.code').allInnerTexts();
    await expect.poll(contents).toHaveLength(10);
    await expect
      .poll(async () => (await contents()).filter((_, index) => index % 2 === 0))
      .toEqual([
        expect.stringMatching(/^handshake/),
        expect.stringMatching(/^Invocation Send/),
        expect.stringMatching(/^Invocation\s*Move\(7, "a"\)/),
        'id: 1, n: "Oak"',
        'id: 2, n: "Elm"',
      ]);
    await messages.nth(8).click();
    await expect.poll(() => panel.locator('.tree').innerText()).toContain('"Elm"');
    await panel.getByRole('button', { name: 'Close', exact: true }).click();
  });
});

test('the events of a stream are told apart where they differ', async () => {
  const { page, panel, rows } = session;
  await page.evaluate(async () => {
    const source = new EventSource('/answer');
    let count = 0;
    await new Promise<void>((resolve) => source.addEventListener('message', () => ++count === 3 && resolve()));
    source.close();
  });
  await expect.poll(() => rows('answer').count()).toBe(1);
  expect(await cellText('answer', 2)).toBe('eventsource');
  await rows('answer').first().click();
  const contents = panel.locator('.message-row:not(.request-header) .code');
  await expect
    .poll(() => contents.allInnerTexts())
    .toEqual(['Oak', 'Elm', 'Ash'].map((word) => expect.stringMatching(new RegExp(`^…\\s*"content":"${word}"`)) as string));
  // Together, they are the text of the answer.
  await session.tab('Merged');
  const merged = panel.getByRole('region', { name: 'Merged events' });
  await expect.poll(() => merged.locator('pre').allInnerTexts()).toEqual(['OakElmAsh']);
  expect(await merged.innerText()).toContain('Answer of 3 events, not complete');
  await panel.getByRole('button', { name: 'Close', exact: true }).click();
});

describe('bodies and their names', () => {
  test('an event stream that the page fetches is called so, and forms are called forms, in the list and in the session', async () => {
    const { panel, fetchAll, rows } = session;
    await fetchAll('/answer?fetched');
    await expect.poll(() => cellText('?fetched', 2)).toBe('event stream');
    const parts = '--b\r\ncontent-disposition: form-data; name="name"\r\n\r\nOak\r\n--b--\r\n';
    await post('/echo?form', 'application/x-www-form-urlencoded', 'name=Oak');
    await post('/echo/multipart', 'multipart/form-data; boundary=b', parts);
    await expect.poll(() => rows('multipart').count()).toBe(1);
    await expect.poll(() => cellText('?form', 2)).toBe('form');
    await panel.getByRole('button', { name: 'Session' }).click();
    for (const format of ['form', 'multipart'])
      await panel.locator('.totals tbody tr', { hasText: '/echo' }).filter({ hasText: format }).first().waitFor();
    await panel.getByRole('button', { name: 'Session' }).click();
  });

  test('a decimal of BSON is edited as text', async () => {
    const { page, panel, rows, tab } = session;
    const bytes = [...serialize({ price: Decimal128.fromString('12.50') })];
    await page.evaluate(
      (body) =>
        fetch('/echo?bson', { method: 'POST', headers: { 'content-type': 'application/bson' }, body: Uint8Array.from(body) }).then((response) =>
          response.arrayBuffer().then(() => undefined),
        ),
      bytes,
    );
    await expect.poll(() => rows('?bson').count()).toBe(1);
    await rows('?bson').first().click();
    await tab('Send again');
    const editor = panel.getByLabel('Value of the body');
    await expect.poll(() => editor.inputValue()).toContain('"12.50"');
    await editor.fill((await editor.inputValue()).replace('12.50', '-1E+3'));
    await panel.getByRole('button', { name: 'Send…' }).click();
    await panel.getByRole('dialog').getByRole('button', { name: 'Send POST' }).click();
    await expect.poll(() => rows('?bson').count()).toBe(2);
    await rows('?bson').nth(1).click();
    await tab('Tree and bytes');
    await expect.poll(() => panel.locator('.tree').innerText()).toContain('-1E+3');
    await panel.getByRole('button', { name: 'Close', exact: true }).click();
  });

  test('a call of Connect by GET has the message of its URL', async () => {
    const { panel, fetchAll, rows, tab } = session;
    await fetchAll('/shop.Shop/Find?connect=v1&encoding=proto&base64=1&message=CAcSA29haw');
    await expect.poll(() => cellText('Shop/Find', 0)).toMatch(/^Shop\/Find\s*1: 7, 2: "oak"$/);
    await rows('Shop/Find').first().click();
    await panel.getByRole('radio', { name: 'Request', exact: true }).check();
    await tab('Tree and bytes');
    await expect.poll(() => panel.locator('.tree').innerText()).toMatch(/1\s*:\s*7[^]*2\s*:\s*"oak"/);
    await panel.getByRole('button', { name: 'Close', exact: true }).click();
  });
});

test('the deferred parts of a GraphQL result are put in their places', async () => {
  const { panel, fetchAll, open, tab } = session;
  await fetchAll('/deferred');
  await open('deferred');
  await tab('Merged');
  const merged = panel.getByRole('region', { name: 'Merged events' });
  await expect.poll(async () => JSON.parse(await merged.locator('pre').innerText()) as unknown).toEqual({ data: { bike: { id: 1, trips: [7] } } });
  expect(await merged.innerText()).toContain('GraphQL result of 2 events, complete');
  await panel.getByRole('button', { name: 'Close', exact: true }).click();
});

test('the toolbar fits in one line of a panel of 600 pixels', async () => {
  const { panel, devtools } = session;
  await devtools.setViewportSize({ width: 600, height: 700 });
  await expect
    .poll(() =>
      panel.locator('.toolbar').evaluate((bar) => {
        const box = bar.getBoundingClientRect();
        const shown = [...bar.children].map((child) => child.getBoundingClientRect()).filter((child) => child.width > 0);
        return {
          isWhole: shown.every((child) => child.right <= box.right && child.left >= box.left),
          isOneLine: box.height < 40,
          hasRoomToFilter: shown[0]!.width > 90,
        };
      }),
    )
    .toEqual({ isWhole: true, isOneLine: true, hasRoomToFilter: true });
  await devtools.setViewportSize({ width: 1_280, height: 760 });
});

describe('calls that fail', () => {
  test('show their details by the schemas that are known, and are not called protobuf', async () => {
    const { panel, rows, tab } = session;
    await panel.locator('.toolbar input[type=file]').setInputFiles({ name: 'shop.proto', mimeType: 'text/plain', buffer: Buffer.from(PROTO) });
    await panel.getByRole('button', { name: 'Schemas', exact: true }).click();
    await post('/shop.Shop/Buy', 'application/grpc-web+proto', '\0\0\0\0\u0002\u0008\u0007');
    await expect.poll(() => rows('Shop/Buy').count()).toBe(1);
    await expect.poll(() => cellText('Shop/Buy', 2)).toBe('trailers');
    await expect.poll(() => cellText('Shop/Buy', 0)).toMatch(/Shop\/Buy\s*1: 7$/);
    // Calls of one method are told apart where they differ, also next to an open request, where the service is left out.
    for (const id of [1, 2])
      await post('/shop.Shop/Reserve', 'application/grpc-web+proto', `\0\0\0\0\u0013\u000a\u000fwarehouse-north\u0010${String.fromCharCode(id)}`);
    await expect.poll(() => rows('Reserve').count()).toBe(2);
    await expect.poll(() => cellText('Shop/Reserve', 0)).toMatch(/Shop\/Reserve\s*…\s*2: 1$/);
    await rows('Shop/Buy').first().click();
    await expect.poll(() => rows('Reserve').nth(1).locator('[role=gridcell]').first().innerText()).toMatch(/POST\s*↑\s*Reserve\s*…\s*2: 2$/);
    await tab('Trailers');
    await expect.poll(() => panel.locator('.facts-view').innerText()).toMatch(/shop\.OutOfStock\s*sku\s*oak-7\s*left\s*3/);
    await panel.getByRole('button', { name: 'Close', exact: true }).click();
  });

  test('of GraphQL are marked whatever their status', async () => {
    const { rows } = session;
    await post('/graphql', 'application/json', '{"query":"query Bike { bike { id } }"}');
    await expect.poll(() => rows('Bike').getAttribute('class')).toContain('is-bad');
    expect(await rows('Bike').locator('[role=gridcell]').nth(1).getAttribute('title')).toBe('200, with GraphQL errors: no such bike');
  });
});
