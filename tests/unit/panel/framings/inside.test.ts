import { Packr } from 'msgpackr';
import { describe, expect, test } from 'vitest';
import { builtInSchema, declaredMessage } from '../../../../devtools-extension/panel/schemas/built-in-schemas.ts';
import { insideOf } from '../../../../devtools-extension/panel/value/inside.ts';
import type { OpenBody } from '../../../../devtools-extension/panel/body/open-body.ts';
import { createPageAdapter } from '../../../../devtools-extension/adapter/page.ts';
import { openBody } from '../open.ts';

const json = (value: unknown): Promise<OpenBody> => openBody('json', new TextEncoder().encode(JSON.stringify(value)));
const hows = async (text: string): Promise<string[]> => insideOf(await json([text]), 2).map(({ how }) => how);

describe('insideOf', () => {
  test.each<[string, string[]]>([
    ['{"a":1}', ['text']],
    ['eyJhIjoxfQ==', ['base64']],
    ['eyJhIjoxfQ', ['base64']],
    ['_-8_-8_-8', []],
    ['_-8_-8_-8w', ['base64']],
    ['cafebabe01', ['base64', 'hex']],
    ['data:image/png;base64,iVBORw0KGgo=', ['base64']],
    ['a word', []],
    ['short', []],
  ])('finds in the text %j: %j', async (text, found) => {
    expect(await hows(text)).toEqual(found);
  });

  test('finds content in binary values, with its offset', async () => {
    const inner = Uint8Array.from(new Packr({ useRecords: false }).pack({ a: 1 }));
    const body = await openBody('messagepack', Uint8Array.from(new Packr({ useRecords: false }).pack({ raw: Buffer.from(inner) })));
    const [inside] = insideOf(body, 2);
    expect(inside!.bytes()).toEqual(inner);
    for (let at = 0; at < inner.length; at += 1) expect(body.bytes[inside!.placeOf!(at)]).toBe(inner[at]);
  });

  test('maps every byte of base64 to its characters', async () => {
    const bytes = Uint8Array.from({ length: 30 }, (_, i) => i * 7);
    const body = await json({ k: btoa(String.fromCharCode(...bytes)) });
    const inside = insideOf(body, 2).find(({ how }) => how === 'base64')!;
    expect(inside.bytes()).toEqual(bytes);
    for (let at = 0; at + 3 <= bytes.length; at += 3) {
      const from = inside.placeOf!(at);
      expect(atob(new TextDecoder().decode(body.bytes.subarray(from, from + 4)))).toBe(String.fromCharCode(...bytes.subarray(at, at + 3)));
    }
  });

  test('gives no offset in a string with escapes', async () => {
    expect(insideOf(await json(['{"a":"\n"}']), 2)[0]!.placeOf).toBeUndefined();
  });
});

test('vector tiles are recognised by their type or address', () => {
  const of = (url: string, contentType = ''): string | undefined => builtInSchema(createPageAdapter().add({ url, contentType }))?.name;
  expect(of('https://a.test/tiles/14/1/2.pbf?key=1')).toBe('vector tiles');
  expect(of('https://a.test/x', 'application/vnd.mapbox-vector-tile')).toBe('vector tiles');
  expect(of('https://a.test/person.pbf')).toBeUndefined();
});

test.each([
  ['application/x-protobuf; messageType="shop.v1.Cart"', 'shop.v1.Cart'],
  ['application/x-protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited', 'io.prometheus.client.MetricFamily'],
  ['application/x-protobuf', undefined],
])('%s names the message %s', (type, message) => {
  expect(declaredMessage(type)).toBe(message);
});
