import { Decoder, Encoder, type Options } from 'cbor-x';
import { describe, expect, test } from 'vitest';
import cbor, { type CborOptions, CborSimple, CborTag } from '../../../../../core/formats/cbor/index.ts';
import { assertSame, decodeWith, everyCut, sameInEveryCut } from '../../../../setup/ways/differential.ts';
import fc from '../../../../setup/properties/property.ts';
import { bytesOf, text } from './bytes.ts';

const chunkSizes = fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 30 });

/** Copies the result of cbor-x, which reuses its buffer. */
function encodeWith(options: Options, value: unknown): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new Encoder(options).encode(value));
}

/** Values that survive cbor-x. It writes −0 as 0. */
const key = fc.string({ unit: 'grapheme', maxLength: 12 });
const leaf = fc.oneof(
  fc.constantFrom(null, undefined, true, false, NaN, Infinity),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double().map((value) => value + 0),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom('repeated string', 'wiederholte Zeichenkette – ', 'x'.repeat(1200), 'naïve', 'plain'),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).filter((value) => value >= 2n ** 53n || value < -(2n ** 53n)),
  fc.date({ noInvalidDate: true }),
  fc.uint8Array({ maxLength: 20 }),
  fc.float32Array({ maxLength: 5 }),
  fc.constantFrom(/ab+c/giu, new Error('wrong')),
);
const { value: anyValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'value' },
    leaf,
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(key, tie('value'), { maxKeys: 5, noNullPrototype: true }),
    fc.array(fc.record({ id: fc.nat(), name: fc.string({ unit: 'grapheme' }), inner: tie('value') }, { noNullPrototype: true }), { maxLength: 4 }),
    fc.array(tie('value'), { maxLength: 3 }).map((items) => new Set(items)),
    fc.array(fc.tuple(tie('value'), tie('value')), { maxLength: 3 }).map((entries) => new Map(entries)),
  ),
}));

/** Without records, cbor-x writes a Map as an untagged map. */
const AS_MAPS = { maps: 'map' } as const;

/** Encoder settings of cbor-x. */
const WAYS: Record<string, Options> = {
  maps: { useRecords: false },
  'maps of the shortest form': { useRecords: false, variableMapSize: true },
  records: { useRecords: true },
  'bundled strings': { useRecords: false, bundleStrings: true },
  'records and bundled strings': { useRecords: true, bundleStrings: true },
  'packed values': { useRecords: false, pack: true },
  'records and packed values': { useRecords: true, pack: true },
  'shared values': { useRecords: false, structuredClone: true },
  'records and shared values': { useRecords: true, structuredClone: true },
  'a tag in front': { useSelfDescribedHeader: true },
};

describe('the reader', () => {
  test.each(Object.entries(WAYS))('decodes cbor-x output written as %s', (_, options) => {
    fc.assert(
      fc.property(anyValue, chunkSizes, (value, sizes) => {
        const bytes = encodeWith(options, value);
        const setting = { options: options.useRecords === false ? {} : AS_MAPS };
        assertSame(decodeWith(cbor, bytes, setting), value);
        assertSame(decodeWith(cbor, bytes, { ...setting, chunkSizes: sizes }), value);
      }),
      { numRuns: 300 },
    );
  });

  test('decodes shared structures of cbor-x', () => {
    fc.assert(
      fc.property(fc.array(anyValue, { maxLength: 4 }), chunkSizes, (values, sizes) => {
        const structures: string[][] = [];
        const encoder = new Encoder({ useRecords: true, structures });
        const encoded = values.map((value) => new Uint8Array(encoder.encode(value)));
        for (const [index, bytes] of encoded.entries()) {
          assertSame(decodeWith(cbor, bytes, { options: { ...AS_MAPS, structures }, chunkSizes: sizes }), values[index]);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('decodes tagged Uint8Arrays of cbor-x', () => {
    // In browsers, cbor-x then also writes this tag inside those of all typed arrays, without a byte string.
    const value = [Uint8Array.of(1, 2)];
    assertSame(decodeWith(cbor, encodeWith({ tagUint8Array: true }, value)), value);
  });

  test('decodes shared packed values of cbor-x', () => {
    const sharedValues = Array.from({ length: 40 }, (_, i) => `shared ${i}`);
    const value = { list: sharedValues.toReversed(), other: ['shared 7', 'not shared'], 'shared 3': 'shared 39' };
    const bytes = encodeWith({ useRecords: false, sharedValues } as Options, value);
    expect(bytes.length).toBeLessThan(150);
    assertSame(decodeWith(cbor, bytes, { options: { packedValues: sharedValues } }), value);
    const cut = { options: { packedValues: sharedValues }, chunkSizes: Array.from(bytes, () => 1) };
    assertSame(decodeWith(cbor, bytes, cut), value);
  });

  test('decodes sequences of cbor-x', () => {
    fc.assert(
      fc.property(fc.array(anyValue, { minLength: 1, maxLength: 4 }), chunkSizes, (values, sizes) => {
        const encoder = new Encoder({ useRecords: true, sequential: true });
        const bytes = Uint8Array.from(values.flatMap((value) => [...encoder.encode(value)]));
        assertSame(decodeWith(cbor, bytes, { options: { ...AS_MAPS, sequence: true }, chunkSizes: sizes }), values);
      }),
      { numRuns: 200 },
    );
  });

  test('decodes cbor-x output to the same value as cbor-x itself', () => {
    // Without errors and without content in Maps, of which cbor-x reads less than it writes.
    const plain = fc.jsonValue({ noUnicodeString: false });
    const options: [Options, CborOptions][] = [
      [{ useRecords: false, int64AsNumber: false } as Options, { maps: 'object', int64: 'bigint' }],
      [
        { useRecords: false, useFloat32: 4 },
        { maps: 'object', float32: 'decimal' },
      ],
      [{ useRecords: true }, { maps: 'object' }],
    ];
    fc.assert(
      fc.property(plain, fc.constantFrom(...options), (value, [theirs, ours]) => {
        const bytes = encodeWith(theirs, value);
        const expected: unknown = new Decoder(theirs).decode(bytes);
        if (JSON.stringify(expected).includes('__proto_')) return;
        assertSame(decodeWith(cbor, bytes, { options: ours }), expected);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('reader of records', () => {
  const keys = `82 ${text('a')} ${text('b')}`;
  const cases: [string, string, unknown][] = [
    ['a definition and its record', `d9 dfff 84 19 e000 ${keys} 01 02`, { a: 1, b: 2 }],
    [
      'a record of a definition',
      `82 d9 dfff 84 19 e000 ${keys} 01 02 d9 e000 82 03 04`,
      [
        { a: 1, b: 2 },
        { a: 3, b: 4 },
      ],
    ],
    [
      'the older tag',
      `82 d8 69 84 19 e001 ${keys} 01 02 d9 e001 82 03 04`,
      [
        { a: 1, b: 2 },
        { a: 3, b: 4 },
      ],
    ],
    ['fewer values than keys', `82 d9 dfff 83 19 e000 ${keys} 01 d9 e000 80`, [{ a: 1 }, {}]],
    ['a redefined tag', `82 d9 dfff 83 19 e000 81 ${text('c')} 01 d9 dfff 84 19 e000 ${keys} 02 03`, [{ c: 1 }, { a: 2, b: 3 }]],
    [
      'a head of three bytes',
      `82 d9 dfff 84 19 e000 ${keys} 01 02 d9 e000 99 0002 03 04`,
      [
        { a: 1, b: 2 },
        { a: 3, b: 4 },
      ],
    ],
    ['a record in a record', `d9 dfff 84 19 e000 ${keys} d9 dfff 83 19 e001 81 ${text('c')} 05 d9 e001 81 06`, { a: { c: 5 }, b: { c: 6 } }],
    ['keys that are numbers', 'd9 dfff 84 19 e000 82 01 20 05 06', { '1': 5, '-1': 6 }],
    ['only definitions', `d9 dffe 84 19 e000 81 ${text('c')} ${keys} 82 d9 e001 82 01 02 d9 e000 81 03`, [{ a: 1, b: 2 }, { c: 3 }]],
    ['a tag without a definition', 'd9 e005 81 01', new CborTag(0xe005, [1])],
  ];

  test.each(cases)('decodes: %s', (_, hex, expected) => {
    assertSame((sameInEveryCut(cbor, bytesOf(hex)) as { value: unknown }).value, expected);
  });

  test('preserves __proto__', () => {
    const value = decodeWith(cbor, bytesOf(`d9 dfff 83 19 e000 81 ${text('__proto__')} 80`)) as object;
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  test('supports 8,191 tags', () => {
    const structures = Array.from({ length: 8191 }, (_, i) => [`key ${i}`]);
    assertSame(decodeWith(cbor, bytesOf('d9 fffe 81 01'), { options: { structures } }), { 'key 8190': 1 });
  });
});

describe('reader of packed values', () => {
  const table = `d8 33 84 82 ${text('zero')} 18 2a 80 80`;
  const cases: [string, string, unknown][] = [
    ['by simple value', `${table} 82 e0 e1`, ['zero', 42]],
    ['as keys', `${table} a1 e0 e1`, { zero: 42 }],
    ['as a first key that is not text', `${table} a1 e1 e0`, new Map([[42, 'zero']])],
    ['by tag', `d8 33 84 92 ${Array.from({ length: 18 }, (_, i) => text(String(i))).join('')} 80 80 82 c6 00 c6 20`, ['16', '17']],
    ['only after their table', `82 ${table} e0 e1`, ['zero', new CborSimple(1)]],
    ['from the outer table', `${table} d8 33 84 81 ${text('new')} 80 80 82 e0 e1`, ['new', 42]],
    ['in a tag', `${table.replace('zero', 'zero')} d9 0102 81 e0`, new Set(['zero'])],
    ['without a table', '82 e0 c6 00', [new CborSimple(0), new CborTag(6, 0)]],
  ];

  test.each(cases)('decodes: %s', (_, hex, expected) => {
    assertSame((sameInEveryCut(cbor, bytesOf(hex)) as { value: unknown }).value, expected);
  });

  test('supports gaps for private values', () => {
    const packedValues = [...Array.from({ length: 16 }), 'shared'] as string[];
    assertSame(decodeWith(cbor, bytesOf('c6 00'), { options: { packedValues } }), 'shared');
  });
});

describe('reader of shared values', () => {
  test('returns cyclic values', () => {
    for (const useRecords of [false, true]) {
      const list: unknown[] = [1];
      const map = new Map<string, unknown>();
      const root: Record<string, unknown> = { list, map, again: list };
      list.push(list, root);
      map.set('root', root);
      root['self'] = root;
      const bytes = encodeWith({ structuredClone: true, useRecords }, root);
      for (const chunkSizes of everyCut(bytes)) assertSame(decodeWith(cbor, bytes, { options: useRecords ? AS_MAPS : {}, chunkSizes }), root);
    }
  });

  test('reads more shapes than cbor-x has numbers for, whose keys it refers to when it defines them again', () => {
    const shapes = Array.from({ length: 300 }, (_, at) => ({ [`key ${at}`]: at, list: [{ inner: at }] }));
    const value = [...shapes, ...shapes, ...shapes];
    const bytes = encodeWith({ structuredClone: true }, value);
    for (const chunkSizes of [[bytes.length], [1], [7, 300]]) assertSame(decodeWith(cbor, bytes, { chunkSizes }), value);
  });

  test('reads the keys of a record definition as a shared value and as a reference to one, cut anywhere', () => {
    const first = `d9 dfff 83 19 e001 d8 1c 81 ${text('a')} 01`;
    const again = 'd9 dfff 83 19 e002 d8 1d 00 02';
    expect(sameInEveryCut(cbor, bytesOf(`83 ${first} ${again} d9 e002 81 03`))).toEqual({ value: [{ a: 1 }, { a: 2 }, { a: 3 }] });
    const wrong: [string, string][] = [
      [`82 ${first} d9 dfff 83 19 e002 d8 1d 01 02`, 'reference to unknown shared keys 1'],
      [`82 d8 1c 81 01 ${again}`, 'reference to unknown shared keys 0'],
      [`82 ${first} d8 1d 00`, 'reference to unknown shared value 0'],
      [`82 ${first} d9 dfff 84 19 e002 d8 1d 00 02 03`, 'a record has more values than keys'],
      [`82 ${first} d9 dfff 83 19 e002 c1 81 ${text('a')} 02`, 'a record definition has no array of keys'],
    ];
    for (const [hex, reason] of wrong) expect((sameInEveryCut(cbor, bytesOf(hex)) as { error: string }).error).toContain(reason);
  });

  test('supports kinds that JSON lacks', () => {
    const shared = [new Date(5), /x/g, new Set([1]), new Uint8Array([1, 2]), new Float64Array([1.5]), new TypeError('no')];
    const value = { one: shared, two: [...shared] };
    const bytes = encodeWith({ structuredClone: true }, value);
    assertSame(decodeWith(cbor, bytes), value);
  });

  const cases: [string, string, unknown][] = [
    ['a string', `82 d8 1c ${text('shared')} d8 1d 00`, ['shared', 'shared']],
    ['a number and null', '84 d8 1c 05 d8 1c f6 d8 1d 00 d8 1d 01', [5, null, 5, null]],
    ['a negative zero', '82 d8 1c f9 8000 d8 1d 00', [-0, -0]],
    ['a bignum', '82 d8 1c c2 41 05 d8 1d 00', [5n, 5n]],
    ['a key, referenced as a value', `a1 ${text('a')} d8 1c 81 01`, { a: [1] }],
  ];

  test.each(cases)('preserves identity: %s', (_, hex, expected) => {
    assertSame((sameInEveryCut(cbor, bytesOf(hex)) as { value: unknown }).value, expected);
  });

  test('numbers shared values separately in each value of a sequence', () => {
    const hex = '82 d8 1c 81 01 d8 1d 00 82 d8 1c 81 02 d8 1d 00';
    const value = decodeWith(cbor, bytesOf(hex), { options: { sequence: true } }) as unknown[][];
    assertSame(
      value.map(([first, second]) => first === second),
      [true, true],
    );
    assertSame(
      value.map(([first]) => first),
      [[1], [2]],
    );
  });
});

describe('reader of errors', () => {
  test.each([
    ['TypeError', TypeError],
    ['RangeError', RangeError],
    ['Error', Error],
  ])('preserves the class %s, which cbor-x loses', (name, Class) => {
    const error = decodeWith(cbor, bytesOf(`d8 1b 82 ${text(name)} ${text('what')}`));
    assertSame(error, new Class('what'));
  });

  test('preserves an unknown name', () => {
    const error = decodeWith(cbor, bytesOf(`d8 1b 82 ${text('MyException')} ${text('what')}`)) as Error;
    expect([error.name, error.message]).toEqual(['MyException', 'what']);
  });

  test('distinguishes errors from other objects', () => {
    assertSame(decodeWith(cbor, bytesOf(`d8 1b 82 ${text('My::Class')} 01`)), new CborTag(27, ['My::Class', 1]));
  });
});

describe('reader with cborx: false', () => {
  test.each([
    ['d8 1b 81 01', new CborTag(27, [1])],
    ['d8 1c 81 01', new CborTag(28, [1])],
    ['d8 1d 00', new CborTag(29, 0)],
    ['d9 0103 a0', new CborTag(259, {})],
    ['d8 33 84 80 80 80 e0', new CborTag(51, [[], [], [], new CborSimple(0)])],
    ['d9 dfff 83 19 e000 80 01', new CborTag(0xdfff, [0xe000, [], 1])],
    ['d8 69 01', new CborTag(105, 1)],
    ['ce 04', new CborTag(14, 4)],
  ])('decodes as plain CBOR: %s', (hex, expected) => {
    assertSame(decodeWith(cbor, bytesOf(hex), { options: { cborx: false } }), expected);
  });
});
