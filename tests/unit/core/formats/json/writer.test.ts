import { describe, expect, it } from 'vitest';
import { encodeSync } from '../../../../../main/sync.ts';
import { joined } from '../../../../../core/bytes/byte-input.ts';
import writer, { type JsonWriteOptions } from '../../../../../core/formats/json/writer.ts';
import { DEFAULT_LIMITS } from '../../../../../core/limits.ts';
import { encodeWith } from '../../../../setup/ways/encode-with.ts';
import fc from '../../../../setup/properties/property.ts';

function write(value: unknown, options: JsonWriteOptions = {}, turn?: () => boolean): string {
  const session = writer.createWriter(options, DEFAULT_LIMITS, undefined).session('json', turn).write(value);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  while (!session.isWhole) {
    session.run();
    chunks.push(...session.take());
  }
  return decoder.decode(joined(chunks));
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Large value, so that the value around it is walked. */
const heavy = Array.from({ length: 3_000 }, (_, id) => ({ id, text: 'x'.repeat(id % 50) }));

const values = fc.anything({
  withDate: true,
  withBoxedValues: true,
  withSparseArray: true,
  withNullPrototype: true,
  withTypedArray: true,
  withUnicodeString: true,
  maxDepth: 4,
});

describe('the JSON writer', () => {
  it('matches JSON.stringify for any value', () => {
    fc.assert(
      fc.property(values, (value) => {
        const text = JSON.stringify([value]);
        expect(write([value])).toBe(text);
        expect(write({ value, heavy })).toBe(JSON.stringify({ value, heavy }));
        expect(decoder.decode(encodeSync(writer, { value }))).toBe(JSON.stringify({ value }));
      }),
      { numRuns: 2_000 },
    );
  });

  it('matches JSON.stringify for values that its options are not for', () => {
    const options: JsonWriteOptions = { bigints: 'number', maps: 'object', sets: 'array', bytes: 'base64' };
    fc.assert(
      fc.property(fc.anything({ withDate: true, withBoxedValues: true, withSparseArray: true, withNullPrototype: true, maxDepth: 4 }), (value) => {
        expect(write([value], options)).toBe(JSON.stringify([value]));
        expect(write({ value, heavy, map: new Map() }, options)).toBe(JSON.stringify({ value, heavy, map: {} }));
      }),
      { numRuns: 1_000 },
    );
  });

  it('writes values that its options are for wherever they are', () => {
    const options: JsonWriteOptions = { bigints: 'number', maps: 'object', sets: 'array', bytes: 'base64', nonFinite: 'error' };
    const parts = [new Map([['m', [1n]]]), new Set([2n ** 70n]), Uint8Array.of(5), { toJSON: () => new Map([['t', 1]]) }];
    const texts = ['{"m":[1]}', `[${2n ** 70n}]`, '"BQ=="', '{"t":1}'];
    for (const [at, part] of parts.entries()) {
      expect(write({ a: [{ b: part }], c: 'x' }, options)).toBe(`{"a":[{"b":${texts[at]}}],"c":"x"}`);
      expect(write([...heavy, [part], part], options).endsWith(`,[${texts[at]}],${texts[at]}]`)).toBe(true);
      expect(write({ heavy, part }, options).endsWith(`],"part":${texts[at]}}`)).toBe(true);
    }
    expect(() => write([[{ a: Number.NaN }]], options)).toThrow('JSON has no NaN (json, at $[0][0].a)');
  });

  it("writes the bytes of every buffer and view in base64, also of those with a toJSON, such as Node's Buffer", () => {
    class Bytes extends Uint8Array<ArrayBuffer> {
      toJSON(): object {
        return { type: 'Buffer', data: [...this] };
      }
    }
    const buffer = Uint8Array.of(1, 2, 3, 4).buffer;
    const views = [buffer, new Uint8Array(buffer), Bytes.from([1, 2, 3, 4]), new DataView(buffer), new Uint16Array(buffer)];
    for (const view of views) {
      for (const value of [view, { view }, [view, heavy], { heavy, view: [view] }]) {
        const text = write(value, { bytes: 'base64' });
        expect(text.split('"AQIDBA=="')).toHaveLength(2);
        expect(text).not.toContain('Buffer');
      }
    }
    expect(write(Bytes.from([1]))).toBe('{"type":"Buffer","data":[1]}');
  });

  it('writes the same text in slices', () => {
    fc.assert(
      fc.property(values, (value) => {
        const whole = [heavy, { a: value, heavy, b: [heavy, value] }, ...heavy];
        expect(write(whole, {}, () => true)).toBe(JSON.stringify(whole));
      }),
      { numRuns: 40 },
    );
  });

  it('matches JSON.stringify for large dictionaries and for integer and __proto__ keys', () => {
    const dictionary = Object.fromEntries(
      Array.from({ length: 50_000 }, (_, id) => [id % 3 ? `key ${id}` : String(id), id % 5 ? id / 7 : undefined]),
    );
    Object.defineProperty(dictionary, '__proto__', { value: [1, 'é\ud800'], enumerable: true });
    expect(write(dictionary)).toBe(JSON.stringify(dictionary));
    expect(write(dictionary, {}, () => true)).toBe(JSON.stringify(dictionary));
  });

  it('writes strings longer than a chunk, including lone surrogates and pairs at chunk ends', () => {
    const text = 'a' + '😀'.repeat(150_000) + '\ud800"\n' + 'é'.repeat(400_000);
    expect(write([text, { text }])).toBe(JSON.stringify([text, { text }]));
  });

  it("calls toJSON with the property's key", () => {
    const keyed = { toJSON: (key: string) => `under ${key}` };
    expect(write({ keyed, list: [keyed], heavy })).toBe(JSON.stringify({ keyed, list: [keyed], heavy }));
    expect(write({ keyed, list: [keyed] })).toBe('{"keyed":"under keyed","list":["under 0"]}');
  });

  it('writes newline-delimited JSON with the option sequence', () => {
    expect(write([1, 'a', null, { b: [] }], { sequence: true })).toBe('1\n"a"\nnull\n{"b":[]}\n');
    expect(write([], { sequence: true })).toBe('');
    expect(write(heavy, { sequence: true }, () => true)).toBe(heavy.map((row) => `${JSON.stringify(row)}\n`).join(''));
    expect(() => write({}, { sequence: true })).toThrow(expect.objectContaining({ code: 'type' }));
    expect(() => write([1, undefined], { sequence: true })).toThrow(expect.objectContaining({ code: 'unsupported', path: [1] }));
  });

  it('writes items from a stream as an array or as lines, and names the index of a rejected one', () => {
    const items = (options: JsonWriteOptions, ...runs: unknown[][]): string => {
      const session = writer.createWriter(options, DEFAULT_LIMITS, undefined).session('json', () => true);
      const chunks: Uint8Array<ArrayBuffer>[] = [];
      const finish = (): void => {
        while (!session.isIdle) {
          session.run();
          chunks.push(...session.take());
        }
      };
      for (const run of runs) {
        session.add(run);
        finish();
      }
      session.close();
      finish();
      return new TextDecoder().decode(joined(chunks));
    };
    expect(items({}, [1, undefined], [], [heavy, { a: 1 }])).toBe(JSON.stringify([1, undefined, heavy, { a: 1 }]));
    expect(items({})).toBe('[]');
    expect(items({ sequence: true }, [1], [heavy])).toBe(`1\n${JSON.stringify(heavy)}\n`);
    expect(items({ sequence: true })).toBe('');
    expect(() => items({}, [1], [heavy, { a: [1n] }])).toThrow(expect.objectContaining({ code: 'unsupported', path: [2, 'a', 0] }));
  });

  it.each<[string, unknown, JsonWriteOptions, string]>([
    ['bigints as numbers', { a: [10n ** 30n, -1n] }, { bigints: 'number' }, `{"a":[1${'0'.repeat(30)},-1]}`],
    ['bigints as strings', [10n ** 30n], { bigints: 'string' }, `["1${'0'.repeat(30)}"]`],
    [
      'Maps as objects',
      new Map<unknown, unknown>([
        ['a', 1],
        [2, new Map([['__proto__', 3]])],
      ]),
      { maps: 'object' },
      '{"2":{"__proto__":3},"a":1}',
    ],
    ['Maps as entries', { m: new Map([[{}, 1]]) }, { maps: 'entries' }, '{"m":[[{},1]]}'],
    ['Sets as arrays', [new Set([1, new Set([2])])], { sets: 'array' }, '[[1,[2]]]'],
    ['bytes in base64', [Uint8Array.of(251, 255), new ArrayBuffer(1)], { bytes: 'base64' }, '["+/8=","AA=="]'],
    ['bytes in base64url', Uint8Array.of(251, 255), { bytes: 'base64url' }, '"-_8"'],
    [
      'negative zero and dates as JSON.stringify does',
      [-0, new Date(0), new Date(NaN), undefined],
      { bigints: 'string' },
      '[0,"1970-01-01T00:00:00.000Z",null,null]',
    ],
  ])('writes %s', (_name, value, options, text) => {
    expect(write(value, options)).toBe(text);
    expect(decoder.decode(encodeSync(writer, value, { options }))).toBe(text);
    expect(write([value, heavy], options)).toBe(`[${text},${JSON.stringify(heavy)}]`);
  });

  it.each<[string, unknown, JsonWriteOptions, object]>([
    ['undefined at the root', undefined, {}, { code: 'unsupported', path: undefined }],
    ['a function at the root', () => 1, {}, { code: 'unsupported' }],
    ['a bigint', { a: [1n] }, {}, { code: 'unsupported', path: ['a', 0] }],
    ['a bigint in a large value', { heavy, a: [heavy, { b: 1n }] }, {}, { code: 'unsupported', path: ['a', 1, 'b'] }],
    ['NaN by option', [[NaN]], { nonFinite: 'error' }, { code: 'unsupported', path: [0, 0] }],
    ['a Map whose key is an object', [new Map([[{}, 1]])], { maps: 'object' }, { code: 'unsupported', path: [0] }],
  ])('rejects %s and names its path', (_name, value, options, expected) => {
    expect(() => write(value, options)).toThrow(expect.objectContaining({ name: 'EncodeError', format: 'json', ...expected }));
    expect(() => encodeSync(writer, value, { options })).toThrow(expect.objectContaining({ name: 'EncodeError', ...expected }));
  });

  it.each<[string, JsonWriteOptions]>([
    ['the engine', {}],
    ['options', { nonFinite: 'error' }],
  ])('finds the path of a rejected value without rereading the previous ones, by %s', (_by, options) => {
    let reads = 0;
    const item = {
      get a() {
        reads += 1;
        return 1;
      },
    };
    const list = [...Array.from({ length: 1_500 }, () => item), { b: [1n] }, item];
    expect(() => write({ list }, options)).toThrow(expect.objectContaining({ code: 'unsupported', path: ['list', 1_500, 'b', 0] }));
    // Each item is estimated and written as part of the value, of the list, of a run of items, and alone.
    expect(reads).toBeLessThan(9 * list.length);
  });

  it('rejects a cycle and values that are too deep without a crash', () => {
    const cycle: unknown[] = [];
    cycle.push({ cycle });
    expect(() => write(cycle)).toThrow(expect.objectContaining({ code: 'cycle', path: [0, 'cycle'] }));
    let deep: unknown = 1;
    for (let index = 0; index < 100_000; index += 1) deep = [deep];
    expect(() => write(deep)).toThrow(expect.objectContaining({ code: 'depth' }));
    expect(() => write(deep, { bigints: 'string' })).toThrow(expect.objectContaining({ code: 'depth' }));
  });

  it('applies a depth limit to small values', () => {
    const value = { a: [{ b: 1 }] };
    expect(encodeSync(writer, value, { limits: { depth: 3 } })).toHaveLength(15);
    expect(() => encodeSync(writer, value, { limits: { depth: 2 } })).toThrow(expect.objectContaining({ code: 'depth', path: ['a', 0] }));
    const list = encodeWith(writer, [[1], [2]], { limits: { depth: 2 }, inTurns: true });
    expect(decoder.decode(list)).toBe('[[1],[2]]');
    expect(() => encodeWith(writer, [[1], [[2]]], { limits: { depth: 2 }, inTurns: true })).toThrow(expect.objectContaining({ code: 'depth' }));
  });

  it('returns a separate array for each small value, for any text', () => {
    const texts = ['', 'é\ud800', 'x'.repeat(63), `${'x'.repeat(70)}€`, '€'.repeat(9_000), 'x'.repeat(40_000)];
    const all = texts.map((text) => encodeSync(writer, text));
    expect(all.map((bytes) => decoder.decode(bytes))).toEqual(texts.map((text) => JSON.stringify(text)));
    expect(all.every(({ length, buffer }) => buffer.byteLength === length)).toBe(true);
  });
});
