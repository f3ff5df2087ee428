import { describe, expect, test } from 'vitest';
import { SNIFFERS } from '../../../../../core/formats/registry.ts';
import sia, { createReviveTag, SiaConstructed } from '../../../../../core/formats/sia/index.ts';
import { reviveSia } from '../../../../../core/formats/sia/revive.ts';
import { resolveLimits } from '../../../../../core/limits.ts';
import { assertSame, decodeWith, sameInEveryCut } from '../../../../setup/ways/differential.ts';
import { hex } from '../../../../setup/values/hex.ts';
import { throughBlock } from '../../../../setup/ways/through-block.ts';
import { encode } from './reference.ts';

const ascii = (text: string): string => Array.from(text, (character) => character.charCodeAt(0).toString(16).padStart(2, '0')).join('');

/** One value of each block, most of which no encoder here writes. Type numbers are those of the package's table. */
const blocks: [string, string, unknown][] = [
  ['null', '00', null],
  ['undefined', '01', undefined],
  ['uint8', '02 ff', 255],
  ['uint16', '03 ff01', 511],
  ['uint32', '04 ffffffff', 2 ** 32 - 1],
  ['uint64', '05 ffffffffffff1f00', 2 ** 53 - 1],
  ['uint64 past 2⁵³', '05 ffffffffffffffff', 2n ** 64n - 1n],
  ['uint128', '06 01000000000000000000000000000080', 2n ** 127n + 1n],
  ['uintn', '07 03 010203', 0x03_02_01],
  ['uintn of no bytes', '07 00', 0],
  ['int8', '08 ff', -1],
  ['int16', '09 00ff', -256],
  ['int32', '0a 00000080', -(2 ** 31)],
  ['int64', '0b ffffffffffffffff', -1],
  ['int64 past 2⁵³', '0b 0000000000000080', -(2n ** 63n)],
  ['int128', '0c ffffffffffffffffffffffffffffffff', -1],
  ['intn', '0d 03 0000ff', -65_536],
  ['float16', '0f 003c', 1],
  ['float16 that is subnormal', '0f 0180', -(2 ** -24)],
  ['float16 that is infinite', '0f 00fc', -Infinity],
  ['NaN in float16', '0f 017c', NaN],
  ['float32', '10 0000c03f', 1.5],
  ['float64', '11 000000000000f83f', 1.5],
  ['float64 −0', '11 0000000000000080', -0],
  ['float128', '12 0000000000000000000000000000ff3f', 1],
  ['float128 of one third', '12 5555555555555555555555555555fd3f', 1 / 3],
  ['float128 −2', '12 000000000000000000000000000000c0', -2],
  ['float128 that is infinite', '12 0000000000000000000000000000ffff', -Infinity],
  ['a float128 that is too large', '12 ffffffffffffffffffffffffffffff43', Infinity],
  ['float128 that a double rounds to its least', '12 0000000000000000000000000000cd3b', 2 ** -1074],
  ['a float128 that is too small', '12 0000000000000000000000000000cc3b', 0],
  ['float128 that is a subnormal double', '12 00000000000000000000000000000e3c', 2 ** -1009 * 2 ** 0],
  ['floatn', '13 04 0000c03f', 1.5],
  ['utfz', `1b 03 ${ascii('abc')}`, 'abc'],
  ['utfz of Latin letters', '1b 03 61e962', 'aéb'],
  ['utfz with zeros and other high bytes', '1b 0b 61 0000 0020 ac 0020 0000 62', 'a\0\u20ac\u2000b'],
  ['string8', '1c 02 c3a9', 'é'],
  ['string16', '1d 0200 c3a9', 'é'],
  ['string32', '1e 02000000 c3a9', 'é'],
  ['string64', '1f 0200000000000000 c3a9', 'é'],
  ['string128', '20 02000000000000000000000000000000 c3a9', 'é'],
  ['stringn', '21 03 020000 c3a9', 'é'],
  ['stringn of no length', '21 00', ''],
  ['bin8', '22 02 0102', Uint8Array.of(1, 2)],
  ['bin16', '23 0200 0102', Uint8Array.of(1, 2)],
  ['bin32', '24 02000000 0102', Uint8Array.of(1, 2)],
  ['bin64', '25 0200000000000000 0102', Uint8Array.of(1, 2)],
  ['bin128', '26 02000000000000000000000000000000 0102', Uint8Array.of(1, 2)],
  ['binn', '27 01 02 0102', Uint8Array.of(1, 2)],
  ['true', '28', true],
  ['false', '29', false],
  ['date', '2a e8030000', new Date(1000)],
  ['date64', '2b 00e40b5402000000', new Date(10_000_000_000)],
  ['date64 beyond the range of Date', '2b ffffffffffffffff', new Date(NaN)],
  ['constructor8 RegExp', `2c 00 2f02 1b01 ${ascii('a')} 1b01 ${ascii('g')}`, /a/g],
  ['constructor8 Date', '2c 01 2f01 02 05', new Date(5)],
  ['constructor16 Date', '2d 0100 2f01 08 ff', new Date(-1)],
  ['constructor32 Date of int16', '2e 01000000 2f01 09 00ff', new Date(-256)],
  ['Date of uint16', '2c 01 2f01 03 0001', new Date(256)],
  ['Date of uint32', '2c 01 2f01 04 00000080', new Date(2 ** 31)],
  ['Date of int32', '2c 01 2f01 0a 00000080', new Date(-(2 ** 31))],
  ['Date of a part of a millisecond', '2c 01 2f01 11 000000000000f83f', new Date(1)],
  ['Date of NaN', '2c 01 2f01 11 000000000000f87f', new Date(NaN)],
  ['Date of text', `2c 01 2f01 1b14 ${ascii('2020-01-01T00:00:00Z')}`, new Date(Date.UTC(2020, 0, 1))],
  ['Date of two numbers', '2c 01 30 0200 03e407 02 00', new Date(2020, 0)],
  ['an unregistered constructor', '2c 07 2f02 02 01 2f00', new SiaConstructed(7, [1, []])],
  ['a constructor without arguments', '2e 00000100 2f00', new SiaConstructed(65_536, [])],
  ['array8', '2f 02 00 01', [null, undefined]],
  ['array16', '30 0200 00 01', [null, undefined]],
  ['array32', '31 02000000 00 01', [null, undefined]],
  ['array64', '32 0200000000000000 00 01', [null, undefined]],
  ['array128', '33 02000000000000000000000000000000 00 01', [null, undefined]],
  ['object', `34 1b01 ${ascii('a')} 00 1c01 ${ascii('b')} 34 35 35`, { a: null, b: {} }],
  ['an object with a duplicate key', `34 1b01 ${ascii('a')} 00 1b01 ${ascii('b')} 00 1501 00 1500 28 35`, { a: true, b: null }],
  ['an object with __proto__', `34 1b09 ${ascii('__proto__')} 28 35`, JSON.parse('{"__proto__":true}')],
  ['set', '36 00 36 37 37', new Set([null, new Set()])],
  [
    'map',
    '38 00 38 39 38 39 01 39',
    new Map<unknown, unknown>([
      [null, new Map()],
      [new Map(), undefined],
    ]),
  ],
];

describe('the reader', () => {
  test.each(blocks)('decodes %s', (_, bytes, value) => {
    assertSame(sameInEveryCut(sia, hex(bytes)), { value });
    // The same value in an array, recorded, and then referenced.
    assertSame(sameInEveryCut(sia, hex(`2f 03 ${bytes} 01 ${bytes}`)), { value: [value, undefined, value] });
  });

  test.each([
    ['ref8', '15 00'],
    ['ref16', '16 0000'],
    ['ref32', '17 00000000'],
    ['ref64', '18 0000000000000000'],
    ['ref128', '19 00000000000000000000000000000000'],
    ['refn', '1a 02 0000'],
    ['refn of no bytes', '1a 00'],
  ])('decodes %s as a key and as a value', (_, reference) => {
    const bytes = hex(`2f 03 34 1b01 ${ascii('a')} 00 35 34 ${reference} 28 35 ${reference}`);
    assertSame(sameInEveryCut(sia, bytes), { value: [{ a: null }, { a: true }, 'a'] });
  });

  // Without the block that contains references, since its numbers would change.
  test.each(blocks.filter(([, bytes]) => !bytes.includes('1501')))('decodes %s if recorded', (_, bytes, value) => {
    // The key before it has number 0, and keys inside it follow its own number.
    const whole = hex(`34 1b01 ${ascii('k')} 14 ${bytes} 1b01 ${ascii('r')} 15 01 1500 00 35`);
    assertSame(sameInEveryCut(sia, whole), { value: { k: null, r: value } });
  });

  test('decodes a cyclic value', () => {
    const value: unknown[] = [];
    value.push(value, new Map([['self', value]]));
    assertSame(sameInEveryCut(sia, hex(`14 2f 02 15 00 38 1b04 ${ascii('self')} 15 00 39`)), { value });
  });

  test('decodes 64-bit integers according to int64', () => {
    const bytes = hex('2f 03 05 0100000000000000 0b 0000000000000080 02 01');
    const as = (int64: 'number' | 'bigint' | 'string'): unknown => decodeWith(sia, bytes, { options: { int64 } });
    assertSame(as('number'), [1, -(2 ** 63), 1]);
    assertSame(as('bigint'), [1n, -(2n ** 63n), 1]);
    assertSame(as('string'), ['1', '-9223372036854775808', 1]);
  });

  test('decodes application constructors', () => {
    const revive = createReviveTag({ 0: (...args: unknown[]) => ({ args }), 9: (a: number, b: number) => a + b });
    const bytes = hex('2f 02 2c 09 2f02 02 01 02 02 2c 00 2f01 2c 09 2f02 02 03 02 04');
    assertSame(decodeWith(sia, bytes, { options: { builtins: false }, revive }), [3, { args: [7] }]);
  });
});

describe('block', () => {
  test('carries all kinds of values, also in rows', async () => {
    const rows = Array.from({ length: 300 }, (_, i) => ({
      id: i,
      name: `name ${i % 7}`,
      text: `größe ${i} 漢字`,
      x: i / 3,
      when: new Date(1_700_000_000_000 + i),
      none: i % 5 ? null : undefined,
      list: [i, { größe: i }],
    }));
    const whole = encode({ rows, set: new Set([1, new Map([[1, 2]])]), pattern: /a/g });
    for (const bytes of [whole, hex(`2f ${blocks.length.toString(16)} ${blocks.map(([, block]) => block).join('')}`)]) {
      const expected = decodeWith(sia, bytes);
      for (const size of [bytes.length, 1000, 3]) {
        const value = await throughBlock(
          (sink) => {
            const reader = sia.createReader(sink, {}, resolveLimits(), undefined);
            for (let at = 0; at < bytes.length; at += size) {
              const chunk = bytes.slice(at, at + size);
              reader.push(chunk);
              chunk.fill(0xff);
            }
            reader.end();
          },
          'objects',
          reviveSia,
        );
        assertSame(value, expected);
      }
    }
  });
});

test('Sia detection recognises its first bytes, and rejects other data', () => {
  const sniff = (head: Uint8Array): number => SNIFFERS.sia!(head);
  expect(sniff(encode({ a: 1 }))).toBeGreaterThan(0.7);
  expect(sniff(encode([{ a: 1 }]))).toBeGreaterThan(0.7);
  expect(sniff(encode({}))).toBeGreaterThan(0.7);
  expect(sniff(new TextEncoder().encode('{"a":1}'))).toBe(0);
  expect(sniff(new TextEncoder().encode('42'))).toBeLessThan(0.1);
});
