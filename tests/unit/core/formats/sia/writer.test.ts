import { describe, expect, test } from 'vitest';
import sia, { createReviveTag, SiaConstructed } from '../../../../../core/formats/sia/index.ts';
import writer, { type SiaWriteOptions } from '../../../../../core/formats/sia/writer.ts';
import { assertSame, decodeWith } from '../../../../setup/ways/differential.ts';
import { encodeEveryWay, encodeWith } from '../../../../setup/ways/encode-with.ts';
import { firstDifference, hex, toHex } from '../../../../setup/values/hex.ts';
import fc from '../../../../setup/properties/property.ts';
import { anyValue } from './arbitrary.ts';
import { bufferOf, decode, encode as encodeByPackage, Far, Farther, hasZeroByte, plain, Point } from './reference.ts';

/** Cases per property, more than 20,000 in total. To change: `RUNS=10000 SEED=7 npx vitest …`. */
const settings = { numRuns: 5000 };
const args = ({ x, y }: Point): unknown[] => [x, y];
const constructors = [
  { class: Farther, code: 70_000, args },
  { class: Far, code: 300, args },
  { class: Point, code: 7, args },
];
const revive = createReviveTag({
  7: (x: number, y: unknown) => new Point(x, y),
  300: (x: number, y: unknown) => new Far(x, y),
  70_000: (x: number, y: unknown) => new Farther(x, y),
});
const encode = (value: unknown, options: SiaWriteOptions = {}): Uint8Array => encodeEveryWay(writer, value, { options, format: 'sia' });

describe('writer of every type', () => {
  test('survives a round trip', () => {
    fc.assert(
      fc.property(anyValue(true), (value) => {
        // This library preserves −0.
        const read = decodeWith(sia, encode(value, { constructors }), { revive });
        assertSame(plain(read), plain(value));
      }),
      settings,
    );
  });

  test('writes values that the package decodes, except nested Maps and Sets', () => {
    fc.assert(
      fc.property(anyValue(false), (value) => {
        const bytes = encodeWith(writer, value, { options: { constructors } });
        if (!hasZeroByte(value)) assertSame(plain(decode(bytes)), plain(value));
      }),
      settings,
    );
  });

  test('writes the bytes of the package if no key repeats and no number is −0', () => {
    fc.assert(
      fc.property(anyValue(true), (value) => {
        // The package writes its first key in full each time.
        const scalars = withoutObjects(plain(value));
        expect(toHex(encodeWith(writer, scalars, { options: { constructors } }))).toBe(packageHex(withBuffers(scalars)));
      }),
      settings,
    );
  });

  test('survives a round trip in sequences', () => {
    fc.assert(
      fc.property(fc.array(anyValue(true), { maxLength: 4 }), (values) => {
        const bytes = encode(values, { constructors, sequence: true });
        assertSame(plain(decodeWith(sia, bytes, { revive, options: { sequence: true } })), plain(values));
      }),
      settings,
    );
  });
});

describe('Sia writer', () => {
  test.each<[string, unknown, string, SiaWriteOptions?]>([
    [
      'keys, each written once',
      [
        { a: 1, b: 2 },
        { a: 3, b: 4 },
      ],
      '2f02 34 1b0161 0201 1b0162 0202 35 34 1500 0203 1501 0204 35',
    ],
    ['−0', -0, '11 0000000000000080'],
    ['an integer past 32 bits', 2 ** 32, '11 000000000000f041'],
    ['an integer past 32 bits as one', 2 ** 32, '0b 0000000001000000', { int64: 'integer' }],
    ['a bigint', -1n, '0b ffffffffffffffff'],
    ['an unsigned bigint of 64 bits', 2n ** 64n - 1n, '05 ffffffffffffffff'],
    ['a large bigint', 2n ** 64n, '07 09 000000000000000001'],
    ['a large negative bigint', -(2n ** 64n), '0d 09 0000000000000000ff'],
    ['a Date', new Date(1), '2c01 2f01 0201'],
    ['a Date as a block', new Date(1), '2b 0100000000000000', { builtins: false }],
    ['a RegExp', /a/g, '2c00 2f02 1b0161 1b0167'],
    ['a constructor', new SiaConstructed(300, [1]), '2d2c01 2f01 0201'],
    ['utfz of two high halves', 'a漢\0', '1b 08 61 006f 22 0000 0000'],
    ['bytes', new Uint8Array([1, 2]), '2202 0102'],
    ['an instance, by its own keys', new Point(1, null), '34 1b0178 0201 1b0179 00 35'],
    ['boxed values', [Object(1), Object('a')], '2f02 0201 1b0161'],
  ])('writes the specified bytes of %s', (_, value, bytes, options) => {
    expect(toHex(encode(value, options))).toBe(toHex(hex(bytes)));
  });

  test.each([59, 60, 85, 86, 255, 256, 21_845, 65_536])('round-trips strings, lists, binaries and keys of length %d', (length) => {
    const value = [
      'x'.repeat(length),
      'é'.repeat(length),
      new Array(length).fill(true),
      new Uint8Array(length),
      { ['k'.repeat(length)]: 1, o: Object.fromEntries(Array.from({ length }, (_, index) => [`k${index}`, index])) },
    ];
    const both = [value, length > 1_000 ? 'more' : value];
    const bytes = encodeWith(writer, both, { inTurns: true });
    assertSame(decodeWith(sia, bytes), both);
    expect(firstDifference(bytes, encodeWith(writer, both))).toBe(-1);
  });
});

describe('Sia writer', () => {
  const cycle = new Map<string, unknown>();
  cycle.set('again', [cycle]);
  let deep: unknown = {};
  for (let index = 0; index < 100_000; index += 1) deep = { deep };

  test.each<[string, unknown, object, SiaWriteOptions?]>([
    ['a function', { a: [Math.max] }, { code: 'unsupported', path: ['a', 0] }],
    ['an Error', [new Error('no')], { code: 'unsupported', path: [0] }],
    ['numbers in memory', [new Float64Array(1)], { code: 'unsupported', path: [0] }],
    ['a RegExp without constructors', [/a/], { code: 'unsupported', path: [0] }, { builtins: false }],
    ['a Date before 1970 without constructors', new Date(-1), { code: 'range' }, { builtins: false }],
    ['a lone surrogate in a string of UTF-8', ['x'.repeat(60) + '\ud800'], { code: 'text', path: [0] }],
    ['an invalid constructor code', new SiaConstructed(-1, []), { code: 'range' }],
    ['a bigint of more than 255 bytes', 2n ** 2040n, { code: 'range' }],
    ['a cycle', cycle, { code: 'cycle', path: ['again', 0] }],
    ['a hundred thousand nested objects', deep, { code: 'depth' }],
    ['a sequence that is not an array', {}, { code: 'type' }, { sequence: true }],
  ])('rejects %s', (_, value, error, options = {}) => {
    expect(() => encodeWith(writer, value, { options, format: 'sia' })).toThrow(
      expect.objectContaining({ name: 'EncodeError', format: 'sia', ...error }),
    );
  });
});

/** Replaces plain objects with lists, and −0 with 0. */
function withoutObjects(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutObjects);
  if (value instanceof Set) return new Set([...value].map(withoutObjects));
  if (value instanceof Map) return new Map([...value].map(([key, item]) => [withoutObjects(key), withoutObjects(item)]));
  if (value instanceof Point) return [value.x, withoutObjects(value.y)];
  if (Object.getPrototypeOf(value ?? 0) !== Object.prototype) return value;
  return Object.values(value as object).map(withoutObjects);
}

/** Bytes written by the package. Its Buffer for browsers writes other NaN bits than Node and other engines. */
function packageHex(value: unknown): string {
  const written = toHex(encodeByPackage(value));
  return globalThis.process?.versions?.node === undefined ? written.replaceAll('010000000000f07f', '000000000000f87f') : written;
}

/** Converts bytes to Buffers, the only byte class that the package writes. */
function withBuffers(value: unknown): unknown {
  if (value instanceof Uint8Array) return bufferOf(value);
  if (Array.isArray(value)) return value.map(withBuffers);
  if (value instanceof Set) return new Set([...value].map(withBuffers));
  if (value instanceof Map) return new Map([...value].map(([key, item]) => [withBuffers(key), withBuffers(item)]));
  return value;
}
