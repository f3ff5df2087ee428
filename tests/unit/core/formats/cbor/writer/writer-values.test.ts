import { describe, expect, test } from 'vitest';
import cbor, { CborSimple, CborTag } from '../../../../../../core/formats/cbor/index.ts';
import writer, { type CborWriteOptions } from '../../../../../../core/formats/cbor/writer.ts';
import { assertSame, decodeWith } from '../../../../../setup/ways/differential.ts';
import { encodeEveryWay, encodeWith } from '../../../../../setup/ways/encode-with.ts';
import { hex, toHex } from '../../../../../setup/values/hex.ts';

const encode = (value: unknown, options: CborWriteOptions = {}): Uint8Array => encodeEveryWay(writer, value, { options, format: 'cbor' });
const own = (key: string, value: unknown): object => Object.defineProperty({}, key, { value, enumerable: true, configurable: true, writable: true });

class Point {
  x: number;
  y: number;

  constructor(x: number, y: number) {
    this.x = x;
    this.y = y;
  }
}

describe('CBOR writer', () => {
  // RFC 8949 appendix A, for values that JavaScript has.
  test.each<[unknown, string]>([
    [0, '00'],
    [23, '17'],
    [24, '1818'],
    [100, '1864'],
    [1000, '1903e8'],
    [1_000_000, '1a000f4240'],
    [1_000_000_000_000, '1b000000e8d4a51000'],
    [18_446_744_073_709_551_615n, '1bffffffffffffffff'],
    [18_446_744_073_709_551_616n, 'c249010000000000000000'],
    [-18_446_744_073_709_551_616n, '3bffffffffffffffff'],
    [-18_446_744_073_709_551_617n, 'c349010000000000000000'],
    [-1, '20'],
    [-100, '3863'],
    [-1000, '3903e7'],
    [-0, 'f98000'],
    [1.1, 'fb3ff199999999999a'],
    [1.5, 'f93e00'],
    [65504.5, 'fa477fe080'],
    [100_000.5, 'fa47c35040'],
    [3.402_823_466_385_288_6e38, 'fa7f7fffff'],
    [1e300, 'fb7e37e43c8800759c'],
    [5.960_464_477_539_063e-8, 'f90001'],
    [0.000_061_035_156_25, 'f90400'],
    [-4.1, 'fbc010666666666666'],
    [Infinity, 'f97c00'],
    [NaN, 'f97e00'],
    [-Infinity, 'f9fc00'],
    [false, 'f4'],
    [null, 'f6'],
    [undefined, 'f7'],
    [new CborSimple(16), 'f0'],
    [new CborSimple(255), 'f8ff'],
    [new Date(1_363_896_240_000), 'c11a514b67b0'],
    [new Date(1_363_896_240_500), 'c1fb41d452d9ec200000'],
    [new CborTag(23, new Uint8Array([1, 2, 3, 4])), 'd74401020304'],
    [new CborTag(24, new Uint8Array([0x64, 0x49, 0x45, 0x54, 0x46])), 'd818456449455446'],
    [new CborTag(24, 'IETF'), 'd818456449455446'],
    [new URL('http://www.example.com'), 'd82077687474703a2f2f7777772e6578616d706c652e636f6d2f'],
    [new Uint8Array([1, 2, 3, 4]), '4401020304'],
    ['', '60'],
    ['"\\', '62225c'],
    ['水', '63e6b0b4'],
    ['𐅑', '64f0908591'],
    [[1, [2, 3], [4, 5]], '8301820203820405'],
    [Array.from({ length: 25 }, (_, index) => index + 1), '98190102030405060708090a0b0c0d0e0f101112131415161718181819'],
    [{ a: 1, b: [2, 3] }, 'a26161016162820203'],
  ])('writes %o as specified', (value, bytes) => {
    expect(toHex(encode(value))).toBe(bytes);
  });

  test.each<[string, unknown, string, CborWriteOptions?]>([
    ['a Map', new Map([['a', 1]]), 'd90103 a1 6161 01'],
    ['a Map, without tags', new Map([['a', 1]]), 'a1 6161 01', { cborx: false }],
    ['a Map whose first key is no text', new Map([[1, 2]]), 'd90103 a1 01 02'],
    ['a Map whose first key is no text, without tags', new Map([[1, 2]]), 'a1 01 02', { cborx: false }],
    ['a Set', new Set([1]), 'd90102 81 01'],
    ['a RegExp', /a/g, 'd81b 83 66526567457870 6161 6167'],
    ['a RegExp without cbor-x', /a/g, 'd9524a 82 6161 6167', { cborx: false }],
    ['an Error', new RangeError('no'), 'd81b 82 6a52616e67654572726f72 626e6f'],
    ['numbers in memory', new Uint16Array([1, 256]), 'd845 44 0100 0001'],
    ['an ArrayBuffer', new Uint8Array([1]).buffer, '41 01'],
    ['a Date as text', new Date(0), 'c0 7818 313937302d30312d30315430303a30303a30302e3030305a', { dates: 'text' }],
    ['an invalid Date', new Date(NaN), 'c1 f97e00'],
    ['a replaced invalid Date', [new Date(NaN)], '81 626e6f', { onInvalidDate: () => 'no' }],
    ['a replaced function', [Math.max], '81 636d6178', { writeFunction: (value) => value.name }],
    ['a large bigint as a float', 2n ** 64n, 'fa5f800000', { largeBigints: 'float' }],
    ['a large bigint as text', 2n ** 64n, '74 3138343436373434303733373039353531363136', { largeBigints: 'text' }],
    ['floats of 64 bits', [1.5], '81 fb3ff8000000000000', { float32: 'never' }],
    ['keys in the order of their bytes', { b: 1, aa: 2, a: 3, é: 4 }, 'a4 6161 03 6162 01 626161 02 62c3a9 04', { deterministic: 'bytewise' }],
    [
      'keys of a Map in the order of their bytes',
      new Map<unknown, unknown>([
        ['z', 1],
        [100, 2],
        [false, 3],
        [10, 4],
        [[-1], 5],
        [-1, 6],
        ['aa', 7],
      ]),
      'a7 0a04 186402 2006 617a01 62616107 812005 f403',
      { deterministic: 'bytewise' },
    ],
    [
      'keys of a Map by their length',
      new Map<unknown, unknown>([
        ['z', 1],
        [100, 2],
        [false, 3],
        [10, 4],
        [[-1], 5],
        [-1, 6],
        ['aa', 7],
      ]),
      'a7 0a04 2006 f403 186402 617a01 812005 62616107',
      { deterministic: 'length-first' },
    ],
    ['integers as keys, sorted', { 300: 1, '-1': 2, a: 3, 5: 4 }, 'a4 0504 19012c01 2002 616103', { numericKeys: true, deterministic: 'bytewise' }],
    ['a self-described value', 1, 'd9d9f7 01', { selfDescribed: true }],
    ['__proto__, a key like any other', own('__proto__', 1), 'a1 69 5f5f70726f746f5f5f 01'],
    ['an instance, by its own keys', new Point(1, 2), 'a2 6178 01 6179 02'],
    ['an instance with a tag', new Point(1, 2), 'd864 82 01 02', { extensions: [{ class: Point, tag: 100, encode: ({ x, y }: Point) => [x, y] }] }],
    [
      'an instance with a tag around itself',
      new Point(1, 2),
      'd864 a2 6178 01 6179 02',
      { extensions: [{ class: Point, tag: 100, encode: (point: Point) => point }] },
    ],
    ['a tag of 64 bits', new CborTag(2n ** 64n - 2n, 1), 'dbfffffffffffffffe 01'],
    ['omitted properties', { a: undefined, b: 1 }, 'a1 6162 01', { skipValues: [undefined] }],
    ['boxed values', [Object(1), Object('a'), Object(false)], '83 01 6161 f4'],
  ])('writes the specified bytes of %s', (_, value, bytes, options) => {
    expect(toHex(encode(value, options))).toBe(toHex(hex(bytes)));
  });

  test.each([23, 24, 255, 256, 65_535, 65_536])('round-trips objects, lists, strings and binaries of length %d', (count) => {
    const keys = Array.from({ length: count }, (_, index) => `k${index}`);
    const value = {
      list: keys,
      object: Object.fromEntries(keys.map((key, index) => [key, index])),
      text: 'x'.repeat(count),
      wide: 'é'.repeat(count),
      bytes: new Uint8Array(count),
    };
    assertSame(decodeWith(cbor, encodeWith(writer, value, { inTurns: true })), value);
    // Heads of the longer length are longer.
    if (count !== 65_535) {
      const chunk = count > 1_000 ? 1_000 : 1;
      assertSame(decodeWith(cbor, encodeWith(writer, value, { inTurns: true, chunk, options: { records: true } })), value);
    }
  });
});

describe('CBOR writer', () => {
  const cycle: Record<string, unknown> = {};
  cycle['again'] = new Map([['m', cycle]]);
  let deep: unknown = [];
  for (let index = 0; index < 100_000; index += 1) deep = [deep];

  test.each<[string, unknown, object, CborWriteOptions?]>([
    ['a function', { a: [Math.max] }, { code: 'unsupported', path: ['a', 0] }],
    ['a symbol', [Symbol('a')], { code: 'unsupported', path: [0] }],
    ['a Promise', { p: Promise.resolve() }, { code: 'unsupported', path: ['p'] }],
    ['a lone surrogate', { a: 'x\ud800' }, { code: 'text', path: ['a'] }],
    ['a cycle', cycle, { code: 'cycle', path: ['again', 'm'] }],
    ['a hundred thousand nested lists', deep, { code: 'depth' }],
    ['a tag that is always invalid', [new CborTag(0xffff, 1)], { code: 'range', path: [0] }],
    ['a tag that is not an unsigned integer', new CborTag(-1, 1), { code: 'range' }],
    ['a simple value of 24', new CborSimple(24), { code: 'range' }],
    ['a Date as text with a year of more digits', new Date(8.64e15), { code: 'range' }, { dates: 'text' }],
    ['an Error without cbor-x', new Error('no'), { code: 'unsupported' }, { cborx: false }],
    [
      'a Map with a duplicate key',
      new Map<unknown, unknown>([
        [1, 1],
        [1n, 2],
      ]),
      { code: 'unsupported' },
      { deterministic: 'bytewise' },
    ],
    ['a sequence that is not an array', {}, { code: 'type' }, { sequence: true }],
  ])('rejects %s', (_, value, error, options = {}) => {
    expect(() => encodeWith(writer, value, { options, format: 'cbor' })).toThrow(
      expect.objectContaining({ name: 'EncodeError', format: 'cbor', ...error }),
    );
  });
});
