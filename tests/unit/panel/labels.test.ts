import { signal } from '@preact/signals';
import { describe, expect, test } from 'vitest';
import protobuf from '../../../core/formats/protobuf/index.ts';
import { createPageAdapter } from '../../../devtools-extension/adapter/page.ts';
import { OpenBody } from '../../../devtools-extension/panel/body/open-body.ts';
import { operationOf } from '../../../devtools-extension/panel/requests/operation.ts';
import { filterRows, unknownProperties } from '../../../devtools-extension/panel/requests/filter.ts';
import { formatLabel, newRow } from '../../../devtools-extension/panel/requests/row.ts';
import { FittingTab, type TabName } from '../../../devtools-extension/panel/selection/tab.ts';
import { FORMS } from '../../../devtools-extension/reading/what-if/forms.ts';
import { tryForm } from '../../../devtools-extension/reading/what-if/try-forms.ts';

const adapter = createPageAdapter();
const rowOf = (contentType: string) => newRow(adapter.add({ url: 'https://a.test/', contentType, bytes: new Uint8Array(1) }));

describe('format of a row', () => {
  test.each([
    ['text/html; charset=utf-8', 'html'],
    ['image/png', 'png'],
    ['font/woff2', 'font'],
    ['application/font-woff', 'font'],
    ['application/wasm', 'wasm'],
    ['application/pdf', 'pdf'],
    ['application/javascript', 'javascript'],
    ['text/csv', 'csv'],
    ['text/plain', 'text'],
    ['application/octet-stream', ''],
  ])('labels a file of the type %s as %j', (type, label) => {
    expect(formatLabel(rowOf(type))).toBe(label);
  });

  test('labels a form as form, even if its fields are JSON', () => {
    const row = rowOf('application/x-www-form-urlencoded');
    row.detection = { format: 'json', confidence: 1, reasons: [], sequence: false, wrappings: ['form'] };
    expect(formatLabel(row)).toBe('form');
  });
});

describe('the tab that opens for a body without a value', () => {
  const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0);
  const text = (content: string): Uint8Array => new TextEncoder().encode(content);
  test.each<[string, Uint8Array, string, TabName]>([
    ['text', text('hello'), 'text/plain', 'text'],
    ['a CSV', text('a,b\n1,2'), 'text/csv', 'text'],
    ['a token', text('eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.'), 'application/jwt', 'text'],
    ['text in latin-1', Uint8Array.of(0x63, 0x61, 0x66, 0xe9), 'text/plain; charset=iso-8859-1', 'text'],
    ['an image', PNG, 'image/png', 'tree'],
    ['other bytes', Uint8Array.of(0, 1, 2, 0xff), 'application/octet-stream', 'tree'],
    ['nothing', new Uint8Array(0), 'text/plain', 'tree'],
  ])('shows %s', (_, bytes, contentType, expected) => {
    const tab = signal<TabName>('tree');
    const detection = { format: undefined, confidence: 0, reasons: [], sequence: false, wrappings: [] };
    const answer = { detection, bytes, content: bytes, isPart: false, data: undefined, error: undefined, milliseconds: 0 };
    new FittingTab(tab).fit(new OpenBody(answer, { lossy: false, received: bytes.length, schema: undefined, contentType }));
    expect(tab.value).toBe(expected);
  });
});

test('“what if” uses the schema of a body if it has one', async () => {
  const schema = await protobuf.compileSchema!({ proto: 'syntax = "proto3"; message M { int32 id = 300; }', message: 'M' });
  const index = FORMS.findIndex(({ format }) => format === 'protobuf');
  const inferred = await tryForm({ id: 5 }, index);
  const own = await tryForm({ id: 5 }, index, { format: 'protobuf', schema, sequence: false });
  expect([inferred.note, own.note]).toEqual(['schema inferred from this value', 'schema of this body']);
  // The field's number takes one more byte.
  expect(own.size).toBe(inferred.size + 1);
});

describe('name of a call', () => {
  test.each([
    ['application/grpc-web+proto', [], 'OrderService/Get'],
    ['application/proto', [], 'OrderService/Get'],
    ['application/json', [{ name: 'Connect-Protocol-Version', value: '1' }], 'OrderService/Get'],
    ['application/octet-stream', [], undefined],
  ])('given the type %s and the headers %j, returns %s', async (type, headers, name) => {
    const requestHeaders = [{ name: 'content-type', value: type }, ...headers];
    const exchange = adapter.add({ url: 'https://a.test/api/shop.v1.OrderService/Get?x', requestHeaders, bytes: new Uint8Array(0) });
    expect(await operationOf(exchange)).toBe(name);
  });
});

describe('the filter of the list', () => {
  const add = (url: string, status: number, contentType: string, size: number) =>
    newRow(
      adapter.add({
        url,
        status,
        contentType,
        method: status === 404 ? 'POST' : 'GET',
        encodedSize: size,
        responseHeaders: size > 1000 ? [{ name: 'X-Cache', value: 'hit' }] : [],
        bytes: new Uint8Array(0),
      }),
    );
  const rows = [
    add('https://api.test/orders?page=1', 200, 'application/json', 500),
    add('https://api.test/orders/7', 404, 'text/plain', 20),
    add('https://cdn.test/tiles/1.pbf', 200, 'application/x-protobuf', 40_000),
  ];
  const kept = (text: string): number[] => filterRows(rows, { text, shown: 'all', format: '' }).map((row) => rows.indexOf(row));
  test.each([
    ['', [0, 1, 2]],
    ['orders', [0, 1]],
    ['-orders', [2]],
    ['orders status-code:404', [1]],
    ['20', []],
    ['/orders$/', []],
    ['/^https:.*\\/7$/', [1]],
    ['/^orders/', [0]],
    ['/^7$/', [1]],
    ['scheme:https', [0, 1, 2]],
    ['scheme:wss', []],
    ['has-response-header:X-Cache', [2]],
    ['-has-response-header:x-cache', [0, 1]],
    ['url:cdn.test/tiles', [2]],
    ['status-code:200', [0, 2]],
    ['-status-code:200', [1]],
    ['larger-than:1k', [2]],
    ['larger-than:100', [0, 2]],
    ['mime-type:application/json', [0]],
    ['method:POST', [1]],
    ['domain:cdn.test', [2]],
    ['/orders\\/\\d/', [1]],
    ['-/page=\\d/', [1, 2]],
    ['/(/', []],
    ['https://api.test/orders', [0, 1]],
    ['unknown:1', []],
  ])('given %j, keeps the requests %j', (text, expected) => {
    expect(kept(text)).toEqual(expected);
  });

  test('names the properties that it does not know', () => {
    expect(unknownProperties('orders is:running -colour:red method:get https://api.test /is:x/')).toEqual(['is', 'colour']);
  });
});
