import { firstDifference } from '../../../../setup/values/hex.ts';
import { describe, expect, it } from 'vitest';
import flatbuffers, { type FlatBuffersOptions } from '../../../../../core/formats/flatbuffers/index.ts';
import * as t from '../../../../../core/formats/flatbuffers/schema/schema.ts';
import type { FlatBuffersSchema, ObjectSchema } from '../../../../../core/formats/flatbuffers/schema/schema.ts';
import { Table } from '../../../../../core/formats/flatbuffers/read/table.ts';
import writer from '../../../../../core/formats/flatbuffers/writer.ts';
import { caseCount } from '../../../../setup/properties/case-count.ts';
import { assertSame, decodeWith } from '../../../../setup/ways/differential.ts';
import { encodeErrorOf, encodeWith, fillerLeaving } from '../../../../setup/ways/encode-with.ts';
import { encode, NestedBuffer } from './encode.ts';
import { Dice, expected, randomSchema, randomValue } from './random.ts';
import { field } from './reflection.ts';

const object = (name: string, fields: ObjectSchema['fields'], size = 0): ObjectSchema => ({ name, struct: size > 0, size, fields });

/** Replaces nested buffers by their values. */
function plain(value: unknown): unknown {
  if (value instanceof NestedBuffer) return plain(value.value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

/** Replaces −0 by 0: the Builder omits −0 if the default is 0. */
function withoutNegativeZero<T>(value: T): T {
  if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value)) (value as Record<string, unknown>)[key] = withoutNegativeZero(item);
  return value === 0 ? (0 as T) : value;
}

describe('FlatBuffers writer of random values', () => {
  it("writes buffers that decode like the reference library's, from every form of input", () => {
    for (let seed = 0; seed < caseCount(20_000) / 20; seed += 1) {
      const dice = new Dice(seed);
      const schema = randomSchema(dice);
      for (let i = 0; i < 20; i += 1) {
        const value = withoutNegativeZero(randomValue(dice, schema));
        // Vectors with a key are sorted: see keys.test.ts.
        const unsorted = {
          ...schema,
          objects: schema.objects.map((one) => ({ ...one, fields: one.fields.map((each) => ({ ...each, key: false })) })),
        };
        const sizePrefixed = dice.chance(0.2);
        const options: FlatBuffersOptions = {
          int64: dice.pick(['auto', 'bigint', 'string']),
          enums: dice.pick(['number', 'name']),
          defaults: dice.pick(['implicit', 'none']),
          sizePrefixed,
        };
        try {
          const bytes = encodeWith(writer, plain(value), { schema: unsorted, options: { sizePrefixed } });
          assertSame(decodeWith(flatbuffers, bytes, { schema, options }), expected(schema, value, options, false));
          const theirs = decodeWith(flatbuffers, encode(schema, value, { identifier: schema.identifier, sizePrefixed }), { schema, options });
          // Flags without names, and 64-bit keys, are preserved.
          assertSame(
            decodeWith(flatbuffers, encodeWith(writer, theirs, { schema: unsorted, options: { sizePrefixed } }), { schema, options }),
            theirs,
          );
        } catch (error) {
          throw new Error(`seed ${seed}, value ${i}`, { cause: error });
        }
      }
    }
  });

  it('writes the same bytes in slices of any length', () => {
    for (let seed = 0; seed < caseCount(300); seed += 1) {
      const dice = new Dice(seed);
      const inner = randomSchema(dice);
      const { length } = inner.objects;
      const outer = object('Outer', [
        field('filler', 0, t.VECTOR, { element: t.UBYTE }),
        field('list', 1, t.VECTOR, { element: t.OBJ, ref: inner.root }),
        field('more', 2, t.OBJ, { ref: length }),
        field('nested', 3, t.VECTOR, { element: t.UBYTE, nested: length }),
      ]);
      const schema: FlatBuffersSchema = { ...inner, identifier: '', root: length, objects: [...inner.objects, outer] };
      const list = Array.from({ length: 6 }, () => plain(randomValue(dice, inner)));
      const size = encodeWith(writer, { list }, { schema }).length;
      for (let i = 0; i < 4; i += 1) {
        const value = {
          filler: new Uint8Array(fillerLeaving(dice.below(2 * size))),
          list,
          nested: { list, more: { list } },
          more: { list, more: { list } },
        };
        const whole = encodeWith(writer, value, { schema });
        expect(firstDifference(encodeWith(writer, value, { schema, inTurns: true }), whole), `seed ${seed}`).toBe(-1);
        if (i === 0)
          assertSame(
            (decodeWith(flatbuffers, whole, { schema }) as { nested: unknown }).nested,
            decodeWith(flatbuffers, encodeWith(writer, value.nested, { schema }), { schema }),
          );
      }
    }
  });
});

describe('FlatBuffers writer', () => {
  const struct = object('S', [field('a', 0, t.UBYTE, { offset: 0 }), field('b', 1, t.DOUBLE, { offset: 8 })], 16);
  const table = object('T', [
    field('i', 0, t.INT, { default: 7 }),
    field('s', 1, t.STRING),
    field('l', 2, t.LONG),
    field('d', 3, t.DOUBLE),
    field('again', 4, t.OBJ, { ref: 1 }),
    field('list', 5, t.VECTOR, { element: t.OBJ, ref: 1 }),
    field('point', 6, t.OBJ, { ref: 0 }),
    field('e', 7, t.BYTE, { ref: 0 }),
    field('u_type', 8, t.UTYPE, { ref: 1 }),
    field('u', 9, t.UNION, { ref: 1 }),
    field('bytes', 10, t.VECTOR, { element: t.UBYTE }),
    field('texts', 11, t.VECTOR, { element: t.STRING }),
    field('need', 12, t.STRING, { required: true }),
    field('n', 13, t.DOUBLE, { optional: true }),
    field('points', 14, t.VECTOR, { element: t.OBJ, ref: 0 }),
  ]);
  const schema: FlatBuffersSchema = {
    root: 1,
    identifier: 'TEST',
    objects: [struct, table],
    enums: [
      { name: 'E', union: false, flags: true, names: ['A', 'B'], values: [1n, 2n], types: [], refs: [] },
      { name: 'U', union: true, flags: false, names: ['NONE', 'T', 'Text'], values: [0n, 1n, 2n], types: [0, t.OBJ, t.STRING], refs: [-1, 1, -1] },
    ],
  };
  const write = (value: unknown, options: object = {}, inTurns = false): Uint8Array => encodeWith(writer, value, { schema, options, inTurns });
  const read = (bytes: Uint8Array, options: FlatBuffersOptions = {}): unknown =>
    decodeWith(flatbuffers, bytes, { schema, options: { defaults: 'none', ...options } });
  const full = {
    i: 1,
    s: 'é',
    l: -1,
    d: -0,
    again: { need: 'x' },
    list: [{ need: '' }, { i: 5, need: 'z' }],
    point: { a: 1, b: 2.5 },
    e: 3,
    u_type: 2,
    u: 'text',
    bytes: [1, 2],
    texts: ['a', ''],
    need: 'n',
    n: 0,
    points: [
      { a: 255, b: 1 },
      { a: 0, b: -1 },
    ],
  };

  it('refuses keys unknown to tables and structs, unless they are skipped', () => {
    const refused = (path: unknown[]): Error => expect.objectContaining({ name: 'EncodeError', code: 'unknown', path }) as Error;
    expect(() => write({ ...full, more: 1 })).toThrow(refused(['more']));
    expect(() => write({ more: 1, ...full })).toThrow(refused(['more']));
    expect(() => write({ ...full, points: [{ a: 255, b: 1, c: 1 }] })).toThrow(refused(['points', 0, 'c']));
    expect(write({ ...full, more: 1 }, { extraKeys: 'skip' })).toEqual(write(full));
    expect(write(read(write(full)))).toEqual(write(full));
  });

  it('writes an aligned buffer that is read back', () => {
    const bytes = write({ ...full, more: undefined, bytes: Uint8Array.of(1, 2), e: 'A B', u_type: 'Text', texts: new Set(['a', '']) });
    assertSame(read(bytes), full);
    expect(String.fromCharCode(...bytes.subarray(4, 8))).toBe('TEST');
    const root = Table.root(bytes);
    expect(root.position % 8).toBe(0);
  });

  it('leaves out scalars equal to their default, in every form', () => {
    const least = write({ need: '' }).length;
    for (const value of [
      { i: 7 },
      { l: 0 },
      { l: 0n },
      { l: '0' },
      { e: 0 },
      { d: 0 },
      { u_type: 0 },
      { u_type: 0, u: {} },
      { s: null },
      { n: null },
    ])
      expect(write({ ...value, need: '' }).length).toBe(least);
    for (const value of [{ d: -0 }, { n: 0 }, { i: 0 }]) expect(write({ ...value, need: '' }).length).toBeGreaterThan(least);
  });

  it('writes one vtable for tables with the same fields', () => {
    const rows = (count: number): object => ({ need: '', list: Array.from({ length: count }, (_, i) => ({ i: i + 8, l: i + 1, need: 'abc' })) });
    const [one, many] = [1, 1001].map((count) => write(rows(count)).length) as [number, number];
    // Offset of the item, the table, its string, and padding.
    expect((many - one) / 1000).toBeLessThanOrEqual(4 + 24 + 8 + 4);
  });

  it('writes large, size-prefixed and unidentified buffers and sequences, also in slices', () => {
    const list = Array.from({ length: 6_000 }, (_, i) => ({ i: i + 8, need: `row ${i}`, points: [{ a: i & 255, b: i }] }));
    const value = { need: 'ü'.repeat(100_000), list, bytes: new Uint8Array(200_000) };
    const bytes = write(value, {}, true);
    expect(firstDifference(bytes, write(value))).toBe(-1);
    assertSame((read(bytes) as typeof value).list, list);
    const sequence = write([full, { list, need: 'y' }, full], { sequence: true, identifier: 'ignore' }, true);
    assertSame(read(sequence, { sequence: true, identifier: 'ignore' }), [full, { list, need: 'y' }, full]);
    const prefixed = write(full, { sizePrefixed: true });
    expect(new DataView(prefixed.buffer).getUint32(0, true)).toBe(prefixed.length - 4);
    assertSame(read(prefixed, { sizePrefixed: true }), full);
  });

  const cyclic: Record<string, unknown> = { need: '' };
  cyclic['again'] = cyclic;
  let deep: object = { need: '' };
  for (let i = 0; i < 100_000; i += 1) deep = { need: '', again: deep };

  it.each([
    [{}, 'missing', ['need']],
    [{ need: 1 }, 'type', ['need']],
    [{ need: '\ud800' }, 'text', ['need']],
    [{ need: '', i: 2 ** 31 }, 'range', ['i']],
    [{ need: '', i: '1' }, 'type', ['i']],
    [{ need: '', l: 2 ** 63 }, 'range', ['l']],
    [{ need: '', l: 1.5 }, 'range', ['l']],
    [{ need: '', d: 'x' }, 'type', ['d']],
    [{ need: '', e: 'C' }, 'range', ['e']],
    [{ need: '', e: 128 }, 'range', ['e']],
    [{ need: '', u: 'x' }, 'missing', ['u']],
    [{ need: '', u: 'x', u_type: 3 }, 'range', ['u']],
    [{ need: '', u: 'x', u_type: 1 }, 'type', ['u']],
    [{ need: '', point: { a: 1 } }, 'missing', ['point', 'b']],
    [
      {
        need: '',
        points: [
          { a: 1, b: 1 },
          { a: 256, b: 1 },
        ],
      },
      'range',
      ['points', 1, 'a'],
    ],
    [{ need: '', list: [{ need: '' }, null] }, 'type', ['list', 1]],
    [{ need: '', list: {} }, 'type', ['list']],
    [{ need: '', texts: ['a', 1] }, 'type', ['texts', 1]],
    [{ need: '', again: { need: '', again: {} } }, 'missing', ['again', 'again', 'need']],
    [[], 'type', undefined],
    [null, 'type', undefined],
    [cyclic, 'cycle', ['again']],
  ] as const)('refuses %o', (value, code, path) => {
    expect(encodeErrorOf(writer, value, { schema })).toEqual({ code, path });
  });

  it('refuses values over the depth limit, and names an invalid value after several slices too', () => {
    expect(encodeErrorOf(writer, deep, { schema })).toMatchObject({ code: 'depth' });
    const list = Array.from({ length: 50_000 }, () => ({ need: 'text' }));
    expect(encodeErrorOf(writer, { need: '', again: { need: '', list: [...list, { need: 5 }] } }, { schema, inTurns: true })).toEqual({
      code: 'type',
      path: ['again', 'list', 50_000, 'need'],
    });
    expect(() => encodeWith(writer, {}, {})).toThrow('a schema is required to write');
  });
});
