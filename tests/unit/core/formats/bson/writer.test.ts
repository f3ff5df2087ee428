import * as package_ from 'bson';
import { deserialize, EJSON, serialize } from 'bson';
import { describe, expect, test } from 'vitest';
import bson, { BsonValue, createReviveTag } from '../../../../../core/formats/bson/index.ts';
import writer, { type BsonWriteOptions } from '../../../../../core/formats/bson/writer.ts';
import { assertSame, decodeWith } from '../../../../setup/ways/differential.ts';
import { encodeEveryWay, encodeWith } from '../../../../setup/ways/encode-with.ts';
import { firstDifference, hex, toHex } from '../../../../setup/values/hex.ts';
import fc from '../../../../setup/properties/property.ts';
import { anyDocument } from './arbitrary.ts';

/** Cases per property, more than 20,000 in total. To change: `RUNS=10000 SEED=7 npx vitest …`. */
const settings = { numRuns: 4000 };
const encode = (value: unknown, options: BsonWriteOptions = {}): Uint8Array => encodeEveryWay(writer, value, { options, format: 'bson' });

/** Encoded value; undefined if it contains an invalid Date, which the package writes as 1970. */
function encodeValid(value: unknown, options: BsonWriteOptions): Uint8Array | undefined {
  try {
    return encode(value, options);
  } catch (error) {
    expect(error).toMatchObject({ reason: 'an invalid Date' });
    return undefined;
  }
}

describe('writer of every type', () => {
  test('writes the same bytes as the bson package', () => {
    fc.assert(
      fc.property(anyDocument, (value) => {
        const bytes = encodeValid(value, { undefined: 'null' });
        if (bytes !== undefined) expect(toHex(bytes)).toBe(toHex(serialize(value, { ignoreUndefined: false })));
      }),
      settings,
    );
  });

  test('round-trips BsonValues and the package’s classes', () => {
    const revive = createReviveTag(package_);
    fc.assert(
      fc.property(anyDocument, (value) => {
        const bytes = serialize(value, { ignoreUndefined: false });
        const options = { types: 'classes', promoteValues: false, int64: 'bigint' };
        expect(toHex(encodeWith(writer, decodeWith(bson, bytes, { options })))).toBe(toHex(bytes));
        expect(toHex(encodeWith(writer, decodeWith(bson, bytes, { options, revive })))).toBe(toHex(bytes));
      }),
      settings,
    );
  });

  test('round-trips canonical Extended JSON', () => {
    fc.assert(
      fc.property(anyDocument, (value) => {
        const bytes = serialize(value, { ignoreUndefined: false });
        const canonical = decodeWith(bson, bytes, { options: { types: 'canonical' } });
        // The text of a NaN decimal loses its other bits.
        const again = encodeEveryWay(writer, canonical, { options: { types: 'canonical' } });
        assertSame(decodeWith(bson, again, { options: { types: 'canonical' } }), canonical);
      }),
      settings,
    );
  });

  test('writes sequences that the package decodes', () => {
    fc.assert(
      fc.property(fc.array(anyDocument, { maxLength: 3 }), (values) => {
        const bytes = encodeValid(values, { sequence: true, undefined: 'null' });
        if (bytes !== undefined) expect(toHex(bytes)).toBe(values.map((value) => toHex(serialize(value, { ignoreUndefined: false }))).join(''));
      }),
      settings,
    );
  });
});

class Point {
  x = 1;
  y = 2;
}

describe('BSON writer', () => {
  const document = (elements: string): string => {
    const length = hex(elements).length + 5;
    return toHex(hex(`${toHex(Uint8Array.of(length, length >> 8, length >> 16, length >> 24))}${elements}00`));
  };

  test.each<[string, unknown, string, BsonWriteOptions?]>([
    ['−0, a double', { a: -0 }, '016100 0000000000000080'],
    ['2³¹, a double', { a: 2 ** 31 }, '016100 000000000000e041'],
    ['2³¹, an integer', { a: 2 ** 31 }, '126100 0000008000000000', { int64: 'integer' }],
    ['−2⁵³ + 1, an integer', { a: -(2 ** 53) + 1 }, '126100 010000000000e0ff', { int64: 'integer' }],
    ['undefined', { a: undefined, b: [undefined] }, '066100 046200 08000000 063000 00'],
    ['undefined as null', { a: undefined, b: [undefined] }, '0a6100 046200 08000000 0a3000 00', { undefined: 'null' }],
    ['omitted values', { a: undefined, b: [undefined] }, '046200 08000000 0a3000 00', { undefined: 'skip' }],
    [
      'a Map',
      new Map<string, unknown>([
        ['a', null],
        ['1', true],
      ]),
      '0a6100 083100 01',
    ],
    ['an instance, by its own keys', new Point(), '107800 01000000 107900 02000000'],
    [
      'results of toBSON',
      {
        a: { toBSON: () => 1 },
        b: new (class {
          toBSON(): unknown {
            return null;
          }
        })(),
      },
      '036100 05000000 00 0a6200',
      {},
    ],
    ['bytes', { a: Uint8Array.of(7) }, '056100 01000000 00 07'],
    ['a vector of integers', { a: Int8Array.of(-1) }, '056100 03000000 09 03 00 ff'],
    ['a vector of floats', { a: Float32Array.of(1) }, '056100 06000000 09 27 00 0000803f'],
    ['a RegExp', { a: /x/gim }, '0b6100 7800 696d7300'],
    ['a RegExp whose dot matches all', { a: /x/s }, '0b6100 7800 7300', { regExpS: 'dotAll' }],
    ['a BsonValue', { a: new BsonValue('Timestamp', [1, 2]) }, '116100 02000000 01000000'],
    ['a document that looks like Extended JSON', { a: { $minKey: 1 } }, '036100 12000000 10246d696e4b657900 01000000 00'],
    ['Extended JSON', { a: { $minKey: 1 }, b: { $minKey: 2 } }, 'ff6100 036200 12000000 10246d696e4b657900 02000000 00', { types: 'relaxed' }],
    ['legacy Extended JSON', { a: { $binary: 'Bw==', $type: '00' } }, '056100 01000000 00 07', { types: 'relaxed' }],
    [
      'a UUID of Extended JSON',
      { a: { $uuid: '00112233-4455-6677-8899-aabbccddeeff' } },
      '056100 10000000 04 00112233445566778899aabbccddeeff',
      { types: 'relaxed' },
    ],
    ['a date of relaxed Extended JSON', { a: { $date: '1970-01-01T00:00:00.001Z' } }, '096100 0100000000000000', { types: 'relaxed' }],
  ])('writes the specified bytes of %s', (name, value, elements, options) => {
    const given = name === 'results of toBSON' ? { b: (value as { b: unknown }).b } : value;
    const expected = name === 'results of toBSON' ? '0a6200' : elements;
    expect(toHex(encode(given, options))).toBe(document(expected));
  });

  test.each([
    '0',
    '-0',
    '1.10',
    '1E+6111',
    '10E-6176',
    '9.999999999999999999999999999999999E+6144',
    '1E+6144',
    '-Infinity',
    'NaN',
    '0E+9999',
    '123.4567890123456789012345678901234',
  ])('writes the decimal %s as the bson package does', (text) => {
    const value = { a: { $numberDecimal: text } };
    expect(toHex(encode(value, { types: 'canonical' }))).toBe(toHex(serialize(EJSON.parse(JSON.stringify(value)) as never)));
  });
});

test('writes long keys, strings, lists and binaries across chunks', () => {
  const value = {
    ['k'.repeat(100_000)]: 'é'.repeat(100_000),
    list: Array.from({ length: 12_000 }, (_, index) => `item ${index}`),
    rows: Array.from({ length: 3_000 }, (_, id) => ({ id, name: 'x'.repeat(id % 90), at: { x: id / 3 } })),
    bytes: new Uint8Array(300_000).fill(7),
    code: new BsonValue('Code', ['f()', { list: Array.from({ length: 10_000 }, (_, index) => index) }]),
  };
  const bytes = encodeWith(writer, value, { inTurns: true });
  expect(firstDifference(bytes, encodeWith(writer, value))).toBe(-1);
  const read = deserialize(bytes) as typeof value;
  assertSame(read.rows, value.rows);
  assertSame(read.list, value.list);
});

describe('BSON writer', () => {
  const cycle: Record<string, unknown> = {};
  cycle['again'] = [cycle];
  let deep: unknown = {};
  for (let index = 0; index < 100_000; index += 1) deep = { deep };

  test.each<[string, unknown, object, BsonWriteOptions?]>([
    ['an array as a document', [1], { code: 'type' }],
    ['a number as a document', 1, { code: 'type' }],
    ['a Date as a document', new Date(), { code: 'type' }],
    ['Extended JSON as a document', { $minKey: 1 }, { code: 'type' }, { types: 'relaxed' }],
    ['a function', { a: [Math.max] }, { code: 'unsupported', path: ['a', 0] }],
    ['a Set', { a: new Set() }, { code: 'unsupported', path: ['a'] }],
    ['an Error', { a: new Error('no') }, { code: 'unsupported', path: ['a'] }],
    ['a Map whose keys are not strings', { a: new Map([[1, 2]]) }, { code: 'unsupported', path: ['a'] }],
    ['64-bit floats in memory', { a: new Float64Array(1) }, { code: 'unsupported', path: ['a'] }],
    ['a RegExp with a flag that BSON lacks', { a: /x/y }, { code: 'unsupported', path: ['a'] }],
    ['the bigint does not fit 64 bits', { a: 2n ** 63n }, { code: 'range', path: ['a'] }],
    ['an invalid Date', { a: new Date(Number.NaN) }, { code: 'range', path: ['a'] }],
    ['a zero character in a key', { a: { 'b\0': 1 } }, { code: 'text', path: ['a', 'b\0'] }],
    ['a lone surrogate', { a: '\ud800' }, { code: 'text', path: ['a'] }],
    ['a lone surrogate in a key', { '\ud800': 1 }, { code: 'text', path: ['\ud800'] }],
    ['a decimal of 35 digits', { a: { $numberDecimal: '1'.repeat(35) } }, { code: 'range', path: ['a'] }, { types: 'canonical' }],
    ['an invalid ObjectId', { a: { $oid: 'zz' } }, { code: 'range', path: ['a'] }, { types: 'canonical' }],
    ['a cycle', cycle, { code: 'cycle', path: ['again', 0] }],
    ['a hundred thousand nested documents', deep, { code: 'depth' }],
    ['a sequence that is not an array', {}, { code: 'type' }, { sequence: true }],
    ['a document of a sequence', [{}, { a: Math.max }], { code: 'unsupported', path: [1, 'a'] }, { sequence: true }],
  ])('rejects %s', (_, value, error, options = {}) => {
    expect(() => encodeWith(writer, value, { options, format: 'bson' })).toThrow(
      expect.objectContaining({ name: 'EncodeError', format: 'bson', ...error }),
    );
  });
});
