import { describe, expect, test } from 'vitest';
import messagepack, { createReviveTag, MessagePackExtension } from '../../../../../core/formats/messagepack/index.ts';
import { assertSame, decodeWith, sameInEveryCut } from '../../../../setup/ways/differential.ts';
import { bytesOf, hex } from '../../../../setup/values/hex.ts';

const nested = (depth: number): unknown => (depth === 0 ? [] : [nested(depth - 1)]);
const big = (count: number, byte: number): number[] => Array.from({ length: count }, () => byte);
const extension = (type: number, ...data: number[]): MessagePackExtension => new MessagePackExtension(type, Uint8Array.from(data));

/** Every format of the specification: name, bytes, value. */
const forms: [string, Uint8Array, unknown][] = [
  ['nil', hex('c0'), null],
  ['false', hex('c2'), false],
  ['true', hex('c3'), true],
  ['positive fixint, the least', hex('00'), 0],
  ['positive fixint, the greatest', hex('7f'), 127],
  ['negative fixint, the least', hex('e0'), -32],
  ['negative fixint, the greatest', hex('ff'), -1],
  ['uint 8', hex('cc ff'), 255],
  ['uint 16', hex('cd ffff'), 65_535],
  ['uint 32', hex('ce ffffffff'), 4_294_967_295],
  ['uint 64', hex('cf 0000000100000000'), 4_294_967_296],
  ['uint 64, the greatest safe', hex('cf 001fffffffffffff'), Number.MAX_SAFE_INTEGER],
  ['uint 64, 2 to the 53rd', hex('cf 0020000000000000'), 2n ** 53n],
  ['uint 64, one more', hex('cf 0020000000000001'), 2n ** 53n + 1n],
  ['uint 64, the greatest', hex('cf ffffffffffffffff'), 2n ** 64n - 1n],
  ['int 8', hex('d0 80'), -128],
  ['int 8, positive', hex('d0 7f'), 127],
  ['int 16', hex('d1 8000'), -32_768],
  ['int 32', hex('d2 80000000'), -2_147_483_648],
  ['int 64', hex('d3 fffffffeffffffff'), -4_294_967_297],
  ['int 64, zero', hex('d3 0000000000000000'), 0],
  ['int 64, the least safe', hex('d3 ffe0000000000001'), Number.MIN_SAFE_INTEGER],
  ['int 64, minus 2 to the 53rd', hex('d3 ffe0000000000000'), -(2n ** 53n)],
  ['int 64, one less', hex('d3 ffdfffffffffffff'), -(2n ** 53n) - 1n],
  ['int 64, the least', hex('d3 8000000000000000'), -(2n ** 63n)],
  ['float 32', hex('ca 3fc00000'), 1.5],
  ['float 32, not exact in decimal', hex('ca 3dcccccd'), Math.fround(0.1)],
  ['float 32, minus zero', hex('ca 80000000'), -0],
  ['float 32, infinity', hex('ca 7f800000'), Infinity],
  ['float 64', hex('cb 3ff199999999999a'), 1.1],
  ['float 64, minus zero', hex('cb 8000000000000000'), -0],
  ['float 64, not a number', hex('cb 7ff8000000000000'), NaN],
  ['float 64, minus infinity', hex('cb fff0000000000000'), -Infinity],
  ['fixstr, empty', hex('a0'), ''],
  ['fixstr', bytesOf(0xa5, 'hello'), 'hello'],
  ['fixstr of 31 bytes', bytesOf(0xbf, 'x'.repeat(31)), 'x'.repeat(31)],
  ['str 8', bytesOf(0xd9, 4, 'ü😀'.slice(0, 1), 'ab'), 'üab'],
  ['str 16', bytesOf(0xda, 0, 4, '😀'), '😀'],
  ['str 32', bytesOf(0xdb, 0, 0, 0, 3, '€'), '€'],
  ['str with a byte order mark', bytesOf(0xa4, '\ufeffa'), '\ufeffa'],
  ['bin 8', hex('c4 02 0102'), Uint8Array.of(1, 2)],
  ['bin 16', hex('c5 0001 ff'), Uint8Array.of(255)],
  ['bin 32, empty', hex('c6 00000000'), new Uint8Array(0)],
  ['fixarray, empty', hex('90'), []],
  ['fixarray', hex('93 01 c0 90'), [1, null, []]],
  ['array 16', bytesOf(0xdc, 0, 16, big(16, 7)), big(16, 7)],
  ['array 32', hex('dd 00000002 c2 c3'), [false, true]],
  ['fixmap, empty', hex('80'), {}],
  ['fixmap', bytesOf(0x82, 0xa1, 'a', 1, 0xa1, 'b', 0x80), { a: 1, b: {} }],
  ['map 16', bytesOf(0xde, 0, 1, 0xa1, 'a', 0xc0), { a: null }],
  ['map 32', bytesOf(0xdf, 0, 0, 0, 1, 0xa0, 5), { '': 5 }],
  ['a map with keys of every length', bytesOf(0x83, 0xd9, 1, 'a', 1, 0xda, 0, 1, 'b', 2, 0xdb, 0, 0, 0, 1, 'c', 3), { a: 1, b: 2, c: 3 }],
  ['a map with a duplicate key', bytesOf(0x83, 0xa1, 'a', 1, 0xa1, 'b', 2, 0xa1, 'a', 3), { a: 3, b: 2 }],
  ['fixext 1', hex('d4 05 01'), extension(5, 1)],
  ['fixext 2', hex('d5 80 0102'), extension(-128, 1, 2)],
  ['fixext 4', hex('d6 7f 01020304'), extension(127, 1, 2, 3, 4)],
  ['fixext 8', hex('d7 01 0102030405060708'), extension(1, 1, 2, 3, 4, 5, 6, 7, 8)],
  ['fixext 16', bytesOf(0xd8, 1, big(16, 9)), extension(1, ...big(16, 9))],
  ['ext 8, empty', hex('c7 00 05'), extension(5)],
  ['ext 8', hex('c7 03 05 010203'), extension(5, 1, 2, 3)],
  ['ext 16', hex('c8 0003 fe 010203'), extension(-2, 1, 2, 3)],
  ['ext 32', hex('c9 00000003 05 010203'), extension(5, 1, 2, 3)],
  ['timestamp 32', hex('d6 ff 5f5e1000'), new Date(1_600_000_000_000)],
  ['timestamp 32, the greatest', hex('d6 ff ffffffff'), new Date(4_294_967_295_000)],
  ['timestamp 64', hex('d7 ff 77359400 5f5e1000'), new Date(1_600_000_000_500)],
  ['timestamp 64, the greatest', hex('d7 ff ee6b27ff ffffffff'), new Date((2 ** 34 - 1) * 1000 + 999_999_999 / 1e6)],
  ['timestamp 96', hex('c7 0c ff 1dcd6500 000000005f5e1000'), new Date(1_600_000_000_500)],
  ['timestamp 96, before 1970', hex('c7 0c ff 00000000 ffffffffffffffff'), new Date(-1000)],
  ['timestamp 96, before 1970 with a fraction', hex('c7 0c ff 1dcd6500 ffffffffffffffff'), new Date(-500)],
  ['timestamp 96, the last that a Date has', hex('c7 0c ff 00000000 000007dba8218000'), new Date(8.64e15)],
  ['timestamp 96, beyond', hex('c7 0c ff 00000000 000007dba8218001'), new Date(NaN)],
  ['deeply nested arrays', bytesOf(big(60, 0x91), 0x90), nested(60)],
  [
    'mixed',
    bytesOf(0x82, 0xa1, 'x', 0x92, 0xcb, 0x40, 9, 0x21, 0xfb, 0x54, 0x44, 0x2d, 0x18, 0xd9, 2, 'no', 0xa1, 'y', 0xc4, 1, 7),
    {
      x: [Math.PI, 'no'],
      y: Uint8Array.of(7),
    },
  ],
];

describe('the reader', () => {
  test.each(forms)('decodes every format of the specification: %s', (_, bytes, value) => {
    assertSame(sameInEveryCut(messagepack, bytes), { value });
    assertSame(sameInEveryCut(messagepack, bytes, { options: { msgpackr: false } }), { value });
  });

  test('decodes all formats of the specification in one array, and as keys and values of a Map', () => {
    const all = forms.map(([, bytes]) => bytes);
    const values = forms.map(([, , value]) => value);
    assertSame(decodeWith(messagepack, bytesOf(0xdc, 0, all.length, ...all)), values);
    const plain = forms.filter(([, , value]) => Object.prototype.toString.call(value) !== '[object Object]');
    const pairs = plain.flatMap(([, bytes]) => [0x92, bytes, 0, bytes]);
    const map = decodeWith(messagepack, bytesOf(0xde, 0, plain.length, ...pairs), { options: { maps: 'map' } });
    assertSame(map, new Map(plain.map(([, , value]) => [[value, 0], value])));
  });

  test('decodes __proto__ as an own property', () => {
    const bytes = bytesOf(0x82, 0xa9, '__proto__', 0x81, 0xa1, 'x', 1, 0xa1, 'y', 2);
    const expected: Record<string, unknown> = {};
    Object.defineProperty(expected, '__proto__', {
      value: { x: 1 },
      enumerable: true,
      configurable: true,
      writable: true,
    });
    expected['y'] = 2;
    assertSame(sameInEveryCut(messagepack, bytes), { value: expected });
  });
});

describe('reader', () => {
  const integers = bytesOf(0x94, 0xcf, 0, 0, 0, 0, 0, 0, 0, 5, hex('d3 ffffffffffffffff cf ffffffffffffffff d3 8000000000000001'));

  test.each([
    ['auto', [5, -1, 2n ** 64n - 1n, -(2n ** 63n) + 1n]],
    ['number', [5, -1, 2 ** 64, -(2 ** 63)]],
    ['bigint', [5n, -1n, 2n ** 64n - 1n, -(2n ** 63n) + 1n]],
    ['string', ['5', '-1', '18446744073709551615', '-9223372036854775807']],
  ])('selects the type of 64-bit integers by int64: %s', (int64, value) => {
    assertSame(sameInEveryCut(messagepack, integers, { options: { int64 } }), { value });
  });

  test('selects the shortest decimals for 32-bit floats by float32: decimal', () => {
    const numbers = [0.1, 7.99, -3.4e38, 1.5e-38, -0, Infinity, 40.730_61, 16_777_216];
    const view = new DataView(new ArrayBuffer(4));
    const parts = numbers.map((number) => {
      view.setFloat32(0, number);
      return [0xca, ...new Uint8Array(view.buffer)];
    });
    const bytes = bytesOf(0x90 + numbers.length, ...parts);
    const decimal = [0.1, 7.99, -3.4e38, 1.5e-38, 0, Infinity, 40.730_61, 16_777_220];
    expect(sameInEveryCut(messagepack, bytes, { options: { float32: 'decimal' } })).toEqual({ value: decimal });
    assertSame(decodeWith(messagepack, bytes), numbers.map(Math.fround));
    assertSame(decodeWith(messagepack, bytesOf(0x81, parts[0]!, 1), { options: { float32: 'decimal' } }), { 0.1: 1 });
  });

  test('selects strings or original keys by maps, for keys that are not strings', () => {
    const keys = [hex('05'), hex('ff'), hex('cc c8'), hex('cd 0100'), hex('ce 00010000'), hex('d0 9c'), hex('d1 ff00'), hex('d2 ffff0000')];
    const others = [
      hex('cf 0000000100000000'),
      hex('d3 ffdfffffffffffff'),
      hex('ca 3fc00000'),
      hex('cb 3ff199999999999a'),
      hex('c0'),
      hex('c2'),
      hex('c3'),
      hex('d4 00 00'),
    ];
    const all = [...keys, ...others];
    const bytes = bytesOf(0xde, 0, all.length, ...all.flatMap((key, i) => [key, i]));
    const names = [5, -1, 200, 256, 65_536, -100, -256, -65_536, 4_294_967_296, -(2n ** 53n) - 1n, 1.5, 1.1, null, false, true, undefined];
    assertSame(sameInEveryCut(messagepack, bytes), {
      value: Object.fromEntries(names.map((name, i) => [String(name), i])),
    });
    assertSame(sameInEveryCut(messagepack, bytes, { options: { maps: 'map' } }), {
      value: new Map(names.map((name, i) => [name, i])),
    });
  });

  test('accepts any number of values by sequence', () => {
    const options = { sequence: true };
    assertSame(sameInEveryCut(messagepack, bytesOf(0x92, 1, 2, 0xc0, 0xa1, 'x', 0x80), { options }), {
      value: [[1, 2], null, 'x', {}],
    });
    assertSame(decodeWith(messagepack, hex('01'), { options }), [1]);
    assertSame(decodeWith(messagepack, hex(''), { options }), []);
  });

  test('leaves extension types to the application by msgpackr: false', () => {
    const options = { msgpackr: false };
    for (const [bytes, type] of [
      ['d4 00 00', 0],
      ['d6 62 00000005', 0x62],
      ['d4 72 40', 0x72],
      ['d6 70 00000001', 0x70],
      ['c7 02 74 0101', 0x74],
    ] as const) {
      const value = sameInEveryCut(messagepack, hex(bytes), { options }) as { value: MessagePackExtension };
      expect(value.value).toBeInstanceOf(MessagePackExtension);
      expect(value.value.type).toBe(type);
    }
  });

  test("decodes the application's extension types by revive", () => {
    const revive = createReviveTag({ 5: (data: Uint8Array) => data.length, [-3]: (value: unknown) => ({ value }) });
    const bytes = bytesOf(0x93, hex('c7 03 05 010203'), hex('d4 fd 00'), 0x81, 0xa1, 'a', 0xd4, 0xfd, 0, 1, hex('d4 06 01'));
    assertSame(sameInEveryCut(messagepack, bytes, { options: { valueExtensions: [-3] }, revive }), {
      value: [3, { value: { a: { value: 1 } } }, extension(6, 1)],
    });
    assertSame(decodeWith(messagepack, hex('d4 07 00 92 01 02'), { options: { valueExtensions: [7] } }), new MessagePackExtension(7, [1, 2]));
  });
});
