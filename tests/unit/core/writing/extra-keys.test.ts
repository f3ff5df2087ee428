/** Keys that a schema lacks are rejected, or omitted with an option. */
import { beforeAll, describe, expect, test } from 'vitest';
import avroReader from '../../../../core/formats/avro/index.ts';
import avro from '../../../../core/formats/avro/writer.ts';
import bebopReader from '../../../../core/formats/bebop/index.ts';
import bebop from '../../../../core/formats/bebop/writer.ts';
import jsbinaryReader from '../../../../core/formats/jsbinary/index.ts';
import jsbinary from '../../../../core/formats/jsbinary/writer.ts';
import protobufReader from '../../../../core/formats/protobuf/index.ts';
import protobuf from '../../../../core/formats/protobuf/writer.ts';
import { decodeWith } from '../../../setup/ways/differential.ts';
import { encodeWith } from '../../../setup/ways/encode-with.ts';

/** Record with `n_x` and `label`, and a list of the same records, as `inner`. */
const AVRO = {
  type: 'record',
  name: 'M',
  fields: [
    { name: 'n_x', type: 'int', default: 0 },
    { name: 'label', type: ['null', 'string'], default: null },
    { name: 'inner', type: { type: 'array', items: 'M' }, default: [] },
  ],
};
const PROTO = 'syntax = "proto3"; message M { int32 n_x = 1; string label = 2; repeated M inner = 3; oneof kind { int32 a = 4; string b = 5; } }';
const LITERAL = { n_x: 'int', 'label?': 'string', 'inner?': [{ n_x: 'int', 'label?': 'string' }] };

const formats = [
  ['avro', avro, avroReader, AVRO, {}],
  ['protobuf', protobuf, protobufReader, { proto: PROTO, message: 'M' }, { names: 'proto' }],
  ['bebop', bebop, bebopReader, { bop: 'message M { 1 -> int32 n_x; 2 -> string label; 3 -> M[] inner; }', record: 'M' }, {}],
  ['jsbinary', jsbinary, jsbinaryReader, LITERAL, {}],
] as const;

describe.each(formats)('%s writer', (_, writer, reader, input, names) => {
  let schema: unknown;
  beforeAll(async () => {
    schema = await (writer.compileSchema as (given: unknown) => unknown)(input);
  });
  const encode = (value: unknown, options: object = {}, inTurns = false): Uint8Array =>
    encodeWith(writer, value, { schema, options: { ...names, ...options }, inTurns, ...(inTurns && { chunk: 13 }) });
  const refused = (path: unknown[], hint: string): Error =>
    expect.objectContaining({ name: 'EncodeError', code: 'unknown', path, message: expect.stringContaining(hint) as string }) as Error;

  test('rejects extra keys with their path and the nearest name', () => {
    const whole = { n_x: 7, label: 'a', inner: [] };
    for (const inTurns of [false, true]) {
      expect(() => encode({ ...whole, nX: 7 }, {}, inTurns)).toThrow(refused(['nX'], 'did you mean n_x?'));
      expect(() => encode({ labell: 'b', ...whole }, {}, inTurns)).toThrow(refused(['labell'], 'did you mean label?'));
      expect(() => encode({ n_x: 1, quite: 1 }, {}, inTurns)).toThrow(refused(['quite'], 'extraKeys'));
      const inner = [whole, { n_x: 1, label: 'x'.repeat(100), laböl: '' }].map(({ inner: __, ...rest }: Partial<typeof whole>) => rest);
      expect(() => encode({ n_x: 1, inner }, {}, inTurns)).toThrow(refused(['inner', 1, 'laböl'], 'did you mean label?'));
    }
  });

  test('omits extra keys with extraKeys: skip', () => {
    const value = { n_x: 7, label: 'a', inner: [{ n_x: 1 }] };
    const bytes = encode({ more: 1, ...value, nX: 7, inner: [{ n_x: 1, nX: 2 }] }, { extraKeys: 'skip' });
    expect(bytes).toEqual(encode(value));
  });

  test('ignores extra keys that are undefined, inherited or symbols', () => {
    class Base {
      n_x = 7;
      label = 'a';
      get other(): number {
        return 1;
      }
    }
    const inherited = Object.create({ other: 1 }) as Record<string, unknown>;
    Object.assign(inherited, { n_x: 7, label: 'a' });
    const expected = encode({ n_x: 7, label: 'a' });
    for (const value of [new Base(), inherited, { n_x: 7, label: 'a', other: undefined }, { [Symbol('s')]: 1, n_x: 7, label: 'a' }]) {
      expect(encode(value)).toEqual(expected);
      expect(encode(value, {}, true)).toEqual(expected);
    }
  });

  test('accepts the keys that the reader returns', () => {
    const bytes = encode({ n_x: 7, label: 'a', inner: [{ n_x: 1 }] });
    expect(encode(decodeWith(reader, bytes, { schema, options: names }))).toEqual(bytes);
  });
});

describe('Protocol Buffers writer', () => {
  test('accepts names of oneofs, unknown fields, and types of Any as the reader returns them', async () => {
    const proto = `${PROTO} import "google/protobuf/any.proto"; message Outer { M m = 1; google.protobuf.Any any = 2; }`;
    const schema = await protobuf.compileSchema!({ proto, message: 'Outer' });
    const value = {
      m: { kind: 'b', b: 'x', $unknown: [{ number: 9, wireType: 0, data: Uint8Array.of(1) }], $typeName: 'M' },
      any: { '@type': 'type.googleapis.com/M', nX: 1 },
    };
    const options = { wellKnownTypes: 'value' } as const;
    const bytes = encodeWith(protobuf, value, { schema, options });
    const decoded = decodeWith(protobufReader, bytes, { schema, options: { ...options, oneofs: true, unknown: 'keep' } });
    expect(decoded).toMatchObject({ m: { kind: 'b', b: 'x' } });
    expect(encodeWith(protobuf, decoded, { schema, options })).toEqual(bytes);
    expect(() => encodeWith(protobuf, { m: { kind: { case: 'b', value: 'x' } } }, { schema })).toThrow(
      expect.objectContaining({ path: ['m', 'kind'] }),
    );
    expect(encodeWith(protobuf, { m: { n_x: 1 } }, { schema, options: { names: 'proto' } })).toEqual(Uint8Array.of(10, 2, 8, 1));
  });
});

test('a union of Bebop accepts only its two keys', async () => {
  const schema = await bebop.compileSchema!({ bop: 'union U { 1 -> struct A { int32 a; } }', record: 'U' });
  const value = { discriminator: 1, value: { a: 1 } };
  expect(() => encodeWith(bebop, { ...value, more: 1 }, { schema })).toThrow(expect.objectContaining({ code: 'unknown', path: ['more'] }));
  expect(() => encodeWith(bebop, { discriminator: 1, value: { a: 1, b: 1 } }, { schema })).toThrow(expect.objectContaining({ path: ['value', 'b'] }));
});

/** Record of one field, `n_x`, as the value of a map, an item of a list and a member of a union. */
const NESTED = [
  [
    'protobuf',
    protobuf,
    {
      proto: `syntax = "proto3"; import "google/protobuf/any.proto"; message I { int32 n_x = 1; }
        message M { map<string, I> m = 1; repeated I r = 2; oneof u { I o = 3; } I one = 4; google.protobuf.Any any = 5; }`,
      message: 'M',
    },
    [
      [{ o: { nX: 1 } }, ['o', 'nX']],
      [{ one: { nX: 1 } }, ['one', 'nX']],
      [{ any: { '@type': 'type.googleapis.com/I', nZ: 1 } }, ['any', 'nZ']],
    ],
  ],
  [
    'avro',
    avro,
    {
      type: 'record',
      name: 'M',
      fields: [
        { name: 'm', type: { type: 'map', values: { type: 'record', name: 'I', fields: [{ name: 'n_x', type: 'int', default: 0 }] } }, default: {} },
        { name: 'r', type: { type: 'array', items: 'I' }, default: [] },
        { name: 'u', type: ['null', 'I', 'string'], default: null },
        { name: 'w', type: ['null', 'I', { type: 'record', name: 'J', fields: [] }], default: null },
      ],
    },
    [
      [{ u: { nX: 1 } }, ['u', 'nX']],
      [{ w: { I: { nX: 1 } } }, ['w', 'I', 'nX']],
    ],
  ],
  [
    'bebop',
    bebop,
    {
      bop: 'message I { 1 -> int32 n_x; } union U { 1 -> message A { 1 -> int32 n_x; } } message M { 1 -> map[string, I] m; 2 -> I[] r; 3 -> U u; }',
      record: 'M',
    },
    [[{ u: { discriminator: 1, value: { nX: 1 } } }, ['u', 'value', 'nX']]],
  ],
] as const;

test.each(NESTED)('%s writer rejects extra keys in maps, lists and unions', async (_, writer, input, unions) => {
  const schema = await (writer.compileSchema as (given: unknown) => unknown)(input);
  const inLists = [
    [{ m: { a: { nX: 1 } } }, ['m', 'a', 'nX']],
    [{ m: new Map([['a', { nX: 1 }]]) }, ['m', 'a', 'nX']],
    [{ r: [{ n_x: 1 }, { nX: 1 }] }, ['r', 1, 'nX']],
  ] as const;
  for (const [value, path] of [...inLists, ...unions]) {
    const refused = expect.objectContaining({ name: 'EncodeError', code: 'unknown', path }) as Error;
    const options = writer === protobuf ? { names: 'proto', wellKnownTypes: 'value' } : {};
    for (const inTurns of [false, true]) expect(() => encodeWith(writer, value, { schema, options, inTurns, chunk: 13 })).toThrow(refused);
    encodeWith(writer, value, { schema, options: { ...options, extraKeys: 'skip' } });
  }
});
