import { Decimal128, EJSON, serialize, UUID } from 'bson';
import { describe, expect, test } from 'vitest';
import bson, { type BsonOptions, BsonValue } from '../../../../../core/formats/bson/index.ts';
import { reviveBson } from '../../../../../core/formats/bson/revive.ts';
import { SNIFFERS } from '../../../../../core/formats/registry.ts';
import { resolveLimits } from '../../../../../core/limits.ts';
import { assertSame, decodeWith, sameInEveryCut } from '../../../../setup/ways/differential.ts';
import { throughBlock } from '../../../../setup/ways/through-block.ts';
import { document, key, text } from './bytes.ts';

/** Elements of every type: name, element, and its plain, relaxed, canonical and class values. */
const long = '9223372036854775807';
const oid = '0102030405060708090a0b0c';
const each: [string, string, unknown, unknown, unknown, unknown][] = [
  ['double', `01${key('v')} 000000000000f03f`, 1, 1, { $numberDouble: '1.0' }, 1],
  ['double −0', `01${key('v')} 0000000000000080`, -0, -0, { $numberDouble: '-0.0' }, -0],
  ['double NaN', `01${key('v')} 000000000000f87f`, NaN, { $numberDouble: 'NaN' }, { $numberDouble: 'NaN' }, NaN],
  ['string', `02${key('v')} ${text('a\0ü')}`, 'a\0ü', 'a\0ü', 'a\0ü', 'a\0ü'],
  ['string with a byte order mark', `02${key('v')} ${text('\ufeffa')}`, '\ufeffa', '\ufeffa', '\ufeffa', '\ufeffa'],
  ['document', `03${key('v')} 0500000000`, {}, {}, {}, {}],
  ['array', `04${key('v')} 0c000000 0a3000 08390001 00`, [null, true], [null, true], [null, true], [null, true]],
  [
    'array with any keys',
    `04${key('v')} 0e000000 0affff00 0a3100 0a00 00`,
    [null, null, null],
    [null, null, null],
    [null, null, null],
    [null, null, null],
  ],
  [
    'binary',
    `05${key('v')} 02000000 80 0102`,
    Uint8Array.of(1, 2),
    { $binary: { base64: 'AQI=', subType: '80' } },
    { $binary: { base64: 'AQI=', subType: '80' } },
    new BsonValue('Binary', [0x80, Uint8Array.of(1, 2)]),
  ],
  [
    'binary of subtype 2',
    `05${key('v')} 06000000 02 02000000 0102`,
    Uint8Array.of(1, 2),
    { $binary: { base64: 'AQI=', subType: '02' } },
    { $binary: { base64: 'AQI=', subType: '02' } },
    new BsonValue('Binary', [2, Uint8Array.of(1, 2)]),
  ],
  [
    'vector of packed bits',
    `05${key('v')} 03000000 09 10 07 80`,
    Uint8Array.of(0x10, 7, 0x80),
    { $binary: { base64: 'EAeA', subType: '09' } },
    { $binary: { base64: 'EAeA', subType: '09' } },
    new BsonValue('Binary', [9, Uint8Array.of(0x10, 7, 0x80)]),
  ],
  [
    'vector of half a float',
    `05${key('v')} 04000000 09 27 00 0000`,
    Uint8Array.of(0x27, 0, 0, 0),
    { $binary: { base64: 'JwAAAA==', subType: '09' } },
    { $binary: { base64: 'JwAAAA==', subType: '09' } },
    new BsonValue('Binary', [9, Uint8Array.of(0x27, 0, 0, 0)]),
  ],
  ['undefined', `06${key('v')}`, undefined, { $undefined: true }, { $undefined: true }, undefined],
  ['ObjectId', `07${key('v')} ${oid}`, oid, { $oid: oid }, { $oid: oid }, new BsonValue('ObjectId', oid)],
  ['date', `09${key('v')} 0100000000000000`, new Date(1), { $date: '1970-01-01T00:00:00.001Z' }, { $date: { $numberLong: '1' } }, new Date(1)],
  [
    'date of a whole second',
    `09${key('v')} e803000000000000`,
    new Date(1000),
    { $date: '1970-01-01T00:00:01Z' },
    { $date: { $numberLong: '1000' } },
    new Date(1000),
  ],
  [
    'date beyond the range of Date',
    `09${key('v')} ffffffffffffff7f`,
    new Date(NaN),
    { $date: { $numberLong: long } },
    { $date: { $numberLong: long } },
    new Date(NaN),
  ],
  [
    'date before 1970',
    `09${key('v')} ffffffffffffffff`,
    new Date(-1),
    { $date: { $numberLong: '-1' } },
    { $date: { $numberLong: '-1' } },
    new Date(-1),
  ],
  [
    'regular expression',
    `0b${key('v')} 6100 696d7800`,
    /a/im,
    { $regularExpression: { pattern: 'a', options: 'imx' } },
    { $regularExpression: { pattern: 'a', options: 'imx' } },
    /a/im,
  ],
  [
    'regular expression with s',
    `0b${key('v')} 6100 736900`,
    /a/gi,
    { $regularExpression: { pattern: 'a', options: 'is' } },
    { $regularExpression: { pattern: 'a', options: 'is' } },
    /a/gi,
  ],
  [
    'DBPointer',
    `0c${key('v')} ${text('db.c')} ${oid}`,
    { $ref: 'db.c', $id: oid },
    { $dbPointer: { $ref: 'db.c', $id: { $oid: oid } } },
    { $dbPointer: { $ref: 'db.c', $id: { $oid: oid } } },
    new BsonValue('DBRef', ['db.c', new BsonValue('ObjectId', oid)]),
  ],
  ['code', `0d${key('v')} ${text('f()')}`, { $code: 'f()' }, { $code: 'f()' }, { $code: 'f()' }, new BsonValue('Code', ['f()'])],
  ['symbol', `0e${key('v')} ${text('s')}`, 's', { $symbol: 's' }, { $symbol: 's' }, 's'],
  [
    'code with scope',
    `0f${key('v')} 18000000 ${text('f()')} 0c000000 0a6100 0a626200 00`,
    { $code: 'f()', $scope: { a: null, bb: null } },
    { $code: 'f()', $scope: { a: null, bb: null } },
    { $code: 'f()', $scope: { a: null, bb: null } },
    new BsonValue('Code', ['f()', { a: null, bb: null }]),
  ],
  ['int32', `10${key('v')} ffffffff`, -1, -1, { $numberInt: '-1' }, -1],
  [
    'timestamp',
    `11${key('v')} 01000000 ffffffff`,
    { $timestamp: { t: 0xffff_ffff, i: 1 } },
    { $timestamp: { t: 0xffff_ffff, i: 1 } },
    { $timestamp: { t: 0xffff_ffff, i: 1 } },
    new BsonValue('Timestamp', [0xffff_ffff, 1]),
  ],
  ['int64', `12${key('v')} ffffffffffffff7f`, 2n ** 63n - 1n, 2 ** 63, { $numberLong: long }, new BsonValue('Long', 2n ** 63n - 1n)],
  ['min key', `ff${key('v')}`, { $minKey: 1 }, { $minKey: 1 }, { $minKey: 1 }, new BsonValue('MinKey', null)],
  ['max key', `7f${key('v')}`, { $maxKey: 1 }, { $maxKey: 1 }, { $maxKey: 1 }, new BsonValue('MaxKey', null)],
];

describe('element of every type', () => {
  test.each(each)('decodes: %s', (_, element, plain, relaxed, canonical, classes) => {
    const bytes = document(element);
    assertSame(sameInEveryCut(bson, bytes), { value: { v: plain } });
    assertSame(sameInEveryCut(bson, bytes, { options: { types: 'relaxed' } }), { value: { v: relaxed } });
    assertSame(sameInEveryCut(bson, bytes, { options: { types: 'canonical' } }), { value: { v: canonical } });
    assertSame(sameInEveryCut(bson, bytes, { options: { types: 'classes' } }), { value: { v: classes } });
  });

  test('maps the flag s of a regular expression as the specification says', () => {
    const options: BsonOptions = { regExpS: 'dotAll' };
    assertSame(decodeWith(bson, document(`0b${key('v')} 6100 7300`), { options }), { v: /a/s });
  });

  test('keeps the last value of a repeated key, and accepts __proto__ as a key', () => {
    assertSame(sameInEveryCut(bson, document(`0a${key('a')} 0a${key('b')} 08${key('a')}01 08${key('__proto__')}01`)), {
      value: JSON.parse('{"a":true,"b":null,"__proto__":true}'),
    });
  });
});

describe('text of a decimal', () => {
  const decimal = (digits: string): Uint8Array => document(`13${key('v')} ${digits}`);

  test.each([
    '0',
    '-0',
    '0E+3',
    '0E-8',
    '0.00',
    '-0.000000',
    '1',
    '-1',
    '0.1',
    '0.000001',
    '1E-7',
    '1.5',
    '12.345',
    '1E+3',
    '1.23E+5',
    '1E-6176',
    '9.999999999999999999999999999999999E+6144',
    '9999999999999999999999999999999999',
    '-1234567890123456789012345678901234',
    '0.1234567890123456789012345678901234',
    '1234567890.123456789012345678901234',
    'NaN',
    'Infinity',
    '-Infinity',
  ])('follows the specification: %s', (digits) => {
    const bytes = serialize({ v: Decimal128.fromString(digits) });
    assertSame(decodeWith(bson, bytes), { v: digits });
    assertSame(decodeWith(bson, bytes, { options: { types: 'canonical' } }), { v: { $numberDecimal: digits } });
  });

  /** The 16 bytes of a number, lowest first. */
  const littleEndian = (value: bigint): string => value.toString(16).padStart(32, '0').match(/../g)!.toReversed().join('');
  const bias = 6176n;

  test.each([
    ['the largest coefficient', ((bias - 2n) << 113n) | (10n ** 34n - 1n), '99999999999999999999999999999999.99'],
    ['one more', (bias << 113n) | (10n ** 34n), '0'],
    // The bson package prints all 35 digits here.
    ['one more, with a point', ((bias - 2n) << 113n) | (10n ** 34n), '0.00'],
    ['the form of large coefficients', (3n << 125n) | ((bias + 3n) << 111n) | 5n, '0E+3'],
    ['the form of large coefficients, negative', (7n << 125n) | (bias << 111n), '-0'],
  ])('reads as zero for a coefficient of more than 34 digits: %s', (_, value, expected) => {
    assertSame(decodeWith(bson, decimal(littleEndian(value))), { v: expected });
  });

  test('reads NaN for a NaN with a sign or payload', () => {
    for (const digits of ['000000000000000000000000000000fc', '120000000000000000000000000000ff']) {
      assertSame(decodeWith(bson, decimal(digits)), { v: 'NaN' });
    }
  });
});

describe('block', () => {
  test.each(['plain', 'relaxed', 'canonical', 'classes'] as const)('carries rows of %s values', async (types) => {
    const elements = each.map(([, element], i) => element.replace(key('v'), key(`v${i}`)));
    const row = document(...elements);
    const row2 = document(...elements.toReversed().slice(3));
    const rows = Array.from({ length: 40 }, (_, i) => (i % 7 === 3 ? row2 : row));
    const bytes = Uint8Array.from(rows.flatMap((part) => [...part]));
    const options: BsonOptions = { types, sequence: true };
    const expected = decodeWith(bson, bytes, { options });
    for (const size of [bytes.length, 1000, 1]) {
      const value = await throughBlock(
        (sink) => {
          const reader = bson.createReader(sink, options, resolveLimits(), undefined);
          for (let at = 0; at < bytes.length; at += size) {
            const chunk = bytes.slice(at, at + size);
            reader.push(chunk);
            chunk.fill(0xff);
          }
          reader.end();
        },
        'objects',
        reviveBson,
      );
      assertSame(value, expected);
    }
  });
});

describe('BSON detection', () => {
  const sniff = (head: Uint8Array, length?: number): number => SNIFFERS.bson!(head, length);
  test('recognises a document by its size', () => {
    const bytes = serialize({ name: 'x', id: new UUID() });
    expect(sniff(bytes, bytes.length)).toBeGreaterThan(0.9);
    expect(sniff(bytes)).toBeGreaterThan(0.7);
    expect(sniff(document(), 5)).toBeGreaterThan(0.9);
  });

  test('rejects other data', () => {
    const json = new TextEncoder().encode(EJSON.stringify({ a: [1, 2, 3] }, undefined, '\t'));
    expect(sniff(json, json.length)).toBe(0);
    expect(sniff(Uint8Array.of(0x83, 0xa1, 0x61, 1, 0xa1, 0x62, 2), 7)).toBe(0);
    expect(sniff(Uint8Array.of(1), 1)).toBe(0);
  });
});
