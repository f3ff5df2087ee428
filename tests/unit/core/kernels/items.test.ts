import { Encoder } from 'cbor-x';
import { Packr } from 'msgpackr';
import { describe, expect, test } from 'vitest';
import { orders } from '../../../../demo/server/data/orders.mjs';
import bson from '../../../../core/formats/bson/index.ts';
import bsonWriter from '../../../../core/formats/bson/writer.ts';
import cbor from '../../../../core/formats/cbor/index.ts';
import json from '../../../../core/formats/json/index.ts';
import messagepack from '../../../../core/formats/messagepack/index.ts';
import { caseCount } from '../../../setup/properties/case-count.ts';
import { assertSame } from '../../../setup/ways/differential.ts';
import { encodeWith } from '../../../setup/ways/encode-with.ts';
import { fuzzWithKernels } from '../../../setup/kernels/kernel-fuzz.ts';
import type { KernelCase, KernelOutcome } from '../../../setup/kernels/kernel-outcomes.ts';
import { decodeRows, list } from '../../../setup/kernels/kernel-rows.ts';

type Encoded = Pick<KernelCase, 'id' | 'format'> & {
  encode: (value: unknown) => Uint8Array;
  /** Wraps a list in a value, if the format allows no list at the root. */
  whole?: (list: unknown[]) => unknown;
};

const text = new TextEncoder();
const ENCODINGS: readonly [string, Encoded][] = Object.entries({
  JSON: { id: 'json', format: json, encode: (value) => text.encode(JSON.stringify(value)) },
  'JSON with white space': { id: 'json', format: json, encode: (value) => text.encode(JSON.stringify(value, null, 1)) },
  MessagePack: { id: 'messagepack', format: messagepack, encode: (value) => Uint8Array.from(new Packr({ useRecords: false }).pack(value)) },
  BSON: { id: 'bson', format: bson, encode: (value) => encodeWith(bsonWriter, value), whole: (list) => ({ list }) },
  CBOR: { id: 'cbor', format: cbor, encode: (value) => Uint8Array.from(new Encoder({ useRecords: false, variableMapSize: true }).encode(value)) },
} satisfies Record<string, Encoded>);

/**
 * Decodes nested items, which stay bytes, with and without kernels, and requires that kernels check at least `least` items.
 */
async function decode(given: Omit<KernelCase, 'raw'>, least: number): Promise<KernelOutcome> {
  return await decodeRows({ ...given, raw: true }, least);
}

const NUMBERS = [0, -0.5, 1e300, 5e-324, -(2 ** 31), 2 ** 53 - 1, 0.1, 1e21, -1, 255, 65_536];
/** Item with every kind of content. */
const nested = (at: number): object => ({
  id: at,
  empty: [{}, [], '', { a: {} }, [[]]][at % 5],
  numbers: NUMBERS.slice(at % NUMBERS.length),
  texts: ['größer 漢字 😀', 'a "quoted" \\ text\n\t\u0001/', 'x'.repeat(at % 70), 'é'.repeat(at % 30)],
  constants: [true, false, null],
  deep: list(at % 20, () => 0).reduce<unknown>((inner) => (at % 2 ? [inner] : { inner }), 'core'),
  ['key '.repeat(at % 9)]: { 'ключ "é"': at },
});

describe.each(ENCODINGS)('item kernel for %s', (_, { encode, whole = (value) => value, ...given }) => {
  test('accepts nested items, which decode to the same values', async () => {
    const value = { items: list(160, nested), after: 'x' };
    assertSame(await decode({ ...given, bytes: encode(value) }, 200), { value });
  });

  test('decodes nested orders to the same values with and without kernels', async () => {
    const value = whole([...orders(160, 1)]);
    assertSame(await decode({ ...given, bytes: encode(value) }, 130), { value: JSON.parse(JSON.stringify(value)) });
  });

  test('decodes the same for every cut of a chunk', async () => {
    const value = whole(list(45, nested));
    const bytes = encode(value);
    for (let cut = 1; cut < 2000; cut += Math.floor(2000 / caseCount(120))) assertSame(await decode({ ...given, bytes, sizes: [cut] }, 0), { value });
  });

  test('decodes the same for items longer than a window, and if kinds change', async () => {
    const value = whole(
      list(120, (at) => (at % 10 === 9 ? at : at % 10 === 8 ? [at] : { ...nested(at), long: 'y'.repeat(at % 7 === 6 ? 70_000 : 10) })),
    );
    assertSame(await decode({ ...given, bytes: encode(value) }, 20), { value });
  });

  test('rejects truncated items at the same byte as the reader', async () => {
    const bytes = encode(whole(list(80, nested)));
    for (const length of [bytes.length - 1, bytes.length - 9, bytes.length - 300, bytes.length >> 1]) {
      expect(await decode({ ...given, bytes: bytes.slice(0, length) }, 0)).toMatchObject({ error: { code: 'truncated' } });
    }
  });

  test('enforces the same limits as the reader', async () => {
    const value = whole(list(200, (at) => ({ id: at, inner: { list: [1, [2, 'n'.repeat(at % 50), 'm'.repeat(5)]] } })));
    const bytes = encode(value);
    for (const limits of [
      { values: 500 },
      { values: 501 },
      { values: 502 },
      { values: 1500 },
      { stringLength: 5 },
      { stringLength: 48 },
      { depth: 4 },
    ]) {
      expect(await decode({ ...given, bytes, limits }, 0)).toHaveProperty('error');
    }
    assertSame(await decode({ ...given, bytes, limits: { values: 1820, stringLength: 49, depth: 6 } }, 100), { value });
  });

  test('gives the same value or error for mutated bytes', async () => {
    const seeds = [40, 60].map((count) => encode(whole(list(count, nested))));
    const { rows, refused } = await fuzzWithKernels({ ...given, raw: true }, seeds, 100);
    expect(rows).toBeGreaterThan(10);
    expect(refused).toBeGreaterThan(0);
  });
});

/** Invalid JSON values. */
const WRONG = [
  '01',
  '-',
  '1.',
  '.5',
  '1e',
  '1e+',
  '+1',
  '--1',
  '1.e5',
  '0x1',
  'NaN',
  'nul',
  'nulL',
  'True',
  'fals',
  'falsE',
  "'a'",
  '"a',
  '"\\x"',
  '"\\u12g4"',
  '"\\u123"',
  '"\t"',
  '"\u0000"',
  '[1,]',
  '[,1]',
  '[1 2]',
  '{"a"}',
  '{"a":}',
  '{"a":1,}',
  '{,}',
  '{1:2}',
  '{"a" 1}',
  '[}',
  '{]',
  '[1}',
  '{"a":1]',
  ']',
  '}',
  '',
  ',',
  ':',
  '1 1',
];
/** Valid JSON values that look unusual. */
const RIGHT = [
  '-0',
  '0',
  '0.0',
  '1E5',
  '1e-05',
  '"\\u00e9\\ud83d\\ude00"',
  '"\\ud83d"',
  '"\\/\\b\\f"',
  '"\u007f"',
  ' [ ] ',
  '{ }',
  '{"":""}',
  '[\n1\t,\r2 ]',
  '1e999',
  `1${'0'.repeat(40)}`,
];

describe('JSON item kernel', () => {
  const items = (value: string): Uint8Array =>
    text.encode(`[${list(90, (at) => `{"id":{"a":[${at}],"b":[[true],"some more"]},"value":${at === 60 ? value : '[{}]'}}`).join(',')}]`);

  test.each(WRONG)('rejects %j as a value, with the same error as the reader', async (value) => {
    expect(await decode({ id: 'json', format: json, bytes: items(value) }, 0)).toHaveProperty('error');
  });

  test.each(RIGHT)('accepts %j as a value', async (value) => {
    const bytes = items(value);
    assertSame(await decode({ id: 'json', format: json, bytes }, 60), { value: JSON.parse(new TextDecoder().decode(bytes)) });
  });

  test('rejects invalid UTF-8 at the same byte as the reader', async () => {
    const bytes = items('"text of some length \u007f and more"');
    bytes[bytes.indexOf(0x7f)] = 0xff;
    expect(await decode({ id: 'json', format: json, bytes }, 0)).toMatchObject({ error: { code: 'invalid-utf8' } });
  });

  test('reads lines and records of a JSON text sequence', async () => {
    const value = list(200, nested);
    for (const separator of ['\n', ' \r\n', '\n\u001e']) {
      const bytes = text.encode(value.map((item) => JSON.stringify(item)).join(separator));
      assertSame(await decode({ id: 'json', format: json, bytes, options: { sequence: true } }, 200), { value });
    }
  });

  test('accepts any white space between items', async () => {
    const value = list(200, nested);
    const spaces = ['', ' ', '\n\n', '\t \r\n'];
    const bytes = text.encode(`[${value.map((item, at) => `${spaces[at % 4]}${JSON.stringify(item)}${spaces[at % 3]}`).join(',')}]`);
    assertSame(await decode({ id: 'json', format: json, bytes }, 200), { value });
  });

  test('reads items whose numbers become bigints', async () => {
    const bytes = text.encode(`[${list(90, (at) => `{"a":{"b":[${at + 1}00000000000000000001]}}`).join(',')}]`);
    const { value } = (await decode({ id: 'json', format: json, bytes, options: { bigints: 'bigint' } }, 0)) as { value: { a: { b: bigint[] } }[] };
    expect(value[89]!.a.b[0]).toBe(9_000_000_000_000_000_000_001n);
  });
});

test('MessagePack items with binaries and dates decode as with the reader', async () => {
  const value = list(200, (at) => ({
    id: at,
    inner: { text: 'some text that is nested', bytes: new Uint8Array(at % 150), when: new Date(at * 1e9 + (at % 3)), list: [at] },
  }));
  const bytes = Uint8Array.from(new Packr({ useRecords: false }).pack(value));
  assertSame(await decode({ id: 'messagepack', format: messagepack, bytes }, 20), { value });
  expect(await decode({ id: 'messagepack', format: messagepack, bytes, limits: { binaryLength: 100 } }, 20)).toMatchObject({
    error: { limit: 'binaryLength' },
  });
});

test('CBOR items with tags and indefinite lengths decode as with the reader', async () => {
  const row = (at: number, inner: number[]): number[] => [0xa2, 0x61, 0x61, at % 24, 0x61, 0x62, 0xa2, 0x61, 0x64, 0x82, 1, 2, 0x61, 0x63, ...inner];
  const inners = [
    [0x9f, 1, 2, 0xff],
    [0xc1, 1],
    [0x5f, 0x41, 1, 0xff],
    [0xf7],
    [0xf9, 0x3c, 0],
    [0x1b, 0, 0, 0, 0, 0, 0, 0, 1],
    [0x42, 1, 2],
    [0x82, 1, 2],
  ];
  const rows = list(160, (at) => row(at, at > 60 && at % 10 === 0 ? inners[(at / 10) % 8]! : [0x82, 1, 0xa0]));
  const bytes = Uint8Array.from([0x98, rows.length, ...rows.flat()]);
  expect(await decode({ id: 'cbor', format: cbor, bytes }, 40)).toHaveProperty('value');
});

describe('BSON item kernel', () => {
  const elementsOf = (name: string, payload: number[]): number[] => [payload[0]!, ...text.encode(name), 0, ...payload.slice(1)];
  const documentOf = (...elements: number[]): number[] => [elements.length + 5, 0, 0, 0, ...elements, 0];
  /** Consecutive documents, one of which has an element `x` of the given bytes, which begin with its type. */
  const sequence = (element: number[]): Uint8Array =>
    Uint8Array.from(
      list(90, (at) => {
        const inner = documentOf(...elementsOf('a', [2, 5, 0, 0, 0, 0x74, 0x65, 0x78, 0x74, 0]), ...(at === 60 ? elementsOf('x', element) : []));
        return documentOf(...elementsOf('inner', [3, ...inner]));
      }).flat(),
    );
  const id = list(12, (at) => at);

  test.each([
    ['an ObjectId', [7, ...id]],
    ['a UUID', [5, 16, 0, 0, 0, 4, ...id, 1, 2, 3, 4]],
    ['a vector', [5, 4, 0, 0, 0, 9, 3, 0, 1, 2]],
    ['an old binary', [5, 6, 0, 0, 0, 2, 2, 0, 0, 0, 1, 2]],
    ['a regular expression', [11, 0x61, 0, 0x69, 0]],
    ['a code', [13, 2, 0, 0, 0, 0x61, 0]],
    ['a decimal', [19, ...list(16, (at) => at)]],
    ['an invalid date', [9, 255, 255, 255, 255, 255, 255, 255, 127]],
    ['a timestamp', [17, 1, 0, 0, 0, 2, 0, 0, 0]],
    ['an undefined', [6]],
    ['the least key', [255]],
    ['an empty document', [3, 5, 0, 0, 0, 0]],
    ['an array with keys of invalid UTF-8', [4, 9, 0, 0, 0, 10, 255, 255, 0, 0]],
  ])('accepts %s', async (_, element) => {
    expect(await decode({ id: 'bson', format: bson, bytes: sequence(element), options: { sequence: true } }, 60)).toHaveProperty('value');
  });

  test.each([
    ['a boolean of 2', [8, 2]],
    ['an unknown type', [0x20, 1]],
    ['a string without a zero', [2, 2, 0, 0, 0, 0x61, 0x61]],
    ['a string of negative length', [2, 255, 255, 255, 255]],
    ['a string past its document', [2, 9, 0, 0, 0, 0x61, 0]],
    ['a string of invalid UTF-8', [2, 2, 0, 0, 0, 255, 0]],
    ['a binary has a negative length', [5, 255, 255, 255, 255, 0]],
    ['a binary past its document', [5, 99, 0, 0, 0, 0, 1]],
    ['a document past its container', [3, 50, 0, 0, 0, 0]],
    ['a document of four bytes', [3, 4, 0, 0, 0]],
    ['a document is shorter than its length', [3, 7, 0, 0, 0, 0, 0]],
    ['an old binary with a wrong length', [5, 6, 0, 0, 0, 2, 3, 0, 0, 0, 1, 2]],
  ])('rejects %s, with the same error as the reader', async (_, element) => {
    expect(await decode({ id: 'bson', format: bson, bytes: sequence(element), options: { sequence: true } }, 60)).toHaveProperty('error');
  });

  test('gives the same result if values become Extended JSON or class instances', async () => {
    const bytes = encodeWith(bsonWriter, { list: list(90, nested) });
    for (const types of ['canonical', 'classes'] as const) {
      expect(await decode({ id: 'bson', format: bson, bytes, options: { types } }, 0)).toHaveProperty('value');
    }
  });
});
