import { firstDifference } from '../../../../setup/values/hex.ts';
import { describe, expect, it } from 'vitest';
import capnproto, { type CapnProtoOptions } from '../../../../../core/formats/capnproto/index.ts';
import { pack } from '../../../../../core/formats/capnproto/write/pack.ts';
import { unpack } from '../../../../../core/formats/capnproto/read/packed.ts';
import * as t from '../../../../../core/formats/capnproto/schema/schema.ts';
import type { CapnProtoSchema, FieldSchema } from '../../../../../core/formats/capnproto/schema/schema.ts';
import writer from '../../../../../core/formats/capnproto/writer.ts';
import { Budget } from '../../../../../core/budget.ts';
import { DEFAULT_LIMITS } from '../../../../../core/limits.ts';
import { caseCount } from '../../../../setup/properties/case-count.ts';
import { assertSame, decodeWith } from '../../../../setup/ways/differential.ts';
import { encodeErrorOf, encodeWith, fillerLeaving } from '../../../../setup/ways/encode-with.ts';
import { encode } from './encode.ts';
import { active, Dice, expected, randomModel, randomValue, type Value } from './random.ts';

/** Adds null for a union's member that is a null pointer. */
function withMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withMembers);
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  const result = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withMembers(item)]));
  const member = active.get(value as Value);
  if (member !== undefined) result[member.name] ??= null;
  return result;
}

describe("Cap'n Proto writer of random values", () => {
  it("writes messages that decode like the reference library's, from every form of input", () => {
    for (let seed = 0; seed < caseCount(20_000) / 20; seed += 1) {
      const dice = new Dice(seed);
      const model = randomModel(dice);
      const { schema } = model;
      for (let i = 0; i < 20; i += 1) {
        const value = randomValue(dice, model);
        const framing = { packed: dice.chance(0.3), flat: dice.chance(0.2) };
        const options: CapnProtoOptions = {
          int64: dice.pick(['auto', 'bigint', 'string']),
          enums: dice.pick(['number', 'name']),
          defaults: dice.pick(['implicit', 'all', 'none']),
          ...framing,
        };
        try {
          const bytes = encodeWith(writer, withMembers(value), { schema, options: framing });
          assertSame(decodeWith(capnproto, bytes, { schema, options }), expected(model, value, options));
          const theirs = decodeWith(capnproto, encode(model, value, framing.packed), {
            schema,
            options: { ...options, flat: false, defaults: 'all' },
          });
          assertSame(
            decodeWith(capnproto, encodeWith(writer, theirs, { schema, options: framing }), { schema, options: { ...options, defaults: 'all' } }),
            theirs,
          );
        } catch (error) {
          throw new Error(`seed ${seed}, value ${i}, ${JSON.stringify(options)}`, { cause: error });
        }
      }
    }
  });

  it('writes the same bytes in slices of any length', () => {
    for (let seed = 0; seed < caseCount(300); seed += 1) {
      const dice = new Dice(seed);
      const { schema: inner } = randomModel(dice);
      const root = inner.structs.length;
      const types = [...inner.types, { type: t.STRUCT, ref: inner.root }, { type: t.DATA, ref: -1 }, { type: t.STRUCT, ref: root }];
      types.push({ type: t.LIST, ref: types.length - 3 });
      const field = (name: string, type: number, offset: number): FieldSchema => ({
        name,
        type,
        offset,
        discriminant: t.NO_UNION,
        low: 0,
        high: 0,
        at: -1,
        segment: -1,
      });
      const outer = {
        name: 'Outer',
        fields: [field('filler', types.length - 3, 0), field('list', types.length - 1, 1), field('more', types.length - 2, 2)],
        union: false,
        discriminantOffset: 0,
      };
      const schema: CapnProtoSchema = { ...inner, root, types, structs: [...inner.structs, outer] };
      const list = Array.from({ length: 6 }, () => withMembers(randomValue(dice, { schema: inner, sizes: [] })));
      const size = encodeWith(writer, { list }, { schema }).length;
      for (let i = 0; i < 4; i += 1) {
        // Packed zeros would be too short for the reader's limits.
        const value = { filler: new Uint8Array(fillerLeaving(dice.below(size))).fill(7), list, more: { list, more: { list } } };
        const options = { packed: dice.chance(0.3) };
        const whole = encodeWith(writer, value, { schema, options });
        expect(firstDifference(encodeWith(writer, value, { schema, options, inTurns: true }), whole), `seed ${seed}`).toBe(-1);
        assertSame((decodeWith(capnproto, whole, { schema, options }) as { filler: Uint8Array }).filler.length, value.filler.length);
      }
    }
  });
});

describe("Cap'n Proto writer", () => {
  const plain = { discriminant: t.NO_UNION, low: 0, high: 0, at: -1, segment: -1 };
  const schema: CapnProtoSchema = {
    root: 0,
    request: new Uint8Array(0),
    enums: [{ name: 'E', names: ['zero', 'one'] }],
    types: [
      { type: t.INT32, ref: -1 },
      { type: t.TEXT, ref: -1 },
      { type: t.STRUCT, ref: 0 },
      { type: t.LIST, ref: 2 },
      { type: t.BOOL, ref: -1 },
      { type: t.LIST, ref: 4 },
      { type: t.GROUP, ref: 1 },
      { type: t.ENUM, ref: 0 },
      { type: t.ANY_POINTER, ref: -1 },
      { type: t.UINT64, ref: -1 },
      { type: t.DATA, ref: -1 },
      { type: t.LIST, ref: 0 },
      { type: t.STRUCT, ref: 2 },
    ],
    structs: [
      {
        name: 'S',
        union: false,
        discriminantOffset: 0,
        fields: [
          { name: 'i', type: 0, offset: 0, ...plain, low: 7 },
          { name: 't', type: 1, offset: 0, ...plain },
          { name: 'again', type: 2, offset: 1, ...plain },
          { name: 'list', type: 3, offset: 2, ...plain },
          { name: 'bits', type: 5, offset: 3, ...plain },
          { name: 'g', type: 6, offset: 0, ...plain },
          { name: 'e', type: 7, offset: 2, ...plain },
          { name: 'any', type: 8, offset: 5, ...plain },
          { name: 'u', type: 9, offset: 1, ...plain },
          { name: 'd', type: 10, offset: 6, ...plain },
          { name: 'ints', type: 11, offset: 7, ...plain },
          { name: 'nothing', type: 12, offset: 8, ...plain },
          { name: 'yes', type: 4, offset: 49, ...plain, low: 1 },
        ],
      },
      {
        name: 'G',
        union: true,
        discriminantOffset: 8,
        fields: [
          { name: 'left', type: 1, offset: 4, ...plain, discriminant: 0 },
          { name: 'right', type: 0, offset: 5, ...plain, discriminant: 1 },
        ],
      },
      { name: 'Nothing', union: false, discriminantOffset: 0, fields: [] },
    ],
  };
  const full = {
    i: 5,
    t: 'é',
    again: { i: 1, g: { right: 2 }, e: 1, u: 2n ** 63n, yes: true },
    list: [{ t: 'x', i: 7, g: { left: 'l' }, e: 0, u: 0, yes: false }],
    bits: [true, false, true],
    g: { left: 'member' },
    e: 1,
    u: 3,
    d: Uint8Array.of(1, 2),
    ints: [1, -1],
    nothing: {},
    yes: false,
  };
  const write = (value: unknown, options: object = {}, inTurns = false): Uint8Array => encodeWith(writer, value, { schema, options, inTurns });
  const read = (bytes: Uint8Array, options: CapnProtoOptions = {}): Record<string, unknown> =>
    decodeWith(capnproto, bytes, { schema, options: { defaults: 'none', ...options } }) as Record<string, unknown>;

  it('writes defaults, groups, unions and empty structs in each framing, so that they are read back', () => {
    const sorted = (value: unknown): unknown =>
      JSON.parse(
        JSON.stringify(value, (_, item: unknown) =>
          typeof item === 'bigint'
            ? String(item)
            : item instanceof Uint8Array
              ? [...item]
              : typeof item === 'object' && item !== null && !Array.isArray(item)
                ? Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)))
                : item,
        ),
      );
    for (const options of [{}, { packed: true }, { flat: true }, { flat: true, packed: true }]) {
      const bytes = write({ ...full, more: undefined, e: 'one', ints: Int32Array.of(1, -1), u: '3' }, options);
      expect(sorted(read(bytes, options))).toEqual(sorted(full));
    }
    expect(read(write({}))).toMatchObject({ i: 7, yes: true, u: 0 });
  });

  it('refuses keys unknown to structs and groups, unless they are skipped', () => {
    const refused = expect.objectContaining({ name: 'EncodeError', code: 'unknown', path: ['more'] }) as Error;
    expect(() => write({ ...full, more: 1 })).toThrow(refused);
    expect(() => write({ more: 1 })).toThrow(refused);
    expect(write({ ...full, more: 1 }, { extraKeys: 'skip' })).toEqual(write(full));
    expect(write(read(write(full)))).toEqual(write(full));
  });

  it('writes large messages and sequences, also in slices', () => {
    const list = Array.from({ length: 4_000 }, (_, i) => ({ i, t: `row ${i}`, ints: [i, i + 1] }));
    const value = { t: 'ü'.repeat(100_000), list, ints: Array.from({ length: 40_000 }, (_, i) => i), d: new Uint8Array(200_001) };
    for (const options of [{}, { packed: true }]) {
      const bytes = write(value, options, true);
      expect(firstDifference(bytes, write(value, options))).toBe(-1);
      const back = read(bytes, options);
      expect((back['list'] as { t: string }[]).map((row) => row.t)).toEqual(list.map((row) => row.t));
      assertSame(back['ints'], value.ints);
      const sequence = write([value, {}, value], { ...options, sequence: true }, true);
      const all = read(sequence, { ...options, sequence: true }) as unknown as { t: string }[];
      expect(all.map((one) => one.t?.length)).toEqual([100_000, undefined, 100_000]);
    }
  });

  const cyclic: Record<string, unknown> = {};
  cyclic['again'] = cyclic;

  it.each([
    [{ i: '1' }, 'type', ['i']],
    [{ i: 2 ** 31 }, 'range', ['i']],
    [{ t: 1 }, 'type', ['t']],
    [{ t: '\ud800' }, 'text', ['t']],
    [{ again: { again: { t: 1 } } }, 'type', ['again', 'again', 't']],
    [{ list: [{}, null] }, 'type', ['list', 1]],
    [{ list: {} }, 'type', ['list']],
    [{ bits: [true, 1] }, 'type', ['bits', 1]],
    [{ g: { left: 'a', right: 1 } }, 'type', ['g']],
    [{ g: { left: 5 } }, 'type', ['g', 'left']],
    [{ g: [] }, 'type', ['g']],
    [{ e: 'two' }, 'range', ['e']],
    [{ e: 70_000 }, 'range', ['e']],
    [{ any: {} }, 'unsupported', ['any']],
    [{ u: -1 }, 'range', ['u']],
    [{ yes: 1 }, 'type', ['yes']],
    [{ d: [1] }, 'type', ['d']],
    [{ ints: [1, 'x'] }, 'type', ['ints', 1]],
    [[], 'type', undefined],
    [null, 'type', undefined],
    [new Map(), 'type', undefined],
    [cyclic, 'cycle', ['again']],
  ] as const)('refuses %o', (value, code, path) => {
    expect(encodeErrorOf(writer, value, { schema })).toEqual({ code, path });
  });

  it('refuses values over the depth limit, and names an invalid value after several slices too', () => {
    let deep: object = {};
    for (let i = 0; i < 100_000; i += 1) deep = { again: deep };
    expect(encodeErrorOf(writer, deep, { schema })).toMatchObject({ code: 'depth' });
    const list = Array.from({ length: 50_000 }, () => ({ t: 'text' }));
    expect(encodeErrorOf(writer, { again: { list: [...list, { t: 5 }] } }, { schema, inTurns: true })).toEqual({
      code: 'type',
      path: ['again', 'list', 50_000, 't'],
    });
    expect(() => encodeWith(writer, {}, {})).toThrow('a schema is required to write');
  });
});

describe("Cap'n Proto packing", () => {
  it('unpacks to the same words', () => {
    for (let seed = 0; seed < caseCount(2000); seed += 1) {
      const dice = new Dice(seed);
      const zeros = dice.next();
      const words = Uint8Array.from({ length: 8 * dice.below(dice.chance(0.1) ? 1000 : 30) }, () => (dice.chance(zeros) ? 0 : dice.below(256)));
      const packed = pack(words, 0, words.length);
      assertSame(unpack(packed, 0, packed.length, 0, new Budget(DEFAULT_LIMITS)), words);
    }
  });
});
