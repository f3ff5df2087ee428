import { Packr, unpack, Unpackr } from 'msgpackr';
import { describe, expect, test, vi } from 'vitest';
import messagepack, { createReviveTag, MessagePackExtension } from '../../../../../core/formats/messagepack/index.ts';
import writer, { type MessagePackWriteOptions } from '../../../../../core/formats/messagepack/writer.ts';
import { assertSame, decodeWith } from '../../../../setup/ways/differential.ts';
import { encodeEveryWay, encodeWith } from '../../../../setup/ways/encode-with.ts';
import { firstDifference, hex, toHex } from '../../../../setup/values/hex.ts';

const encode = (value: unknown, options: MessagePackWriteOptions = {}): Uint8Array =>
  encodeEveryWay(writer, value, { options, format: 'messagepack' });
const own = (key: string, value: unknown): object => Object.defineProperty({}, key, { value, enumerable: true, configurable: true, writable: true });

class Point {
  x: number;
  y: number;

  constructor(x: number, y: number) {
    this.x = x;
    this.y = y;
  }

  get sum(): number {
    return this.x + this.y;
  }
}

describe('MessagePack writer', () => {
  test.each<[string, unknown, string, MessagePackWriteOptions?]>([
    ['−0, a float', -0, 'cb 8000000000000000'],
    ['NaN', Number.NaN, 'cb 7ff8000000000000'],
    ['2⁵³ − 1', 2 ** 53 - 1, 'cf 001fffffffffffff'],
    ['−2⁵³ + 1', -(2 ** 53) + 1, 'd3 ffe0000000000001'],
    ['2⁵³, which may be inexact', 2 ** 53, 'cb 4340000000000000'],
    ['−2³¹ − 1', -(2 ** 31) - 1, 'd3 ffffffff7fffffff'],
    ['2³² − 1', 2 ** 32 - 1, 'ce ffffffff'],
    ['a small bigint', 5n, 'd3 0000000000000005'],
    ['2⁶⁴ − 1', 2n ** 64n - 1n, 'cf ffffffffffffffff'],
    ['2⁶⁴', 2n ** 64n, 'd8 42 00000000000000010000000000000000'],
    ['2⁶⁴ as a float', 2n ** 64n, 'cb 43f0000000000000', { largeBigints: 'float' }],
    ['2⁶⁴ as text', 2n ** 64n, 'b4 3138343436373434303733373039353531363136', { largeBigints: 'text' }],
    ['undefined', undefined, 'd40000'],
    ['undefined as nil', [undefined], '91 c0', { undefined: 'nil' }],
    ['omitted properties', { a: undefined, b: 1, c: Number.NaN }, '81 a162 01', { skipValues: [undefined, Number.NaN] }],
    ['a timestamp of 32 bits', new Date(1_600_000_000_000), 'd6ff 5f5e1000'],
    ['a timestamp of 64 bits', new Date(1_600_000_000_001), 'd7ff 003d09005f5e1000'],
    ['a timestamp past 2³² seconds', new Date(2 ** 32 * 1000), 'd7ff 00000001 00000000'],
    ['a timestamp of 96 bits', new Date(-1), 'c70cff 3b8b87c0 ffffffffffffffff'],
    ['a timestamp of whole seconds', new Date(1_600_000_000_999), 'd6ff 5f5e1000', { timestamps: 'seconds' }],
    ['an invalid Date', new Date(Number.NaN), 'd4ffff'],
    ['a replaced invalid Date', [new Date(Number.NaN)], '91 a26e6f', { onInvalidDate: () => 'no' }],
    ['a replaced function', [Math.max], '91 a36d6178', { writeFunction: (value) => value.name }],
    ['bytes', new Uint8Array([1, 2]), 'c402 0102'],
    ['a view of two bytes', new Uint8Array([1, 2, 3, 4]).subarray(1, 3), 'c402 0203'],
    ['an ArrayBuffer without extensions', new Uint8Array([1]).buffer, 'c401 01', { msgpackr: false }],
    ['__proto__, a key like any other', own('__proto__', 1), '81 a9 5f5f70726f746f5f5f 01'],
    ['an instance, by its own keys', new Point(1, 2), '82 a178 01 a179 02'],
    ['an object without a prototype', Object.assign(Object.create(null) as object, { a: 1 }), '81 a161 01'],
    ['an object whose prototype has keys', Object.assign(Object.create({ inherited: 1 }) as object, { a: 1 }), '81 a161 01'],
    ['the result of toJSON of an instance', new URL('a:b'), 'a3 613a62'],
    ['toJSON, a key of a plain object', { toJSON: 1 }, '81 a6 746f4a534f4e 01'],
    ['an instance whose toJSON is not called', { __proto__: { toJSON: () => 1 }, a: 2 }, '81 a161 02', { toJSON: false }],
    ['boxed values', [Object(1), Object('a'), Object(false)], '93 01 a161 c2'],
    ['a hole', [, 1], '92 d40000 01'], // oxlint-disable-line no-sparse-arrays -- A hole is what is written.
    ['a symbol key, which is ignored', { [Symbol('a')]: 1 }, '80'],
    ['text past U+FFFF', 'a😀', 'a5 61f09f9880'],
    ['an extension', new MessagePackExtension(7, new Uint8Array([1, 2, 3])), 'c70307 010203'],
    ['an extension of 16 bytes', new MessagePackExtension(-5, new Uint8Array(16)), `d8fb ${'00'.repeat(16)}`],
    ['an extension of no bytes', new MessagePackExtension(5, new Uint8Array(0)), 'c70005'],
    ['an extension with a value', new MessagePackExtension(7, [1]), 'd40700 91 01'],
    [
      'a Map with keys of any type',
      new Map<unknown, unknown>([
        [1, 2],
        [[], {}],
      ]),
      '82 01 02 90 80',
    ],
    ['a float that is one of 32 bits', [1.5, 0.1], '92 ca3fc00000 cb3fb999999999999a', { float32: 'exact' }],
    ['a float of few decimal digits', [0.1, 1 / 3], '92 ca3dcccccd cb3fd5555555555555', { float32: 'decimal' }],
    ['floats, all of 32 bits', [1 / 3, 1e20], '92 ca3eaaaaab cb4415af1d78b58c40', { float32: 'always' }],
    ['integers as keys', { 7: 1, '07': 2, a: 3 }, '83 07 01 a23037 02 a161 03', { numericKeys: true }],
  ])('writes the specified bytes of %s', (_, value, bytes, options) => {
    expect(toHex(encode(value, options))).toBe(toHex(hex(bytes)));
  });

  test.each([15, 16, 65_535, 65_536])('round-trips objects and lists of length %d', (count) => {
    const value = {
      list: Array.from({ length: count }, (_, index) => index % 5),
      object: Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index])),
    };
    const bytes = encodeWith(writer, value);
    assertSame(unpack(bytes), value);
    expect(firstDifference(encodeWith(writer, value, { inTurns: true }), bytes)).toBe(-1);
    expect(bytes.length).toBe(new Packr({ useRecords: false, variableMapSize: true }).pack(value).length);
  });

  test.each([31, 32, 255, 256, 65_535, 65_536, 200_000])('round-trips strings and binaries of %d bytes', (count) => {
    const value = ['x'.repeat(count), 'é'.repeat(count / 2), '漢'.repeat(count / 3), new Uint8Array(count).fill(7)];
    assertSame(decodeWith(messagepack, encode(value)), value);
  });
});

describe('object writer', () => {
  test('omits keys added to Object.prototype', () => {
    const value = { a: { b: 1 }, c: [{ a: 1 }] };
    const [map, record] = [toHex(encode(value)), toHex(encode(value, { records: true }))];
    // oxlint-disable-next-line no-extend-native -- Some scripts do.
    Object.defineProperty(Object.prototype, 'polluted', { value: 1, enumerable: true, configurable: true, writable: true });
    try {
      expect(toHex(encode(value))).toBe(map);
      expect(toHex(encode(value, { records: true }))).toBe(record);
    } finally {
      Reflect.deleteProperty(Object.prototype, 'polluted');
    }
  });

  test('calls a getter once per write', () => {
    const get = vi.fn(() => 'x'.repeat(40));
    encodeWith(writer, [Object.defineProperty({ a: 1 }, 'b', { get, enumerable: true })]);
    expect(get).toHaveBeenCalledTimes(1);
  });
});

describe('extension writer', () => {
  test('writes application classes by pack as extension bytes, or as a value with or without a type', () => {
    class Other extends Point {}
    const pack = { class: Point, type: 9, pack: ({ x, y }: Point) => Uint8Array.of(x, y) };
    expect(toHex(encode([new Other(1, 2)], { extensions: [pack] }))).toBe(toHex(hex('91 d509 0102')));
    const revive = createReviveTag({ 9: (data: unknown) => data });
    const typed = { class: Point, type: 9, write: ({ x, y }: Point) => [x, y] };
    const bytes = encode([new Point(1, 2)], { extensions: [typed] });
    assertSame(decodeWith(messagepack, bytes, { options: { valueExtensions: [9] }, revive }), [[1, 2]]);
    expect(toHex(encode([new Point(1, 2)], { extensions: [{ class: Point, write: ({ sum }: Point) => sum }] }))).toBe('9103');
    expect(toHex(encode(new Point(1, 2), { extensions: [{ class: Point, type: 9, write: (point: Point) => point }] }))).toBe(
      toHex(hex('d40900 82 a17801 a17902')),
    );
  });
});

describe('writer of shared structures', () => {
  const saved = (): { structures: (readonly string[])[] | undefined; saves: number } => ({ structures: undefined, saves: 0 });

  test('saves structures, which another writer loads and msgpackr reads', () => {
    const store = saved();
    const options: MessagePackWriteOptions = {
      records: true,
      getStructures: () => store.structures,
      saveStructures: (structures) => {
        store.structures = structuredClone(structures) as string[][];
        store.saves += 1;
      },
    };
    const value = [
      { a: 1, b: { c: 2 } },
      { a: 3, b: { c: 4 } },
    ];
    const first = encodeWith(writer, value, { options });
    expect(store.structures).toEqual([['a', 'b'], ['c']]);
    const again = encodeWith(writer, value, { options });
    expect(store.saves).toBe(2);
    expect(toHex(again)).toBe(toHex(first));
    assertSame(new Unpackr({ getStructures: () => store.structures } as never).unpack(again), value);
  });

  test('reloads structures if a save is declined because another writer saved first', () => {
    let stored: (readonly string[])[] = [['z']];
    const compatible: boolean[] = [];
    let known: (readonly string[])[] = [];
    const options: MessagePackWriteOptions = {
      records: true,
      getStructures: () => known,
      saveStructures: (structures, isCompatible) => {
        const fits = isCompatible(stored);
        compatible.push(fits);
        known = stored;
        if (!fits) return false;
        stored = structures.slice();
        return undefined;
      },
    };
    const bytes = encodeWith(writer, { a: 1 }, { options });
    expect(compatible).toEqual([false, true]);
    expect(stored).toEqual([['z'], ['a']]);
    assertSame(decodeWith(messagepack, bytes, { options: { structures: stored } }), { a: 1 });
    expect(toHex(bytes)).toBe('4101');
  });

  test('defines structures inline, or writes maps, if shouldShareStructure returns false', () => {
    const options: MessagePackWriteOptions = { records: true, structures: [], shouldShareStructure: (keys) => keys.includes('id') };
    expect(toHex(encodeWith(writer, [{ id: 1 }, { x: 2 }, { x: 3 }], { options }))).toBe(toHex(hex('93 4001 d472 60 91a178 02 6003')));
    expect(toHex(encodeWith(writer, { x: 2 }, { options: { ...options, maxOwnStructures: 0 } }))).toBe(toHex(hex('81 a178 02')));
  });

  test('reuses structures for the next value with keepRecords', () => {
    const kept = writer.createWriter({ records: true, keepRecords: true }, { depth: 100 } as never, undefined);
    const reused = { createWriter: () => kept };
    const bytes = [{ a: 1 }, { a: 2 }].map((value) => toHex(encodeWith(reused, value)));
    expect(bytes).toEqual([toHex(hex('d472 40 91a161 01')), '4002']);
    assertSame(decodeWith(messagepack, hex(bytes.join('')), { options: { sequence: true } }), [{ a: 1 }, { a: 2 }]);
  });
});

describe('MessagePack writer', () => {
  const deep = (): unknown => {
    let value: unknown = {};
    for (let index = 0; index < 100_000; index += 1) value = { value };
    return value;
  };
  const cycle: Record<string, unknown> = {};
  cycle['again'] = [cycle];
  const grows = [1, 2];
  Object.defineProperty(grows, 0, { get: () => grows.push(3), enumerable: true });
  const shrinks = {
    get a() {
      return delete (shrinks as { b?: number }).b;
    },
    b: 1,
  };

  test.each<[string, unknown, object, MessagePackWriteOptions?]>([
    ['a function', { a: [Math.max] }, { code: 'unsupported', path: ['a', 0] }],
    ['a symbol', [Symbol('a')], { code: 'unsupported', path: [0] }],
    ['a Promise', { p: Promise.resolve() }, { code: 'unsupported', path: ['p'] }],
    ['a WeakMap', [new WeakMap()], { code: 'unsupported' }],
    ['a lone surrogate', { a: 'x\ud800' }, { code: 'text', path: ['a'] }],
    ['a lone surrogate in a long string', [`${'x'.repeat(100_000)}\udc00`], { code: 'text', path: [0] }],
    ['a lone surrogate in a key', [{ '\udc00': 1 }], { code: 'text', path: [0, '\udc00'] }],
    ['a lone surrogate in a bundle', ['abc\ud800d'], { code: 'text' }, { bundleStrings: true }],
    ['a cycle', cycle, { code: 'cycle', path: ['again', 0] }],
    ['a cycle in a Map', new Map([['m', cycle]]), { code: 'cycle' }],
    ['a hundred thousand nested objects', deep(), { code: 'depth' }],
    ['a hundred thousand nested objects, with references', deep(), { code: 'depth' }, { references: true }],
    [
      'a toJSON that returns an object with toJSON',
      {
        a: new (class Again {
          toJSON(): unknown {
            return new Again();
          }
        })(),
      },
      { code: 'depth' },
    ],
    ['a list that grows', [grows], { code: 'changed' }],
    ['a record that loses a key', [shrinks], { code: 'changed' }, { records: true }],
    ['undefined without extensions', { a: undefined }, { code: 'unsupported', path: ['a'] }, { msgpackr: false }],
    ['a Set without extensions', new Set(), { code: 'unsupported' }, { msgpackr: false }],
    ['a RegExp without extensions', /a/, { code: 'unsupported' }, { msgpackr: false }],
    ['an Error without extensions', new Error('a'), { code: 'unsupported' }, { msgpackr: false }],
    ['numbers in memory without extensions', new Float64Array(1), { code: 'unsupported' }, { msgpackr: false }],
    ['a large bigint without extensions', [2n ** 64n], { code: 'range', path: [0] }, { msgpackr: false }],
    ['an invalid Date without extensions', new Date(Number.NaN), { code: 'range' }, { msgpackr: false }],
    ['a sequence that is not an array', {}, { code: 'type' }, { sequence: true }],
    ['an item of a sequence', [1, [Math.max]], { code: 'unsupported', path: [1, 0] }, { sequence: true }],
  ])('rejects %s', (_, value, error, options = {}) => {
    expect(() => encodeWith(writer, value, { options, format: 'messagepack' })).toThrow(
      expect.objectContaining({ name: 'EncodeError', format: 'messagepack', ...error }),
    );
  });

  const long = 'x'.repeat(400_000);
  const list = [long, long, long];
  const map = new Map([
    [1, long],
    [2, long],
    [3, long],
  ]);

  test.each<[string, object, (turn: number, value: Record<string, string>) => unknown, MessagePackWriteOptions?]>([
    ['a list that grows between two slices', list, () => list.push(long)],
    ['an object that loses the key it stopped at', { a: long, b: long, c: long }, (_, value) => delete value['a']],
    ['an object that loses an announced key', { a: long, b: long, c: long }, (turn, value) => turn < 2 || delete value['c']],
    ['a record that loses a key', { a: long, b: long, c: long }, (_, value) => delete value['c'], { records: true }],
    ['a Map that grows between two slices', map, () => map.set(4, long)],
  ])('rejects a change between slices: %s', (_, value, change, options = {}) => {
    let turns = 0;
    const turn = (): boolean => {
      turns += 1;
      change(turns, value as Record<string, string>);
      return true;
    };
    expect(() => encodeWith(writer, value, { turn, options })).toThrow(expect.objectContaining({ code: 'changed' }));
  });
});

test.each([0x00, 0x65, 0x69, 0x70, 0x72, 0x73, 0x78])('round-trips an extension of type %i, which msgpackr uses', (type) => {
  for (const data of [[0], [0x40, 0], [0x10, 0, 0, 0]]) {
    const value = new MessagePackExtension(type, Uint8Array.from(data));
    assertSame(decodeWith(messagepack, encode([value])), [value]);
  }
});
