import { describe, expect, test } from 'vitest';
import { fromAnyBase64, withoutPadding } from '../../../../devtools-extension/adapter/bytes.ts';
import { createPageAdapter } from '../../../../devtools-extension/adapter/page.ts';
import { sortRows } from '../../../../devtools-extension/panel/requests/columns.ts';
import { builtInSchema } from '../../../../devtools-extension/panel/schemas/built-in-schemas.ts';
import { parsedHeaders } from '../../../../devtools-extension/panel/send-again/draft.ts';
import { queryOf } from '../../../../devtools-extension/panel/detail/payload.ts';
import { newRow } from '../../../../devtools-extension/panel/requests/row.ts';
import { typesOf } from '../../../../devtools-extension/panel/schemas/schema-files.ts';
import { exportValue } from '../../../../devtools-extension/values/value.ts';
import { readSpans } from '../../../../devtools-extension/reading/spans/read-spans.ts';
import { SpanTree } from '../../../../core/sinks/spans/tree.ts';
import { rpcStatusOf } from '../../../../devtools-extension/reading/rpc/rpc-status.ts';

// Superlinear work would take minutes or never end at this length.
const LONG = 1_000_000;
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const exchange = (url: string) => createPageAdapter().add({ url });

test('a text that consists almost only of padding is not base64', () => {
  const text = `${'='.repeat(LONG)}x`;
  expect(withoutPadding(text)).toBe(text);
  expect(withoutPadding('='.repeat(LONG))).toBe('');
  expect(() => fromAnyBase64(text)).toThrow();
  expect(fromAnyBase64('-_8')).toEqual(Uint8Array.of(0xfb, 0xff));
});

test("a HAR file's address with many special characters and a line end is scanned once", () => {
  const marks = `${'#'.repeat(LONG)}\n`;
  const url = `https://a.test/?a=1${marks}`;
  expect(queryOf(url)).toEqual([['a', '1']]);
  expect(builtInSchema(exchange(`https://a.test/1.mvt${marks}`))?.format).toBe('protobuf');
  const rows = [url, `https://a.test/${'/a'.repeat(LONG)}\n?`].map((given) => newRow(exchange(given)));
  expect(sortRows(rows, { column: 'name', isDescending: false })).toHaveLength(2);
});

test('a header with much white space is scanned once', () => {
  const [header] = parsedHeaders(`a: ${`${' '.repeat(LONG)}x`.repeat(2)}  \r`);
  expect(header!.value).toHaveLength(LONG + 2);
});

test('a schema with unterminated comments is scanned once', () => {
  expect(typesOf('proto', `message A { }${'/*'.repeat(LONG)}`)).toEqual(['A']);
});

describe('statusOf', () => {
  const body = { bytes: new Uint8Array(0), wrappings: [], framing: undefined, content: new Uint8Array(0), overflow: undefined };
  const statusOf = (error: object) =>
    rpcStatusOf({
      body: { ...body, bytes: utf8(JSON.stringify(error)), content: utf8(JSON.stringify(error)) },
      status: 400,
      contentType: 'application/json',
      headers: [],
    });

  test.each(['(', '.*'.repeat(30) + '!', '(?:[^]*)*!', 'google.rpc.(', 'google.rpc.Status.*', 'constructor'])(
    'reads details of the type %j by field number, without using the type as a pattern',
    async (type) => {
      const found = await statusOf({ code: 'internal', details: [{ type, value: 'CAE' }] });
      expect(found!.details).toEqual([{ type, bytes: Uint8Array.of(8, 1), value: expect.anything() as unknown }]);
    },
  );

  test('reads details of a known type by its schema', async () => {
    const found = await statusOf({ code: 'internal', details: [{ type: 'google.rpc.RequestInfo', value: 'CgFh' }] });
    expect(found!.details[0]!.value).toMatchObject({ request_id: 'a' });
  });

  test('returns text if the server sent something else', async () => {
    expect(await statusOf({ code: 'internal', message: { a: 1 }, details: [{ type: 5, value: '' }] })).toMatchObject({
      message: '[object Object]',
      details: [{ type: '5' }],
    });
  });
});

test('a field of Protocol Buffers that repeats many times is exported as one list', async () => {
  const bytes = new Uint8Array(LONG).fill(0x78);
  const { data } = await readSpans(bytes, { format: 'protobuf' });
  const value = exportValue(new SpanTree(data, bytes), 1, true) as { 15: number[] };
  expect(value[15]).toHaveLength(LONG / 2);
});
