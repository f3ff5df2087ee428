import { describe, expect, test } from 'vitest';
import cbor, { type CborOptions, CborSimple, CborTag, createReviveTag } from '../../../../../core/formats/cbor/index.ts';
import { assertSame, decodeWith, sameInEveryCut } from '../../../../setup/ways/differential.ts';
import { bytesOf } from './bytes.ts';

/** Value of `hex`, which must be the same in every cut. */
function valueOf(hex: string, options: CborOptions = {}): unknown {
  const result = sameInEveryCut(cbor, bytesOf(hex), { options });
  if ('error' in result) throw new Error(result.error);
  return result.value;
}

describe('reader of integers', () => {
  const most = '1b ffffffffffffffff';
  const least = '3b ffffffffffffffff';

  test.each<[string, CborOptions, unknown]>([
    ['1b 001fffffffffffff', {}, 2 ** 53 - 1],
    ['1b 0020000000000000', {}, 2n ** 53n],
    ['3b 001ffffffffffffe', {}, -(2 ** 53) + 1],
    ['3b 001fffffffffffff', {}, -(2n ** 53n)],
    ['3b 001fffffffffffff', { int64: 'number' }, -(2 ** 53)],
    ['3b 0020000000000000', {}, -(2n ** 53n) - 1n],
    [most, {}, 2n ** 64n - 1n],
    [least, {}, -(2n ** 64n)],
    [most, { int64: 'number' }, 2 ** 64],
    [least, { int64: 'number' }, -(2 ** 64)],
    // −2⁵³ − 2 lies between two doubles, and must be rounded only once.
    ['3b 0020000000000002', { int64: 'number' }, Number(-(2n ** 53n) - 3n)],
    ['1b 0000000000000005', { int64: 'bigint' }, 5n],
    ['3b 0000000000000005', { int64: 'bigint' }, -6n],
    ['1a 00000005', { int64: 'bigint' }, 5],
    [least, { int64: 'string' }, '-18446744073709551616'],
    ['1b 0000000000000005', { int64: 'string' }, '5'],
  ])('decodes: %s with %j', (hex, options, expected) => {
    assertSame(valueOf(hex, options), expected);
  });
});

describe('reader of bignums', () => {
  test.each<[string, CborOptions, unknown]>([
    ['c2 40', {}, 0n],
    ['c3 40', {}, -1n],
    ['c2 41 05', {}, 5n],
    ['c2 49 010000000000000000', {}, 2n ** 64n],
    ['c3 49 010000000000000000', {}, -(2n ** 64n) - 1n],
    ['c2 5f 42 0100 41 00 ff', {}, 65536n],
    ['c2 49 010000000000000000', { int64: 'number' }, 2 ** 64],
    ['c3 5f 49 010000000000000000 ff', { int64: 'string' }, '-18446744073709551617'],
  ])('decodes: %s with %j', (hex, options, expected) => {
    assertSame(valueOf(hex, options), expected);
  });
});

describe('reader of floats', () => {
  test.each([
    ['f9 8000', -0],
    ['fa 80000000', -0],
    ['fb 8000000000000000', -0],
    ['f9 7e00', NaN],
    ['f9 fe01', NaN],
    ['f9 fc00', -Infinity],
    ['f9 0001', 2 ** -24],
    ['f9 7bff', 65504],
  ])('decodes: %s', (hex, expected) => {
    assertSame(valueOf(hex), expected);
  });

  test.each([0.1, -3.14, 1e-7, 12345.67, 0, -0, Infinity, NaN])('returns the decimal %d for 32 bits', (value) => {
    const view = new DataView(new ArrayBuffer(5));
    view.setUint8(0, 0xfa);
    view.setFloat32(1, value);
    assertSame(decodeWith(cbor, new Uint8Array(view.buffer), { options: { float32: 'decimal' } }), value);
    assertSame(decodeWith(cbor, new Uint8Array(view.buffer)), Math.fround(value));
  });
});

describe('reader of indefinite-length strings', () => {
  test.each([
    ['5f ff', new Uint8Array(0)],
    ['7f ff', ''],
    ['7f 60 61 61 60 ff', 'a'],
    ['5f 41 01 58 02 0203 ff', Uint8Array.of(1, 2, 3)],
    ['82 7f 61 61 61 62 ff 5f 41 09 ff', ['ab', Uint8Array.of(9)]],
    ['a1 7f 61 61 61 62 ff 01', { ab: 1 }],
    ['bf 61 61 7f 62 c3a9 ff 61 62 f5 ff', { a: 'é', b: true }],
  ])('decodes or rejects: %s', (hex, expected) => {
    assertSame(valueOf(hex), expected);
  });
});

describe('reader of maps', () => {
  test('returns objects or Maps, depending on the first key', () => {
    assertSame(valueOf('a0'), {});
    assertSame(valueOf('bf ff'), {});
    assertSame(valueOf('a1 61 61 01'), { a: 1 });
    assertSame(
      valueOf('a2 01 02 61 61 03'),
      new Map<unknown, unknown>([
        [1, 2],
        ['a', 3],
      ]),
    );
    assertSame(valueOf('a1 80 01'), new Map([[[], 1]]));
    assertSame(valueOf('a1 c1 00 01'), new Map([[new Date(0), 1]]));
    assertSame(valueOf('82 bf 20 01 ff a1 61 61 a1 05 06'), [new Map([[-1, 1]]), { a: new Map([[5, 6]]) }]);
  });

  test('returns Maps with maps: map', () => {
    assertSame(valueOf('a1 61 61 bf ff', { maps: 'map' }), new Map([['a', new Map()]]));
  });

  test('returns objects with maps: object', () => {
    const hex = 'a8 01 01 20 02 f4 03 f6 04 f7 05 fb 3ff8000000000000 06 1b ffffffffffffffff 07 c2 49 010000000000000000 08';
    const keys = ['1', '-1', 'false', 'null', 'undefined', '1.5', '18446744073709551615', '18446744073709551616'];
    assertSame(valueOf(hex, { maps: 'object' }), Object.fromEntries(keys.map((key, i) => [key, i + 1])));
  });

  test('returns the last value of a repeated key, at its first position', () => {
    const value = valueOf('a3 61 61 01 61 62 02 61 61 03');
    assertSame(value, { a: 3, b: 2 });
  });

  test('preserves __proto__ as a property', () => {
    const value = valueOf('a1 69 5f5f70726f746f5f5f a1 61 61 01') as object;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.keys(value)).toEqual(['__proto__']);
  });

  test('supports long keys', () => {
    const key = 'k'.repeat(300);
    const hex = `a1 79 012c ${'6b'.repeat(300)} 01`;
    assertSame(decodeWith(cbor, bytesOf(hex)), { [key]: 1 });
    assertSame(decodeWith(cbor, bytesOf(hex), { chunkSizes: Array.from({ length: 306 }, () => 1) }), { [key]: 1 });
  });
});

describe('reader of tags', () => {
  test.each<[string, string, unknown]>([
    ['a date and time', 'c0 74 323031332d30332d32315432303a30343a30305a', new Date('2013-03-21T20:04:00Z')],
    ['an invalid date', 'c0 61 78', new Date(NaN)],
    ['seconds', 'c1 1a 514b67b0', new Date(1363896240_000)],
    ['seconds before 1970', 'c1 3a 00015180', new Date(-86_401_000)],
    ['1.005 seconds, which cbor2 converts to 1,004 ms', 'c1 fb 3ff0147ae147ae14', new Date(1005)],
    ['−0.0001 seconds', 'c1 fb bf1a36e2eb1c432d', new Date(0)],
    ['seconds past all dates', 'c1 1b ffffffffffffffff', new Date(NaN)],
    ['seconds that are not a number', 'c1 f9 7e00', new Date(NaN)],
    ['days', 'd8 64 19 4e20', new Date(20_000 * 86_400_000)],
    ['a date', 'd9 03ec 6a 313934302d31302d3039', new Date('1940-10-09')],
    ['a decimal fraction', 'c4 82 21 19 6ab3', 273.15],
    ['a decimal fraction of bignums', 'c4 82 32 c2 49 010000000000000000', 2 ** 64 / 1e19],
    ['a decimal fraction too large', 'c4 82 1b ffffffffffffffff 20', -Infinity],
    ['an empty decimal fraction', 'c4 82 1b ffffffffffffffff 00', 0],
    ['a bigfloat', 'c5 82 20 03', 1.5],
    ['a bigfloat below all numbers', 'c5 82 3b 7fffffffffffffff 20', -0],
    ['a bigfloat past all numbers', 'c5 82 19 0400 01', Infinity],
    ['the least bigfloat', 'c5 82 39 0431 01', 5e-324],
    ['a bigfloat halfway to the least, and a little more', 'c5 82 39 0871 c2 58 88 80' + '00'.repeat(134) + '01', 5e-324],
    ['a bigfloat halfway to the least', 'c5 82 39 0871 c2 58 88 80' + '00'.repeat(135), 0],
    ['a URI', 'd8 20 73 687474703a2f2f6578616d706c652e6f72672f', new URL('http://example.org/')],
    ['base64url', 'd8 21 63 5f2d38', Uint8Array.of(255, 239)],
    ['base64', 'd8 22 64 2f2b383d', Uint8Array.of(255, 239)],
    ['a regular expression', 'd8 23 63 61622b', /ab+/],
    ['an I-Regexp', 'd9 5249 63 61622b', /^(?:ab+)$/u],
    ['a regular expression with flags', 'd9 524a 82 63 61622b 62 6769', /ab+/gi],
    ['JSON', 'd9 0106 68 7b2261223a5b5d7d', { a: [] }],
    ['WTF-8', 'd9 0111 43 eda080', '\ud800'],
    ['a set', 'd9 0102 83 01 61 61 01', new Set([1, 'a'])],
    ['self-described CBOR', 'd9 d9f7 d9 d9f7 01', 1],
    ['embedded CBOR', 'd8 18 42 81 01', new CborTag(24, Uint8Array.of(0x81, 1))],
    ['an expected conversion', 'd5 81 01', new CborTag(21, [1])],
    ['a large tag', 'db 0020000000000000 01', new CborTag(2n ** 53n, 1)],
    ['a tag in a tag', 'd8 63 d8 64 d8 63 01', undefined],
  ])('converts tags by meaning: %s', (_, hex, expected) => {
    if (expected === undefined) expect(() => valueOf(hex)).toThrow('tag 100 requires a number');
    else assertSame(valueOf(hex), expected);
  });

  test.each<[number, string, ArrayBufferView]>([
    [64, '01ff', Uint8Array.of(1, 255)],
    [65, '0102', Uint16Array.of(0x0102)],
    [66, '01020304', Uint32Array.of(0x01020304)],
    [67, '0102030405060708', BigUint64Array.of(0x0102030405060708n)],
    [68, '01ff', Uint8ClampedArray.of(1, 255)],
    [69, '0201', Uint16Array.of(0x0102)],
    [70, '04030201', Uint32Array.of(0x01020304)],
    [71, '0807060504030201', BigUint64Array.of(0x0102030405060708n)],
    [72, '01ff', Int8Array.of(1, -1)],
    [73, 'fffe', Int16Array.of(-2)],
    [74, 'fffffffe', Int32Array.of(-2)],
    [75, 'fffffffffffffffe', BigInt64Array.of(-2n)],
    [77, 'feff', Int16Array.of(-2)],
    [78, 'feffffff', Int32Array.of(-2)],
    [79, 'feffffffffffffff', BigInt64Array.of(-2n)],
    [80, '3c00c000', Float32Array.of(1, -2)],
    [81, '3fc00000', Float32Array.of(1.5)],
    [82, '3ff8000000000000', Float64Array.of(1.5)],
    [84, '003c00c0', Float32Array.of(1, -2)],
    [85, '0000c03f', Float32Array.of(1.5)],
    [86, '000000000000f83f', Float64Array.of(1.5)],
  ])('returns the typed array of tag %i', (tag, content, expected) => {
    const length = content.length / 2;
    const head = `d8 ${tag.toString(16)}`;
    assertSame(valueOf(`${head} ${(0x40 + length).toString(16)} ${content}`), expected);
    // In chunks, and at an offset that is not a multiple of the element size.
    assertSame(valueOf(`82 01 ${head} 5f ${(0x40 + length).toString(16)} ${content} 40 ff`), [1, expected]);
  });

  test.each([76, 83, 87])('preserves tags of typed arrays that JavaScript lacks: %i', (tag) => {
    assertSame(valueOf(`d8 ${tag.toString(16)} 41 01`), new CborTag(tag, Uint8Array.of(1)));
  });

  test('preserves unknown tags', () => {
    assertSame(valueOf('c4 82 21 19 6ab3', { decimals: 'tag' }), new CborTag(4, [-2, 27315]));
    assertSame(valueOf('c5 82 20 c2 41 03', { decimals: 'tag' }), new CborTag(5, [-1, 3n]));
  });

  test('decodes embedded CBOR with embedded: value', () => {
    assertSame(valueOf('82 d8 18 43 82 01 02 03', { embedded: 'value' }), [[1, 2], 3]);
    assertSame(valueOf('d8 18 45 d8 18 42 61 61', { embedded: 'value' }), 'a');
  });

  test('converts tags with functions of the application', () => {
    const revive = createReviveTag({ 999: (content: number) => content * 2, '9007199254740992': () => 'large' });
    const decode = (hex: string): unknown => decodeWith(cbor, bytesOf(hex), { revive });
    assertSame(decode('83 d9 03e7 15 db 0020000000000000 f6 d9 03e8 01'), [42, 'large', new CborTag(1000, 1)]);
    assertSame(decode('f0'), new CborSimple(16));
  });
});

describe('reader of simple values', () => {
  test('returns JavaScript values for known numbers', () => {
    assertSame(valueOf('84 f4 f5 f6 f7'), [false, true, null, undefined]);
  });

  test('preserves unknown numbers', () => {
    assertSame(valueOf('83 e0 f3 f8 20'), [new CborSimple(0), new CborSimple(19), new CborSimple(32)]);
  });
});

describe('reader of sequences', () => {
  test.each<[string, unknown[]]>([
    ['', []],
    ['01', [1]],
    ['01 82 02 03 61 61 a0', [1, [2, 3], 'a', {}]],
    ['9f ff d9 d9f7 f6', [[], null]],
  ])('returns an array of the values: %s', (hex, expected) => {
    assertSame(valueOf(hex, { sequence: true }), expected);
  });
});
