import { describe, expect, test } from 'vitest';
import bson from '../../../../../core/formats/bson/index.ts';
import bsonWriter from '../../../../../core/formats/bson/writer.ts';
import cbor from '../../../../../core/formats/cbor/index.ts';
import cborWriter from '../../../../../core/formats/cbor/writer.ts';
import json from '../../../../../core/formats/json/index.ts';
import jsonWriter from '../../../../../core/formats/json/writer.ts';
import messagepack from '../../../../../core/formats/messagepack/index.ts';
import messagepackWriter from '../../../../../core/formats/messagepack/writer.ts';
import sia from '../../../../../core/formats/sia/index.ts';
import siaWriter from '../../../../../core/formats/sia/writer.ts';
import avro from '../../../../../core/formats/avro/index.ts';
import avroWriter from '../../../../../core/formats/avro/writer.ts';
import bebop from '../../../../../core/formats/bebop/index.ts';
import bebopWriter from '../../../../../core/formats/bebop/writer.ts';
import capnproto from '../../../../../core/formats/capnproto/index.ts';
import flatbuffers from '../../../../../core/formats/flatbuffers/index.ts';
import jsbinary from '../../../../../core/formats/jsbinary/index.ts';
import jsbinaryWriter from '../../../../../core/formats/jsbinary/writer.ts';
import protobuf from '../../../../../core/formats/protobuf/index.ts';
import protobufWriter from '../../../../../core/formats/protobuf/writer.ts';
import type { AnyFormat } from '../../../../../core/format/format.ts';
import type { FormatId } from '../../../../../core/format/format-id.ts';
import { resolveLimits } from '../../../../../core/limits.ts';
import { DecodeSession } from '../../../../../core/format/decode-session.ts';
import { wrapper } from '../../../../../core/shaping.ts';
import { ObjectSink } from '../../../../../core/sinks/objects/objects.ts';
import { mutate, Random } from '../../../../fuzz/mutate.ts';
import { caseCount } from '../../../../setup/properties/case-count.ts';
import fc from '../../../../setup/properties/property.ts';
import { decodeColumns } from '../../../../setup/kernels/kernel-outcomes.ts';
import { encode as encodeCapnProto } from '../../formats/capnproto/encode.ts';
import { Dice as CapnProtoDice, randomModel, randomValue as randomStruct } from '../../formats/capnproto/random.ts';
import { encode as encodeFlatBuffers } from '../../formats/flatbuffers/encode.ts';
import { Dice as FlatBuffersDice, randomSchema, randomValue as randomTable } from '../../formats/flatbuffers/random.ts';
import { compile as compileJsBinary } from '../../formats/jsbinary/reference.ts';
import { toHex } from '../../../../setup/values/hex.ts';
import { encodeWith } from '../../../../setup/ways/encode-with.ts';

/** Formats that hold any value. */
const FREE: Readonly<Record<string, { format: unknown; writer: unknown }>> = {
  json: { format: json, writer: jsonWriter },
  messagepack: { format: messagepack, writer: messagepackWriter },
  cbor: { format: cbor, writer: cborWriter },
  bson: { format: bson, writer: bsonWriter },
  sia: { format: sia, writer: siaWriter },
};

/** The rule that the sink is held against. */
function typed(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value)) return value;
  if (!Array.isArray(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, typed(item)]));
  const list: readonly unknown[] = value;
  if (list.length > 0 && list.every((item) => typeof item === 'number')) return Float64Array.from(list);
  for (let levels = 4; levels >= 2; levels -= 1) {
    const points = flat(list, levels);
    if (points) return points;
  }
  return list.map(typed);
}

/** The flat points of a list with this number of levels; undefined if it is another list. */
function flat(list: readonly unknown[], levels: number): object | undefined {
  const offsets: Int32Array[] = [];
  let lists: unknown[] = [...list];
  for (let level = levels; level >= 1; level -= 1) {
    if (lists.length === 0 || !lists.every((item) => Array.isArray(item) && item.length > 0)) break;
    const inner = lists as unknown[][];
    if (level === 2) {
      const size = inner[0]!.length;
      const isPoint = (point: unknown[]): boolean => point.length === size && point.every((item) => typeof item === 'number');
      if (size < 2 || size > 4 || !inner.every(isPoint)) return undefined;
      return { positions: Float64Array.from(inner.flat() as number[]), size, offsets };
    }
    let end = 0;
    offsets.push(Int32Array.of(0, ...inner.map(({ length }) => (end += length))));
    lists = inner.flat();
  }
  return undefined;
}

type Outcome = { value: unknown } | { error: object };

/** Decodes in pieces, with typed numbers or without. */
function decode(
  id: FormatId,
  format: unknown,
  bytes: Uint8Array,
  { numbers, schema, options = {}, piece = bytes.length }: { numbers?: 'typed'; schema?: unknown; options?: object; piece?: number },
): Outcome {
  const any = format as AnyFormat;
  const sink = new ObjectSink((tag, inner) => any.revive?.(tag, inner));
  try {
    const wrap = numbers && wrapper({ numbers }, {});
    const session = new DecodeSession({ id, format: any, options, schema, limits: resolveLimits(), wrap }, sink);
    for (let at = 0; at < bytes.length && !session.readsWhole; at += piece) session.push(bytes.slice(at, at + piece));
    session.end(session.readsWhole ? bytes : undefined);
    return { value: sink.result };
  } catch (error) {
    const { name, code, limit, offset, path, reason } = error as Record<string, unknown>;
    if (name !== 'DecodeError' && name !== 'LimitError') throw error;
    // How much of the payload's text a reason quotes depends on what has arrived.
    return { error: { name, code, limit, offset, path, reason: String(reason).split('; the payload begins')[0] } };
  }
}

/** Lists of numbers, of points, and of almost the same. */
const number = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(0, -0, 1e21, 2 ** 53, 2 ** 60, -1.5, 5e-324));
const point = fc.oneof({ weight: 8, arbitrary: fc.tuple(number, number) }, fc.array(number, { maxLength: 6 }));
const line = fc.array(point, { maxLength: 5 });
const lists = fc.oneof(
  fc.array(number, { maxLength: 700 }),
  line,
  fc.array(fc.array(fc.tuple(number, number, number), { maxLength: 4 }), { maxLength: 4 }),
  fc.array(fc.array(line, { maxLength: 3 }), { maxLength: 3 }),
  fc.array(
    fc.array(fc.array(fc.array(fc.tuple(number, number), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }), {
      minLength: 1,
      maxLength: 3,
    }),
    { minLength: 1, maxLength: 3 },
  ),
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    lists,
    number,
    fc.constantFrom(null, true, 'text', ''),
    fc.array(fc.oneof(tie('tree'), lists), { maxLength: 5 }),
    fc.dictionary(fc.constantFrom('id', 'coordinates', 'a'), tie('tree')),
  ),
}));

describe.each(Object.keys(FREE))('typed numbers in %s', (id) => {
  const { format, writer } = FREE[id]!;

  test('equal those of a plain decode, for any value and any pieces, as objects and from columns', async () => {
    await fc.assert(
      fc.asyncProperty(tree, fc.nat({ max: 40 }), async (given, piece) => {
        const bytes = encodeWith(writer, { given });
        const plain = decode(id as FormatId, format, bytes, {}) as { value: unknown };
        for (const size of [bytes.length, piece + 1]) {
          expect(decode(id as FormatId, format, bytes, { numbers: 'typed', piece: size })).toStrictEqual({ value: typed(plain.value) });
        }
        const { outcome } = await decodeColumns({ id: id as FormatId, format, bytes, numbers: 'typed' }, piece + 1, 'without a kernel');
        expect(outcome).toStrictEqual({ value: typed(plain.value) });
      }),
      { numRuns: 300 },
    );
  });

  test('report the errors of damaged payloads as a plain decode does', () => {
    const random = new Random(5);
    const given = {
      a: [
        [1, 2.5],
        [-3, 4],
      ],
      b: [
        [
          [[1, 2]],
          [
            [3, 4],
            [5, 6],
          ],
        ],
      ],
      c: [1, 2, null],
      d: [[1, 2], [], ['x']],
      e: [1.25, -7, 2 ** 40],
    };
    const seeds = [encodeWith(writer, given)];
    for (let run = 0; run < caseCount(400); run += 1) {
      const bytes = mutate(random, seeds[0]!, seeds);
      const plain = decode(id as FormatId, format, bytes, {});
      const outcome = decode(id as FormatId, format, bytes, { numbers: 'typed', piece: 1 + random.below(bytes.length + 1) });
      if ('error' in plain) expect(outcome, toHex(bytes)).toStrictEqual(plain);
      else expect('value' in outcome, toHex(bytes)).toBe(true);
    }
  });
});

/** Formats with schemas, for lists of numbers of several kinds. */
const SCHEMAS: Readonly<Record<string, { format: unknown; writer: unknown; schema: unknown }>> = {
  protobuf: {
    format: protobuf,
    writer: protobufWriter,
    schema: {
      proto: `syntax = "proto3"; message M { repeated double doubles = 1; repeated int32 ints = 2; repeated int64 longs = 3; repeated string texts = 4; repeated Line lines = 5; }
        message Line { repeated double point = 1; }`,
      message: 'M',
    },
  },
  avro: {
    format: avro,
    writer: avroWriter,
    schema: {
      type: 'record',
      name: 'M',
      fields: [
        { name: 'doubles', type: { type: 'array', items: 'double' } },
        { name: 'ints', type: { type: 'array', items: 'int' } },
        { name: 'longs', type: { type: 'array', items: 'long' } },
        { name: 'texts', type: { type: 'array', items: 'string' } },
        { name: 'lines', type: { type: 'array', items: { type: 'array', items: { type: 'array', items: 'double' } } } },
      ],
    },
  },
  bebop: {
    format: bebop,
    writer: bebopWriter,
    schema: { bop: 'struct M { float64[] doubles; int32[] ints; int64[] longs; string[] texts; float64[][][] lines; }', record: 'M' },
  },
};

test.each(Object.keys(SCHEMAS))('typed numbers in %s equal those of a plain decode', async (name) => {
  const { format, writer, schema } = SCHEMAS[name]!;
  const compile = (of: unknown): Promise<unknown> => (of as { compileSchema(given: unknown): Promise<unknown> }).compileSchema(schema);
  const [reading, writing] = [await compile(format), await compile(writer)];
  const point = [1.5, -0];
  const lines = name === 'protobuf' ? [{ point }] : [[point, [NaN, 2]], [[1, 2]]];
  const value = { doubles: [0.5, -0, NaN, Infinity], ints: [1, -7], longs: [2n ** 60n, 1n], texts: ['a'], lines };
  const bytes = encodeWith(writer, value, { schema: writing });
  for (const options of [{}, { int64: 'bigint' }]) {
    const plain = decode(name as FormatId, format, bytes, { schema: reading, options }) as { value: unknown };
    expect(plain).toHaveProperty('value.doubles', value.doubles);
    for (const piece of [bytes.length, 3]) {
      expect(decode(name as FormatId, format, bytes, { numbers: 'typed', schema: reading, options, piece })).toStrictEqual({
        value: typed(plain.value),
      });
    }
  }
});

/** Payloads of random schemas, by seed, and one of js-binary. */
const PAYLOADS: Readonly<Record<string, { format: unknown; payload: (seed: number) => { schema: unknown; bytes: Uint8Array } }>> = {
  flatbuffers: {
    format: flatbuffers,
    payload: (seed) => {
      const dice = new FlatBuffersDice(seed);
      const schema = randomSchema(dice);
      return { schema, bytes: encodeFlatBuffers(schema, randomTable(dice, schema), { identifier: schema.identifier }) };
    },
  },
  capnproto: {
    format: capnproto,
    payload: (seed) => {
      const dice = new CapnProtoDice(seed);
      const model = randomModel(dice);
      return { schema: model.schema, bytes: encodeCapnProto(model, randomStruct(dice, model)) };
    },
  },
  jsbinary: {
    format: jsbinary,
    payload: (seed) => {
      const schema = compileJsBinary({ doubles: ['float'], ints: ['int'], texts: ['string'], lines: [[['float']]] });
      return {
        schema,
        bytes: encodeWith(
          jsbinaryWriter,
          {
            doubles: [0.5, NaN, seed],
            ints: [1, -7],
            texts: ['a'],
            lines: [
              [
                [1.5, -0],
                [seed, 2],
              ],
              [[1, 2]],
            ],
          },
          { schema },
        ),
      };
    },
  },
};

test.each(Object.keys(PAYLOADS))('typed numbers in %s equal those of a plain decode, for any schema', (name) => {
  const { format, payload } = PAYLOADS[name]!;
  let changed = 0;
  for (let seed = 0; seed < caseCount(1000, { least: 80 }) / 10; seed += 1) {
    const { schema, bytes } = payload(seed);
    const plain = decode(name as FormatId, format, bytes, { schema }) as { value: unknown };
    const expected = typed(plain.value);
    expect(plain).toHaveProperty('value');
    expect(decode(name as FormatId, format, bytes, { numbers: 'typed', schema }), `seed ${seed}`).toStrictEqual({ value: expected });
    if (JSON.stringify(expected, withoutBigints) !== JSON.stringify(plain.value, withoutBigints)) changed += 1;
  }
  expect(changed).toBeGreaterThan(0);
});

function withoutBigints(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

test('typed numbers in JSON are those of JSON.parse, whatever their digits and wherever they are cut', () => {
  const fraction = '123456789012345678901';
  const numbers = Array.from({ length: 21 }, (_, digits) => [
    `0.${fraction.slice(digits)}`,
    `-12345.${fraction.slice(digits)}`,
    `1234567890.${fraction.slice(digits)}`,
  ]);
  const text = `[${[...numbers.flat(), '-0.0', '0.1e5', '999999999.999999', '999999999.9999999', '1.5E-3', '90.0'].join(' ,')}]`;
  const bytes = new TextEncoder().encode(text);
  const value = Float64Array.from(JSON.parse(text) as number[]);
  for (const piece of [bytes.length, 7, 1]) expect(decode('json', json, bytes, { numbers: 'typed', piece })).toStrictEqual({ value });
  for (const wrong of ['[00.5]', '[1.]', '[.5]', '[-.5]', '[1.5.5]', '[1.5e]']) {
    expect(decode('json', json, new TextEncoder().encode(wrong), { numbers: 'typed' })).toHaveProperty('error.code', 'malformed');
  }
});

/** Numbers as JSON writes them: of any number of digits, halfway or nearly halfway between two doubles, subnormal, with exponents. */
const digits = (maxLength: number, minLength = 1): fc.Arbitrary<string> =>
  fc.array(fc.nat({ max: 9 }), { minLength, maxLength }).map((list) => list.join(''));
const whole = fc.oneof(
  fc.constant('0'),
  digits(20).map((text) => text.replace(/^0+(?=.)/, '')),
);
const halfway = fc
  .tuple(fc.bigInt({ min: 2n ** 53n, max: 2n ** 54n - 1n }), fc.nat({ max: 24 }), fc.constantFrom('', '1', '00001'))
  .map(([odd, places, more]) => {
    const text = ((odd | 1n) * 5n ** BigInt(places)).toString().padStart(places + 1, '0');
    return `${text.slice(0, text.length - places)}.${text.slice(text.length - places)}0${more}`;
  });
const written = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(
      { weight: 6, arbitrary: fc.tuple(whole, digits(20)).map((parts) => parts.join('.')) },
      { weight: 6, arbitrary: fc.tuple(fc.nat({ max: 180 }), digits(18, 12)).map((parts) => parts.join('.')) },
      { weight: 2, arbitrary: whole },
      halfway,
      fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }).map(String),
      fc.constantFrom('4.9406564584124654e-324', '2.4703282292062327e-324', '2.2250738585072011e-308', '1.7976931348623159e308', '0.0', '0e0'),
    ),
    fc.oneof(
      { weight: 6, arbitrary: fc.constant('') },
      fc.tuple(fc.constantFrom('e', 'E-', 'e+'), digits(3)).map((parts) => parts.join('')),
    ),
  )
  // Some have an exponent already.
  .map(([sign, number, exponent]) => `${sign}${number}${/e/i.test(number) ? '' : exponent}`);
const between = fc.constantFrom(',', ',', ', ', '\n,');

test('numbers of typed lists are those of JSON.parse to the last bit, and invalid ones are errors, in any pieces', () => {
  const points = fc.tuple(fc.integer({ min: 1, max: 5 }), fc.array(written, { minLength: 1, maxLength: 30 }), between, fc.nat({ max: 4 }));
  const damage = fc.option(fc.tuple(fc.nat(), fc.constantFrom('0', '.', 'e', 'E', '+', '-', ',', '[', ']', ' ', 'x')));
  fc.assert(
    fc.property(points, damage, fc.integer({ min: 1, max: 60 }), ([size, numbers, comma, depth], damaged, piece) => {
      const lists = Array.from({ length: Math.ceil(numbers.length / size) }, (_, at) => `[${numbers.slice(at * size, (at + 1) * size).join(comma)}]`);
      let text = `${'['.repeat(depth)}${lists.join(comma)}${']'.repeat(depth)}`;
      if (depth === 0) text = `[${numbers.join(comma)}]`;
      if (damaged) {
        const at = damaged[0] % text.length;
        text = `${text.slice(0, at)}${damaged[1]}${text.slice(at + 1)}`;
      }
      text = `{"coordinates":${text}}`;
      let expected: unknown;
      try {
        expected = typed(JSON.parse(text) as unknown);
      } catch {
        const [once, cut] = [text.length, piece].map((size) =>
          decode('json', json, new TextEncoder().encode(text), { numbers: 'typed', piece: size }),
        );
        expect(once, text).toHaveProperty('error.offset');
        expect(cut, text).toStrictEqual(once);
        return;
      }
      for (const size of [text.length, piece, 1]) {
        const outcome = decode('json', json, new TextEncoder().encode(text), { numbers: 'typed', piece: size });
        expect(outcome, text).toStrictEqual({ value: expected });
      }
    }),
    { numRuns: 1000 },
  );
});

test('lists of points longer than what a reader sends at once are the same, and others between them stay lists', () => {
  const points = Array.from({ length: 2000 }, (_, at) => (at % 700 === 699 ? [at, at + 0.25, 7] : [at + 0.5, -1 - at]));
  const value = {
    lines: [points, points.slice(0, 600), points.slice(800, 1300)],
    rows: [Array.from({ length: 700 }, (_, at) => at), [1, 2]],
    none: [[1, 2], []],
  };
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  for (const piece of [bytes.length, 1000]) expect(decode('json', json, bytes, { numbers: 'typed', piece })).toStrictEqual({ value: typed(value) });
});

test('lists in sets and maps are typed arrays', () => {
  const bytes = encodeWith(messagepackWriter, [[1, 2], new Set([[1, 2]]), new Map([[1, [1, 2]]])]);
  const { value } = decode('messagepack', messagepack, bytes, { numbers: 'typed', options: { maps: 'map' } }) as { value: unknown };
  expect(value).toStrictEqual([Float64Array.of(1, 2), new Set([Float64Array.of(1, 2)]), new Map([[1, Float64Array.of(1, 2)]])]);
});

test('numbers takes only the value typed, and not together with previous', () => {
  expect(() => wrapper({ numbers: 'typd' as never }, {})).toThrow('did you mean typed');
  expect(() => wrapper({ numbers: 'typed' }, { previous: undefined })).toThrow('numbers and previous');
});
