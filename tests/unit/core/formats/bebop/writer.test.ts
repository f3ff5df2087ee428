import { firstDifference } from '../../../../setup/values/hex.ts';
import { describe, expect, it } from 'vitest';
import bebop, { type BebopOptions } from '../../../../../core/formats/bebop/index.ts';
import type { BebopSchema } from '../../../../../core/formats/bebop/schema/schema.ts';
import writer from '../../../../../core/formats/bebop/writer.ts';
import { caseCount } from '../../../../setup/properties/case-count.ts';
import { assertSame, decodeWith } from '../../../../setup/ways/differential.ts';
import { encodeErrorOf, encodeWith, fillerLeaving } from '../../../../setup/ways/encode-with.ts';
import { Dice, encode, randomModel, randomValue, referenceOf } from './random.ts';

const compile = async (bop: string, record = 'R'): Promise<BebopSchema> => (await writer.compileSchema!({ bop, record }))!;

describe('deprecated fields', () => {
  const value = { old: 1, name: 'n', older: { x: 5 } };
  const message = async (): Promise<BebopSchema> =>
    await compile(
      'message R { @deprecated("use name") 1 -> int32 old; 2 -> string name; [deprecated("no")] 3 -> S older; } @deprecated("no") struct S { int32 x; }',
    );
  /** The binary schema of `message R { @deprecated("no") 1 -> int32 old; 2 -> string name; }`. */
  const binary = async (): Promise<BebopSchema> => {
    const field = (name: string, type: number, decorators: string): string => `${name}\0${String.fromCharCode(type, 255, 255, 255)}${decorators}`;
    const deprecated = `\u0001deprecated\0\u0001reason\0${String.fromCharCode(256 - 11, 255, 255, 255)}no\0`;
    const text = `\u0003\u0001\0\0\0R\0\u0002\0\u0005\0\0\0\u0002${field('old', 256 - 6, deprecated)}\u0001${field('name', 256 - 11, '\0')}\u0002\0\0\0\0`;
    return (await writer.compileSchema!({ bop: Uint8Array.from(text, (char) => char.charCodeAt(0)), record: 'R' }))!;
  };

  it.each([
    ['text', message],
    ['binary', binary],
  ])('of messages are read but not written, as by the code of bebopc, with a schema as %s', async (form, compiled) => {
    const schema = await compiled();
    const given = form === 'text' ? value : { old: 1, name: 'n' };
    const { old, older } = { older: undefined, ...given };
    const without = encodeWith(writer, { name: 'n' }, { schema });
    expect(encodeWith(writer, given, { schema })).toEqual(without);
    expect(encodeWith(writer, { name: 'n', old, older }, { schema })).toEqual(without);
    expect(decodeWith(bebop, without, { schema })).toEqual({ name: 'n' });
    const read = Uint8Array.of(6, 0, 0, 0, 1, 1, 0, 0, 0, 0);
    expect(decodeWith(bebop, read, { schema })).toEqual({ old: 1 });
  });

  it('of structs are written, since all of their fields are', async () => {
    const schema = await compile('struct R { @deprecated("no") int32 old; }');
    expect(encodeWith(writer, { old: 7 }, { schema })).toEqual(Uint8Array.of(7, 0, 0, 0));
  });
});

describe('writer of random values', () => {
  it('writes the same bytes as the reference library, in every input form', async () => {
    for (let seed = 0; seed < caseCount(20_000) / 20; seed += 1) {
      const dice = new Dice(seed);
      const model = randomModel(dice);
      const schema = await compile(model.text, model.root);
      for (let i = 0; i < 20; i += 1) {
        const value = randomValue(dice, model);
        const expected = encode(model, value);
        const where = `seed ${seed}, value ${i}\n${model.text}`;
        expect(firstDifference(encodeWith(writer, value, { schema }), expected), where).toBe(-1);
        const options: BebopOptions = {
          int64: dice.pick(['auto', 'bigint', 'string']),
          enums: dice.pick(['number', 'name']),
          maps: dice.pick(['map', 'object']),
        };
        const decoded = decodeWith(bebop, expected, { schema, options });
        const written = encodeWith(writer, decoded, { schema });
        // Integer keys of an object are reordered, and NaN keys merge.
        if (options.maps === 'map') expect(firstDifference(written, expected), where).toBe(-1);
        else assertSame(decodeWith(bebop, written, { schema, options }), decoded);
        referenceOf(model).reader.read(model.root, written);
      }
    }
  });

  it('writes the same bytes if sliced anywhere', async () => {
    for (let seed = 0; seed < caseCount(200); seed += 1) {
      const dice = new Dice(seed);
      const model = randomModel(dice);
      const schema = await compile(
        `${model.text}\nstruct Outer { byte[] filler; ${model.root}[] list; map[int32, ${model.root}] map; Wrap wrap; }\nmessage Wrap { 1 -> ${model.root} one; 2 -> Outer[] more; }`,
        'Outer',
      );
      const list = Array.from({ length: 8 }, () => randomValue(dice, model));
      const inner = (filler: number, more: unknown): unknown => ({
        filler: new Uint8Array(filler),
        list,
        map: new Map(list.map((item, index) => [index, item])),
        wrap: { one: list[0], more },
      });
      const length = encodeWith(writer, inner(0, []), { schema }).length;
      for (let i = 0; i < 6; i += 1) {
        const value = {
          filler: new Uint8Array(1),
          list: [],
          map: new Map(),
          wrap: { more: [inner(fillerLeaving(dice.below(length)), [inner(0, [])])] },
        };
        const whole = encodeWith(writer, value, { schema });
        expect(firstDifference(encodeWith(writer, value, { schema, inTurns: true }), whole), `seed ${seed}`).toBe(-1);
      }
    }
  });
});

describe('writer', () => {
  const BOP = `
    enum E : int16 { Zero = 0; Two = 2; } [flags] enum F { A = 1; B = 2; } enum Big : int64 { Large = 9007199254740993; }
    struct S { int32 i; string t; } message M { 1 -> int32 i; 2 -> M again; 3 -> S[] list; } union U { 1 -> S; 2 -> M; }
    struct R {
      bool o; byte b; uint16 w; int16 h; uint32 u; int32 i; uint64 x; int64 l; float32 f; float64 d; string t; guid g; date a; byte[] y; E e; F s; Big k;
      map[int32, string] m; U n; S[] c;
    }`;
  const named = compile(BOP);
  const value = {
    o: true,
    b: 255,
    w: 1,
    h: -1,
    u: 1,
    i: -1,
    x: 1n,
    l: -1,
    f: 1.5,
    d: -0,
    t: 'é',
    g: '01234567-89ab-cdef-0123-456789abcdef',
    a: new Date(0),
    y: Uint8Array.of(1),
    e: 'Two',
    s: 'A B',
    k: 'Large',
    m: { 5: 'x' },
    n: { discriminator: 2, value: { again: {} } },
    c: [],
  };
  const decoded = { ...value, m: new Map([[5, 'x']]), x: 1 };

  it('survives a round trip, with keys in any order, enums by name and object keys', async () => {
    const schema = await named;
    const bytes = encodeWith(writer, value, { schema });
    assertSame(decodeWith(bebop, bytes, { schema, options: { enums: 'name' } }), decoded);
    const shuffled = Object.fromEntries(Object.entries({ ...value, more: undefined }).toReversed());
    expect(encodeWith(writer, shuffled, { schema })).toEqual(bytes);
    expect(encodeWith(writer, { ...value, e: 2, s: 3, k: 2n ** 53n + 1n, g: value.g.replaceAll('-', ''), x: '1' }, { schema })).toEqual(bytes);
  });

  it.each([
    [{ o: 1 }, 'type', ['o']],
    [{ b: 256 }, 'range', ['b']],
    [{ b: 1.5 }, 'range', ['b']],
    [{ w: -1 }, 'range', ['w']],
    [{ h: 40_000 }, 'range', ['h']],
    [{ u: 2 ** 32 }, 'range', ['u']],
    [{ i: NaN }, 'range', ['i']],
    [{ x: -1 }, 'range', ['x']],
    [{ x: 2n ** 64n }, 'range', ['x']],
    [{ l: 2 ** 63 }, 'range', ['l']],
    [{ l: true }, 'type', ['l']],
    [{ f: 1e39 }, 'range', ['f']],
    [{ d: '1' }, 'type', ['d']],
    [{ t: '\ud800' }, 'text', ['t']],
    [{ t: null }, 'type', ['t']],
    [{ g: 'x' }, 'type', ['g']],
    [{ a: new Date(NaN) }, 'range', ['a']],
    [{ a: new Date(-62_135_596_800_001) }, 'range', ['a']],
    [{ a: new Date(8.64e15) }, 'range', ['a']],
    [{ a: 0 }, 'type', ['a']],
    [{ y: [1] }, 'type', ['y']],
    [{ e: 'One' }, 'range', ['e']],
    [{ e: 40_000 }, 'range', ['e']],
    [{ s: 'A C' }, 'range', ['s']],
    [{ m: [] }, 'type', ['m']],
    [{ m: { x: 'y' } }, 'range', ['m', 'x']],
    [{ m: { 1: 2 } }, 'type', ['m', '1']],
    [{ n: { discriminator: 3, value: {} } }, 'range', ['n']],
    [{ n: {} }, 'type', ['n']],
    [{ n: { discriminator: 1, value: { i: 1 } } }, 'missing', ['n', 'value', 't']],
    [{ c: {} }, 'type', ['c']],
    [
      {
        c: [
          { i: 1, t: 'a' },
          { i: 1, t: 2 },
        ],
      },
      'type',
      ['c', 1, 't'],
    ],
    [{ t: undefined }, 'missing', ['t']],
    [{ n: { discriminator: 2, value: { list: [0] } } }, 'type', ['n', 'value', 'list', 0]],
  ] as const)('rejects %o', async (change, code, path) => {
    expect(encodeErrorOf(writer, { ...value, ...change }, { schema: await named })).toEqual({ code, path });
  });

  it('rejects values that are cyclic or too deep, and reports the path of an error also after several slices', async () => {
    const schema = await compile(BOP, 'M');
    const cyclic: Record<string, unknown> = {};
    cyclic['again'] = cyclic;
    expect(encodeErrorOf(writer, cyclic, { schema })).toEqual({ code: 'cycle', path: ['again'] });
    let deep: object = {};
    for (let i = 0; i < 100_000; i += 1) deep = { again: deep };
    expect(encodeErrorOf(writer, deep, { schema })).toMatchObject({ code: 'depth' });
    const list = Array.from({ length: 50_000 }, (_, i) => ({ i, t: 'text' }));
    expect(encodeErrorOf(writer, { again: { list: [...list, { i: 1, t: 1 }] } }, { schema, inTurns: true })).toEqual({
      code: 'type',
      path: ['again', 'list', 50_000, 't'],
    });
    expect(encodeErrorOf(writer, [], { schema })).toEqual({ code: 'type', path: undefined });
  });

  it('writes a sequence with long strings', async () => {
    const schema = await compile(BOP, 'S');
    const list = Array.from({ length: 20_000 }, (_, i) => ({ i, t: i === 7 ? 'ü'.repeat(700_000) : `text ${i}` }));
    const bytes = encodeWith(writer, list, { schema, options: { sequence: true }, inTurns: true });
    assertSame(decodeWith(bebop, bytes, { schema, options: { sequence: true } }), list);
  });
});
