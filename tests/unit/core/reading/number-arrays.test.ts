import { Double, serialize } from 'bson';
import { Encoder } from 'cbor-x';
import { Packr } from 'msgpackr';
import { describe, expect, test } from 'vitest';
import bson from '../../../../core/formats/bson/index.ts';
import cbor from '../../../../core/formats/cbor/index.ts';
import messagepack from '../../../../core/formats/messagepack/index.ts';
import { assertSame, decodeWith, outcome, sameInEveryCut } from '../../../setup/ways/differential.ts';

const formats = {
  messagepack: {
    format: messagepack,
    encode: (value: unknown) => Uint8Array.from(new Packr({ useRecords: false, variableMapSize: true }).pack(value)),
  },
  cbor: { format: cbor, encode: (value: unknown) => Uint8Array.from(new Encoder({ useRecords: false, variableMapSize: true }).encode(value)) },
};

const lists: [name: string, list: unknown[]][] = [
  ['two floats', [1.5, -2.5]],
  [
    'all kinds of numbers',
    [0.5, 0, 63, 64, 127, 128, 255, 256, 65_535, 65_536, 2 ** 31, 2 ** 32 - 1, -1, -32, -33, -128, -129, -32_769, -(2 ** 31), 1e300, NaN, Infinity],
  ],
  ['integers', [0, 1, 100, 200, 300, 70_000, 2 ** 31, 2 ** 32 - 1, -5, -200, -40_000]],
  ['large integers', [1, 2 ** 40, 3.5]],
  ['short arrays, and others between', [[1, 2], [3.5, 4], [], [5], ['six', 6], [7, 8], [9, [10]], 11, [12, 13], [14], {}]],
  ['numbers, then others', [1.5, 2, 'three', null, 4.5, 5, [6.5, 7], 8.5, { nine: [9.5] }, true]],
];

describe.each(Object.entries(formats))('reader of number arrays in %s', (_, { format, encode }) => {
  test.each(lists)('returns the same value in every cut: %s', (_name, list) => {
    const value = [list, { list, after: [1, [list]] }];
    assertSame(sameInEveryCut(format, encode(value)), { value });
  });

  test.each([511, 512, 513, 1023, 1024, 1025, 5000])('returns the same value in chunks: %i numbers', (length) => {
    const value = { integers: Array.from({ length }, (_none, at) => at - 100), floats: Array.from({ length }, (_none, at) => at / 4), end: 'x' };
    const bytes = encode(value);
    for (const size of [bytes.length, 1000, 77]) {
      assertSame(decodeWith(format, bytes, { chunkSizes: Array.from({ length: Math.ceil(bytes.length / size) }, () => size) }), value);
    }
  });

  test('counts them towards the limits of depth and values', () => {
    const bytes = encode([
      [
        [1.5, 2.5],
        [1, 2],
      ],
    ]);
    expect(outcome(() => decodeWith(format, bytes, { limits: { depth: 2 } }))).toMatchObject({
      error: expect.stringMatching(/^LimitError \|.*depth \| 2 /) as unknown,
    });
    assertSame(decodeWith(format, bytes, { limits: { depth: 3 } }), [
      [
        [1.5, 2.5],
        [1, 2],
      ],
    ]);
    expect(outcome(() => decodeWith(format, bytes, { limits: { values: 7 } }))).toMatchObject({
      error: expect.stringMatching(/^LimitError \|.*values \|/) as unknown,
    });
    assertSame(decodeWith(format, bytes, { limits: { values: 8 } }), [
      [
        [1.5, 2.5],
        [1, 2],
      ],
    ]);
  });
});

describe('reader of number arrays in BSON', () => {
  test.each(lists)('returns the same value in every cut: %s', (_name, list) => {
    const value = { list, after: [1, [list]] };
    assertSame(sameInEveryCut(bson, serialize(value)), { value });
  });

  test.each([511, 512, 513, 5000])('returns the same value in chunks: %i numbers', (length) => {
    const value = {
      integers: Array.from({ length }, (_none, at) => at - 100),
      floats: Array.from({ length }, (_none, at) => at / 4 + 0.1),
      end: 'x',
    };
    const bytes = serialize(value);
    for (const size of [bytes.length, 1000, 77]) {
      assertSame(decodeWith(bson, bytes, { chunkSizes: Array.from({ length: Math.ceil(bytes.length / size) }, () => size) }), value);
    }
  });

  test('counts them towards the limits of depth, values and key length', () => {
    const value = { a: [[1.5, 2.5], [1, 2], []] };
    const bytes = serialize(value);
    const named = (limit: string): object => ({ error: expect.stringMatching(new RegExp(`^LimitError \\|.*${limit} \\|`)) as unknown });
    expect(outcome(() => decodeWith(bson, bytes, { limits: { depth: 2 } }))).toMatchObject(named('depth'));
    assertSame(decodeWith(bson, bytes, { limits: { depth: 3 } }), value);
    expect(outcome(() => decodeWith(bson, bytes, { limits: { values: 8 } }))).toMatchObject(named('values'));
    assertSame(decodeWith(bson, bytes, { limits: { values: 9 } }), value);
    // int32 with the key `00`
    const longKey = Uint8Array.of(21, 0, 0, 0, 0x04, 0x61, 0, 13, 0, 0, 0, 0x10, 0x30, 0x30, 0, 7, 0, 0, 0, 0, 0);
    assertSame(decodeWith(bson, longKey, { limits: { stringLength: 3 } }), { a: [7] });
    expect(outcome(() => decodeWith(bson, longKey, { limits: { stringLength: 1 } }))).toMatchObject(named('stringLength'));
  });

  test('preserves a negative zero', () => {
    assertSame(decodeWith(bson, serialize({ a: [new Double(-0), 0, new Double(-0)] })), { a: [-0, 0, -0] });
  });
});

test('an array of numbers preserves a negative zero', () => {
  const zero = [0x80, 0, 0, 0, 0, 0, 0, 0];
  // float 64, fixint 0, float 64
  assertSame(decodeWith(messagepack, Uint8Array.of(0x93, 0xcb, ...zero, 0, 0xcb, ...zero)), [-0, 0, -0]);
  assertSame(decodeWith(cbor, Uint8Array.of(0x83, 0xfb, ...zero, 0, 0xfb, ...zero)), [-0, 0, -0]);
});

test('short arrays of numbers end with their parent array, of known length or not', () => {
  const pairs = [0x82, 1, 2, 0x82, 3, 4];
  assertSame(sameInEveryCut(cbor, Uint8Array.of(0x82, 0x9f, ...pairs, 0xff, 0x82, 5, 6)), {
    value: [
      [
        [1, 2],
        [3, 4],
      ],
      [5, 6],
    ],
  });
  expect(outcome(() => decodeWith(cbor, Uint8Array.of(0x81, ...pairs)))).toMatchObject({
    error: expect.stringMatching(/trailing-bytes/) as unknown,
  });
});

test('a msgpackr record id is not read as a number of an array', () => {
  const value = [{ id: 1 }, [1, { id: 2 }, 3], [1.5, { id: 4 }, 64], [{ id: 5 }]];
  const bytes = Uint8Array.from(new Packr({ useRecords: true }).pack(value));
  assertSame(sameInEveryCut(messagepack, bytes), { value });
});
