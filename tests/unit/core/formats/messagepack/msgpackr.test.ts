import { Packr, unpack, Unpackr } from 'msgpackr';
import { describe, expect, test } from 'vitest';
import messagepack from '../../../../../core/formats/messagepack/index.ts';
import { assertSame, decodeWith, sameInEveryCut } from '../../../../setup/ways/differential.ts';
import { bytesOf, hex, toHex } from '../../../../setup/values/hex.ts';

type PackrOptions = ConstructorParameters<typeof Packr>[0] & Record<string, unknown>;

/** Copy of the bytes that msgpackr writes. */
function packed(value: unknown, options: PackrOptions = {}): Uint8Array {
  return Uint8Array.from(new Packr(options).pack(value));
}

describe('reader of msgpackr records', () => {
  test('decodes a definition, then an id for each record', () => {
    const bytes = bytesOf(0x92, hex('d4 72 40 92'), 0xa1, 'a', 0xa1, 'b', 1, 2, 0x40, 3, 0xc0);
    assertSame(sameInEveryCut(messagepack, bytes), {
      value: [
        { a: 1, b: 2 },
        { a: 3, b: null },
      ],
    });
  });

  test('decodes nested records of any shape', () => {
    const value = Array.from({ length: 5 }, (_, i) => ({
      id: i + 60,
      inner: { lat: i / 3, tags: ['one', 'two'].slice(i % 3), more: { id: i } },
      ...(i % 2 ? { odd: true } : {}),
    }));
    assertSame(sameInEveryCut(messagepack, packed(value)), { value });
  });

  test('decodes records without fields, and with __proto__ as a field', () => {
    const bytes = bytesOf(0x93, hex('d4 72 41 90'), 0x41, hex('d4 72 42 91'), 0xa9, '__proto__', 7);
    const own = Object.defineProperty({}, '__proto__', {
      value: 7,
      enumerable: true,
      configurable: true,
      writable: true,
    });
    assertSame(sameInEveryCut(messagepack, bytes), { value: [{}, {}, own] });
  });

  test('decodes undefined ids as integers', () => {
    assertSame(sameInEveryCut(messagepack, bytesOf(0x92, hex('d4 72 40 90'), 0x41)), { value: [{}, 0x41] });
  });

  test('decodes redefined ids, and more shapes than ids', () => {
    const value = Array.from({ length: 300 }, (_, i) => ({ [`key${i % 150}`]: i, same: { [`key${i % 7}`]: [i] } }));
    for (const options of [{}, { maxOwnStructures: 4 }, { maxOwnStructures: 300 }]) {
      assertSame(decodeWith(messagepack, packed(value, options)), value);
      const bytes = packed(value.slice(0, 12), options);
      assertSame(sameInEveryCut(messagepack, bytes), { value: value.slice(0, 12) });
    }
  });

  test.each([3, 40, 300])('decodes %i shared structures', (count) => {
    const structures: string[][] = [];
    const packr = new Packr({ structures, maxSharedStructures: Math.max(32, count) });
    const value = Array.from({ length: count }, (_, i) => ({ [`key${i}`]: i, other: null }));
    packr.pack(value);
    const bytes = Uint8Array.from(packr.pack(value));
    const shared = JSON.parse(JSON.stringify(structures)) as string[][];
    expect(shared.length).toBe(count);
    assertSame(decodeWith(messagepack, bytes, { options: { structures: shared } }), value);
    if (count < 100) sameInEveryCut(messagepack, bytes, { options: { structures: shared } });
  });

  test('decodes ids of two bytes that are defined inline', () => {
    const bytes = bytesOf(0x94, hex('d5 72 61 00 91'), 0xa1, 'a', 1, hex('d5 72 61 01 91'), 0xa1, 'b', 2, hex('61 00'), 3, hex('61 01'), 4);
    assertSame(sameInEveryCut(messagepack, bytes), { value: [{ a: 1 }, { b: 2 }, { a: 3 }, { b: 4 }] });
  });

  test('applies definitions to the rest of a sequence', () => {
    const packr = new Packr({ sequential: true });
    const values = [{ a: 1 }, { a: 2, b: 3 }, { a: 4 }, { a: 5, b: { a: 6 } }];
    const parts = values.map((value) => Uint8Array.from(packr.pack(value)));
    assertSame(sameInEveryCut(messagepack, bytesOf(...parts), { options: { sequence: true } }), { value: values });
  });
});

describe("reader of msgpackr's bundled strings", () => {
  const bundled = { bundleStrings: true } as PackrOptions;
  const strings = ['plain', 'größer', 'x', '', 'astral 😀 plane', 'abcd', '漢字漢字', '\u0000\u007f\u0080\u07ff\u0800\uffff'];

  test.each([
    ['in an array', strings],
    ['as keys and values of maps', Object.fromEntries(strings.map((text) => [`key ${text}`, text]))],
    ['in one string', 'a string alone is not bundled'],
    ['without any', [1, 2, { a: null }]],
    [
      'in records',
      [
        { name: 'first', größe: 'größer' },
        { name: 'second', größe: 'größer' },
      ],
    ],
  ])('decodes them in %s', (_, value) => {
    for (const useRecords of [true, false]) {
      assertSame(sameInEveryCut(messagepack, packed(value, { ...bundled, useRecords })), { value });
    }
  });

  test('decodes a long bundle', () => {
    const value = Array.from({ length: 2500 }, (_, i) => `string ${i} of a bundle of many`);
    for (const chunkSizes of [[], [70_000]]) {
      expect(decodeWith(messagepack, packed(value, bundled), { chunkSizes })).toEqual(value);
    }
  });

  test('decodes several bundles', () => {
    const value = Array.from({ length: 700 }, (_, i) => ({
      id: i,
      name: `name of ${i}`,
      city: i % 3 ? 'Zürich' : 'Oslo',
      at: [i, `at ${i}`],
    }));
    for (const useRecords of [true, false]) {
      const bytes = packed(value, { ...bundled, useRecords });
      assertSame(decodeWith(messagepack, bytes), value);
      for (const size of [1, 7, 1000, 30_000]) {
        const chunkSizes = Array.from({ length: Math.ceil(bytes.length / size) }, () => size);
        assertSame(decodeWith(messagepack, bytes, { chunkSizes }), value);
      }
    }
  });

  test('decodes bundles alongside strings too short or too long to bundle', () => {
    const value = ['abc', 'y'.repeat(4095), 'z'.repeat(4096), 'ü'.repeat(4095), '漢'.repeat(4096), 'end.'];
    assertSame(decodeWith(messagepack, packed(value, bundled)), value);
  });

  test('decodes surrogate pairs split between two strings', () => {
    const value = ['abc\ud83d', '\ude00def', 'plain', '😀😀\ud83d', '\ude00mid\ud83d', '\ude00ende'];
    const bytes = packed(value, bundled);
    assertSame(unpack(bytes), value);
    assertSame(sameInEveryCut(messagepack, bytes), { value });
  });

  test('decodes a bundle in each value of a sequence', () => {
    const packr = new Packr({ ...bundled, useRecords: false });
    const values = [['first', 'second'], 'third', { fourth: 'größe' }, 5];
    const bytes = bytesOf(...values.map((value) => Uint8Array.from(packr.pack(value))));
    assertSame(sameInEveryCut(messagepack, bytes, { options: { sequence: true } }), { value: values });
  });

  test('decodes bundles along with records and structured clones', () => {
    const shared = { name: 'shared', list: ['string one', 'größe'] };
    const value: Record<string, unknown> = { first: shared, second: [shared, shared.list], text: 'after all' };
    value['self'] = value;
    assertSame(sameInEveryCut(messagepack, packed(value, { ...bundled, structuredClone: true })), { value });
  });
});

describe("reader of msgpackr's structured clones", () => {
  const clone = { structuredClone: true } as PackrOptions;

  test('decodes cycles and shared references of objects, arrays, sets and maps', () => {
    const object: Record<string, unknown> = { name: 'object' };
    const array: unknown[] = [object];
    const set = new Set<unknown>([array]);
    const map = new Map<unknown, unknown>([
      ['object', object],
      [set, array],
    ]);
    Object.assign(object, { object, array, set, map });
    array.push(array, set, map);
    set.add(set).add(map);
    map.set(map, map);
    const value = { object, again: object, array, set, map, empty: [new Set(), new Map()] };
    const bytes = packed(value, clone);
    assertSame(sameInEveryCut(messagepack, bytes, { options: { maps: 'map' } }), { value });
  });

  test('decodes record definitions whose keys have an id or refer to keys', () => {
    const bytes = bytesOf(0x93, hex('d4 72 40 d6 69 00000005 91'), 0xa1, 'a', 1, hex('d4 72 41 d6 70 00000005'), 2, 0x41, 3);
    assertSame(sameInEveryCut(messagepack, bytes), { value: [{ a: 1 }, { a: 2 }, { a: 3 }] });
    const value = Array.from({ length: 40 }, (_, i) => ({ [`key${i % 9}`]: i, more: { [`inner${i % 7}`]: [i] } }));
    for (const maxOwnStructures of [2, 8]) {
      const written = packed(value, { ...clone, maxOwnStructures });
      expect(toHex(written).includes('d670')).toBe(true);
      assertSame(sameInEveryCut(messagepack, written), { value });
    }
  });

  test('decodes shared dates, binaries, patterns, errors and typed arrays', () => {
    const date = new Date(1_234_567);
    const bytes = Uint8Array.of(1, 2, 3);
    const pattern = /a+(?<b>c)/giu;
    const error = new RangeError('out of range');
    const floats = new Float64Array([1, -0, NaN]);
    const value = [date, bytes, pattern, error, floats, floats.buffer, date, bytes, pattern, error, floats, floats.buffer];
    assertSame(sameInEveryCut(messagepack, packed(value, clone)), { value });
  });

  test('decodes typed arrays, buffers and views', () => {
    const bytes = Uint8Array.from({ length: 16 }, (_, i) => i * 17);
    const value = [
      new Int8Array(bytes.buffer),
      bytes,
      new Uint8ClampedArray(bytes.buffer),
      new Int16Array(bytes.buffer),
      new Uint16Array(bytes.buffer),
      new Int32Array(bytes.buffer),
      new Uint32Array(bytes.buffer),
      new Float32Array(bytes.buffer),
      new Float64Array(bytes.buffer),
      new BigInt64Array(bytes.buffer),
      new BigUint64Array(bytes.buffer),
      bytes.slice().buffer,
      new DataView(bytes.buffer),
      new Float64Array(0),
    ];
    assertSame(sameInEveryCut(messagepack, packed(value, { moreTypes: true })), { value });
    for (const length of [254, 255, 65_534, 65_535]) {
      assertSame(decodeWith(messagepack, packed(new Uint16Array(length), clone)), new Uint16Array(length));
    }
  });

  test('decodes errors of every class, with a cause, and regular expressions', () => {
    class CustomError extends Error {
      override name = 'CustomError';
    }
    const errors = [Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError].map((Class) => new Class(Class.name));
    const value = [...errors, new TypeError('with', { cause: { code: [1, new Error('inner')] } }), /x/, /[/\]]+/y];
    assertSame(sameInEveryCut(messagepack, packed(value, clone)), { value });
    const [custom, many] = decodeWith(messagepack, packed([new CustomError('own'), new AggregateError([1], 'many')], clone)) as Error[];
    expect(String(custom)).toBe('CustomError: own');
    expect(many).toBeInstanceOf(AggregateError);
    expect(many!.message).toBe('many');
  });
});

describe('reader of other msgpackr output', () => {
  test('decodes undefined, invalid dates and dates in every format', () => {
    const dates = [0, 1, -1, 999, 1000, 4_294_967_295_000, 4_294_967_295_999, 4_294_967_296_000, -62_135_596_800_000, 8.64e15, -8.64e15, NaN];
    const value = [undefined, { a: undefined }, ...dates.map((time) => new Date(time))];
    assertSame(sameInEveryCut(messagepack, packed(value)), { value });
  });

  test('decodes integers of any size', () => {
    const sizes = [7n, 8n, 31n, 32n, 62n, 63n, 64n, 65n, 127n, 128n, 129n, 1000n, 5000n, 70_000n];
    const value = sizes.flatMap((size) => [2n ** size, 2n ** size - 1n, -(2n ** size), -(2n ** size) - 1n]);
    const bytes = packed(value, { useBigIntExtension: true });
    assertSame(decodeWith(messagepack, bytes, { options: { int64: 'bigint' } }), value);
    const short = packed(value.slice(0, 40), { useBigIntExtension: true });
    sameInEveryCut(messagepack, short);
  });

  test.each([1, 3, 4])('decodes 32-bit floats with useFloat32 %i', (useFloat32) => {
    const value = [0.1, 7.99, -73.992_19, 40.76, 1e-7, 123_456.7, 0.000_123_4, -2.5, 3e9];
    const bytes = packed(value, { useFloat32 });
    const reference: unknown = new Unpackr({ useFloat32 }).unpack(bytes);
    assertSame(sameInEveryCut(messagepack, bytes, { options: { float32: useFloat32 > 2 ? 'decimal' : 'exact' } }), {
      value: reference,
    });
  });

  test('decodes maps, as objects and as Maps', () => {
    const value = new Map<unknown, unknown>([
      ['a', 1],
      [2, 'b'],
      [null, new Map([['c', 3]])],
    ]);
    const bytes = packed(value, { useRecords: false });
    assertSame(sameInEveryCut(messagepack, bytes, { options: { maps: 'map' } }), { value });
    assertSame(sameInEveryCut(messagepack, bytes), { value: { a: 1, 2: 'b', null: { c: 3 } } });
  });
});
