import { create, toBinary } from '@bufbuild/protobuf';
import { FieldDescriptorProto_Label as Label, FieldDescriptorProto_Type as Type, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { describe, expect, test } from 'vitest';
import { SchemaError } from '../../../../../../core/errors.ts';
import protobuf from '../../../../../../core/formats/protobuf/index.ts';
import { ENUM, type FieldSchema, type ProtobufSchema } from '../../../../../../core/formats/protobuf/schema/schema.ts';
import { caseCount } from '../../../../../setup/properties/case-count.ts';
import { assertSame, decodeWith } from '../../../../../setup/ways/differential.ts';
import { descriptorSetOf } from '../compare.ts';
import { Bytes, Dice, randomProto, type Syntax } from '../random.ts';

const compile = async (input: unknown, name?: string): Promise<ProtobufSchema> => (await protobuf.compileSchema!(input, name))!;

/** The error of a schema that does not compile. */
async function refused(input: unknown, name?: string): Promise<SchemaError> {
  try {
    await compile(input, name);
  } catch (error) {
    if (error instanceof SchemaError) return error;
    throw error;
  }
  throw new Error('the schema was compiled');
}

describe('a FileDescriptorSet', () => {
  test.each<Syntax>(['proto2', 'proto3', '2023'])('compiles to the same schema as the text, in %s', async (syntax) => {
    for (let seed = 0; seed < caseCount(60); seed += 1) {
      const expected = await compile({ proto: randomProto(new Dice(seed), syntax), message: 't.M0' });
      const descriptorSet = descriptorSetOf(expected, 't', syntax);
      const actual = await compile({ descriptorSet, message: 't.M0' });
      // The test's descriptors have no defaults.
      assertSame(byName(actual), byName(expected));
      assertSame(await compile({ descriptorSet: descriptorSet.slice().buffer, message: '.t.M0' }), actual);
    }
  });

  test('fails to compile if it is damaged', async () => {
    const error = await refused({ descriptorSet: Uint8Array.of(0x0a, 0x7f, 1), message: 'M' }, 'mine');
    expect(error.schema).toBe('mine');
    expect(error.message).toContain('the FileDescriptorSet cannot be read');
  });
});

/** Types by name, since their order differs. */
function byName({ messages, enums }: ProtobufSchema): object {
  const typeName = ({ ref, type }: FieldSchema): string => (ref < 0 ? '' : (type === ENUM ? enums : messages)[ref]!.name);
  const fields = messages.map(
    ({ name, fields, oneofs, mapEntry }) =>
      [name, { oneofs, mapEntry, fields: fields.map((field) => ({ ...field, default: undefined, ref: typeName(field) })) }] as const,
  );
  return Object.fromEntries([...fields, ...enums.map((item) => [item.name, item] as const)].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

describe('a .proto text', () => {
  test('imports given files and the well-known types', async () => {
    const schema = await compile({
      message: 'a.M',
      proto: `
        syntax = "proto3"; package a; import "b/b.proto"; import public "google/protobuf/timestamp.proto";
        message M { b.N n = 1; google.protobuf.Timestamp t = 2; b.Kind kind = 3; }`,
      imports: {
        'b/b.proto': 'syntax = "proto3"; package b; import "c.proto"; message N { c.O o = 1; } enum Kind { K = 0; L = 1; }',
        'c.proto': 'syntax = "proto2"; package c; message O { optional string s = 1 [default = "x"]; }',
      },
    });
    const bytes = Uint8Array.of(0x0a, 2, 0x0a, 0, 0x12, 2, 8, 5, 0x18, 1);
    assertSame(decodeWith(protobuf, bytes, { schema, options: { defaults: 'all', enums: 'name' } }), {
      n: { o: { s: 'x' } },
      t: { seconds: 5, nanos: 0 },
      kind: 'L',
    });
  });

  test('compiles without its imports if it uses none of their types', async () => {
    const proto = `
      syntax = "proto3"; import "google/api/annotations.proto";
      message M { option (some.option) = { a: 1 }; int32 a = 1 [(other.option) = "x"]; }`;
    assertSame(decodeWith(protobuf, Uint8Array.of(8, 1), { schema: await compile({ proto, message: 'M' }) }), { a: 1 });
    const error = await refused({ proto: 'syntax = "proto3"; import "x.proto"; message M { x.Missing m = 1; }', message: 'M' });
    expect(error.message).toContain('x.Missing');
    expect(error.message).toContain('files that were not given: x.proto');
  });

  test('supports edition 2023', async () => {
    const proto = `
      edition = "2023";
      message M {
        int32 explicit = 1;
        int32 implicit = 2 [features.field_presence = IMPLICIT];
        int32 needed = 3 [features.field_presence = LEGACY_REQUIRED];
        M delimited = 4 [features.message_encoding = DELIMITED];
        Closed closed = 5;
      }
      enum Closed { option features.enum_type = CLOSED; A = 1; }`;
    const schema = await compile({ proto, message: 'M' });
    const bytes = new Bytes();
    bytes.bytes([0x18, 1, 0x23, 0x18, 2, 0x24, 0x28, 9]);
    assertSame(decodeWith(protobuf, Uint8Array.from(bytes.list), { schema }), {
      implicit: 0,
      needed: 1,
      delimited: { implicit: 0, needed: 2 },
    });
  });

  test('fails with the position of an error', async () => {
    expect((await refused({ proto: 'syntax = "proto3";\nmessage M { int32 = 1; }', message: 'M' })).message).toMatch(/line 2/);
    const imported = await refused({ proto: 'import "b.proto";', message: 'M', imports: { 'b.proto': 'message {' } });
    expect(imported.message).toMatch(/^b\.proto: /);
  });

  test('compiles without creating code', async () => {
    const { Function: original } = globalThis;
    const calls: unknown[] = [];
    globalThis.Function = new Proxy(original, {
      apply: (_, __, args) => void calls.push(args),
      construct: (_, args) => ({ calls: calls.push(args) }),
    });
    try {
      const proto = 'syntax = "proto3"; message M { map<string, M> m = 1; oneof o { int32 a = 2; } enum E { A = 0; } E e = 3; }';
      const schema = await compile({ proto, message: 'M' });
      decodeWith(protobuf, Uint8Array.of(0x10, 1), { schema });
    } finally {
      globalThis.Function = original;
    }
    expect(calls).toEqual([]);
  });
});

test('keeps defaults of many digits exact', async () => {
  const proto = `syntax = "proto2"; message M {
    optional uint64 a = 1 [default = 18446744073709551615]; // default = 18446744073709551615
    optional sfixed64 b = 2 [ default = -9223372036854775807 , deprecated = true];
    optional fixed64 c = 3 [default = 0xFFFFFFFFFFFFFFFF];
    optional int64 d = 4 [default = 0777777777777777777777];
    optional string e = 5 [default = "default = 18446744073709551615]"];
    optional double f = 6 [default = 12345678901234567890];
    optional int64 g = 7 [default = 9007199254740993];
  }`;
  const schema = await compile({ proto, message: 'M' });
  assertSame(decodeWith(protobuf, new Uint8Array(0), { schema, options: { defaults: 'all', int64: 'bigint' } }), {
    a: 2n ** 64n - 1n,
    b: 1n - 2n ** 63n,
    c: 2n ** 64n - 1n,
    d: 2n ** 63n - 1n,
    e: 'default = 18446744073709551615]',
    f: 12345678901234567000,
    g: 9007199254740993n,
  });
});

describe('an invalid Protocol Buffers default', () => {
  /** Descriptors of `message M { optional <type> x = 1 [default = <text>] }`. */
  const withDefault = (type: Type, defaultValue: string): Uint8Array =>
    toBinary(
      FileDescriptorSetSchema,
      create(FileDescriptorSetSchema, {
        file: [{ messageType: [{ name: 'M', field: [{ name: 'x', number: 1, label: Label.OPTIONAL, type, defaultValue }] }] }],
      }),
    );

  test.each([
    [Type.INT64, 'x'],
    [Type.INT64, '1.5'],
    [Type.UINT64, '-1'],
    [Type.SFIXED64, '9223372036854775808'],
    [Type.INT64, ''],
    [Type.INT32, '2147483648'],
    [Type.FIXED32, '-1'],
    [Type.SINT32, 'x'],
    [Type.BOOL, '1'],
    [Type.DOUBLE, 'x'],
    [Type.FLOAT, ''],
    [Type.INT64, '9'.repeat(100_000)],
    [Type.MESSAGE, '1'],
  ])('fails to compile in descriptors for type %i', async (type, text) => {
    const error = await refused({ descriptorSet: withDefault(type, text), message: 'M' });
    expect(error.message).toContain('the default of the field x does not fit its type');
  });

  test.each([
    ['int64', '99999999999999999999'],
    ['uint32', '4294967296'],
    ['bool', '1'],
    ['double', 'x'],
    ['float', 'true'],
    ['int64', `0x${'f'.repeat(40)}`],
  ])('fails to compile in a text for type %s', async (type, text) => {
    const error = await refused({ proto: `syntax = "proto2"; message M { optional ${type} x = 1 [default = ${text}]; }`, message: 'M' });
    expect(error.message).toContain('the default of the field x does not fit its type');
  });

  test('leaves valid defaults intact', async () => {
    const cases: [Type, string, unknown][] = [
      [Type.INT64, '-9223372036854775808', -(2n ** 63n)],
      [Type.UINT32, '4294967295', 4294967295],
      [Type.BOOL, 'true', true],
      [Type.DOUBLE, '-inf', -Infinity],
      [Type.DOUBLE, 'nan', NaN],
      [Type.FLOAT, '0.1', Math.fround(0.1)],
      [Type.DOUBLE, '1e+300', 1e300],
    ];
    for (const [type, text, value] of cases) {
      const schema = await compile({ descriptorSet: withDefault(type, text), message: 'M' });
      assertSame(decodeWith(protobuf, new Uint8Array(0), { schema, options: { defaults: 'all' } }), { x: value });
    }
  });
});

test.each([Type.MESSAGE, Type.ENUM, Type.GROUP, 19 as Type, 0 as Type])('refuses a field of type %i without a type name', async (type) => {
  const field = { name: 'x', number: 1, label: Label.OPTIONAL, type };
  const set = create(FileDescriptorSetSchema, { file: [{ messageType: [{ name: 'M', field: [field] }] }] });
  const error = await refused({ descriptorSet: toBinary(FileDescriptorSetSchema, set), message: 'M' });
  expect(error.message).toContain('the field x of M has no type');
});

test('resolves the default of a field without a type to its enum, and names a missing enum', async () => {
  const error = await refused({ proto: 'import "x.proto"; message M { optional E e = 1 [default = A]; }', message: 'M' });
  expect(error.message).toContain('files that were not given: x.proto');
});

test('compiles a schema to plain data', async () => {
  const proto = 'syntax = "proto2"; message M { optional int64 a = 1 [default = 5]; optional bytes b = 2 [default = "x"]; }';
  const schema = await compile({ proto, message: 'M' });
  assertSame(structuredClone(schema), schema);
  assertSame(decodeWith(protobuf, new Uint8Array(0), { schema: structuredClone(schema), options: { defaults: 'all' } }), {
    a: 5,
    b: Uint8Array.of(0x78),
  });
});

test.each([
  [undefined, 'requires the name of its message'],
  [{ proto: 'syntax = "proto3";' }, 'requires the name of its message'],
  [{ message: 'M' }, 'expected { proto, message } or { descriptorSet, message }'],
  [
    { proto: 'syntax = "proto3"; package a; message N { map<int32, N> m = 1; }', message: 'N' },
    'unknown message N; did you mean a.N? known messages: a.N',
  ],
  [{ proto: 'syntax = "proto3"; enum E { A = 0; }', message: 'E' }, 'unknown message E; known messages: none'],
])('refuses the schema %o', async (input, reason) => {
  const error = await refused(input, 'trips');
  expect(error.message).toContain(reason);
  expect(error).toMatchObject({ schema: 'trips', format: 'protobuf' });
});
