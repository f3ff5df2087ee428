import { describe, expect, test } from 'vitest';
import { SchemaError } from '../../../../../../core/errors.ts';
import protobuf from '../../../../../../core/formats/protobuf/index.ts';
import type { ProtobufSchema } from '../../../../../../core/formats/protobuf/schema/schema.ts';
import { assertSame, decodeWith } from '../../../../../setup/ways/differential.ts';
import { hex } from '../../../../../setup/values/hex.ts';

const compile = async (proto: string, imports = {}): Promise<ProtobufSchema> => (await protobuf.compileSchema!({ proto, imports, message: 'M' }))!;
const lines = (count: number, line: (index: number) => string): string => Array.from({ length: count }, (_, index) => line(index)).join('\n');

describe('a long .proto text', () => {
  test.each<[string, string]>([
    ['fields of a message', `syntax = "proto3"; message M { ${lines(5_000, (i) => `int32 f${i} = ${i + 1};`)} }`],
    ['optional fields', `syntax = "proto3"; message M { ${lines(5_000, (i) => `optional int32 f${i} = ${i + 1};`)} }`],
    ['members of a oneof', `syntax = "proto3"; message M { oneof o { ${lines(5_000, (i) => `int32 f${i} = ${i + 1};`)} } }`],
    ['maps', `syntax = "proto3"; message M { ${lines(5_000, (i) => `map<int32, M> f${i} = ${i + 1};`)} }`],
    ['extensions', `syntax = "proto2"; message M { extensions 1 to max; } extend M { ${lines(5_000, (i) => `optional int32 f${i} = ${i + 1};`)} }`],
    ['extensions one by one', `syntax = "proto2"; ${lines(5_000, (i) => `extend M { optional int32 f${i} = ${i + 1}; }`)} message M { }`],
    ['messages', `syntax = "proto3"; ${lines(5_000, (i) => `message M${i} { M${(i * 7) % 5_000} m = 1; int32 last = 500; }`)} message M { }`],
    ['values of an enum', `syntax = "proto3"; enum E { ${lines(12_000, (i) => `V${i} = ${i};`)} } message M { E e = 1; }`],
    ['imports', `${lines(5_000, (i) => `import "${i}.proto";`)} message M { }`],
    [
      'reserved numbers',
      `message M { reserved ${lines(12_000, (i) => `${i},`)} 12001; ${lines(2000, (i) => `optional int32 f${i} = ${i + 20_000};`)} }`,
    ],
    [
      'options',
      `message M { ${lines(5_000, (i) => `option (o).a = { a${i}: 1 };`)} optional int32 a = 1 [${lines(5_000, (i) => `(o${i}) = 1,`)} (o) = 1]; }`,
    ],
    ['escapes', `option x = "${'\\"'.repeat(400_000)}"; message M { optional string s = 1 [default = "${'\\a'.repeat(25_000)}"]; }`],
    ['digits of a default', `message M { optional float a = 1 [default = ${'0'.repeat(400_000)}.${'0'.repeat(400_000)}]; }`],
    [
      'spaces and comments',
      `message M { optional int32 x = 1 [default =${' '.repeat(400_000)}1]; } ${'/**/'.repeat(25_000)} //${'/'.repeat(400_000)}`,
    ],
  ])('compiles in time linear in its length: %s', async (_, proto) => {
    expect((await compile(proto)).messages.length).toBeGreaterThan(0);
  });

  test.each<[string, string, string]>([
    [
      'digits before another sign',
      `message M { optional float a = 1 [default = "${'0'.repeat(400_000)}!"]; }`,
      'the default of the field a does not fit',
    ],
    ['escapes in unterminated string', `option x = "${'\\a'.repeat(400_000)}`, 'line 1, column 12: unterminated string'],
    ['quotes in unterminated string', `option x = "${'\\"'.repeat(400_000)}`, 'line 1, column 12: unterminated string'],
    ['strings over the ends of lines', '"\n'.repeat(25_000), 'line 1, column 1: unterminated string'],
    ['unterminated comment', `\n/*${'/* '.repeat(400_000)}`, 'line 2, column 1: unterminated comment'],
    ['messages nested deeply', 'message M {'.repeat(25_000), 'messages are nested too deep'],
    ['groups nested deeply', `message M {${'optional group G = 1 {'.repeat(25_000)}`, 'messages are nested too deep'],
    ['an aggregate without an end', `option (x) = ${'{ a: '.repeat(25_000)}`, 'expected more but found the end'],
    ['a name of many parts', `message M { optional ${'a.'.repeat(50_000)}b c = 1; }`, 'has the undefined type'],
    ['more than is read', ' '.repeat(16_000_001), 'the .proto texts have more than 16000000 characters'],
  ])('fails to compile in time linear in its length: %s', async (_, proto, reason) => {
    await expect(compile(proto)).rejects.toThrow(reason);
    await expect(compile(proto)).rejects.toBeInstanceOf(SchemaError);
  });
});

describe('a .proto text', () => {
  test('compiles to the same schema as with protoc', async () => {
    const proto = `
      /* a */ edition = '20' "23"; // b
      package a . b;
      import option "google/protobuf/descriptor.proto";
      option features = { field_presence: IMPLICIT [ext.x] { y: 1 }, message_encoding: LENGTH_PREFIXED };
      option (my.option).inner = { list: [1, 2] name: "}" };
      export message M {
        local enum E { option allow_alias = true; reserved -1 to 5, 7 to max; A = 0; B = -0x10; C = -020 [deprecated = true]; };
        E e = 1 [json_name = "\\x45" "E"];
        .a.b.M.N n = 2; b.M.N m = 3 [features = { message_encoding: DELIMITED }]; N.O o = 4;
        message N { message O { N n = 1; int32 x = 2 [features.field_presence = EXPLICIT, default = 017]; } extensions 5 to 10 [verification = UNVERIFIED]; }
        oneof one { option (x) = 1; string s = 5; };
        reserved "x", "y"; reserved z;
        extend N { repeated sint32 more = 5; }
      }
      service S { option x = 1; rpc Call (stream M) returns (M.N) { option (y) = "}"; } }`;
    const { messages, enums, root } = (await protobuf.compileSchema!({ proto, message: 'a.b.M' }))!;
    expect(enums).toEqual([{ name: 'a.b.M.E', closed: false, names: ['A', 'B', 'C'], numbers: [0, -16, -16] }]);
    const named = Object.fromEntries(messages.map(({ name, fields }) => [name, fields]));
    expect(Object.keys(named)).toEqual(['a.b.M', 'a.b.M.N', 'a.b.M.N.O']);
    const typeOf = (field: string): string | undefined => messages[messages[root]!.fields.find(({ name }) => name === field)!.ref]?.name;
    expect(['n', 'm', 'o'].map(typeOf)).toEqual(['a.b.M.N', 'a.b.M.N', 'a.b.M.N.O']);
    expect(named['a.b.M']).toMatchObject([
      { name: 'e', jsonName: 'EE', presence: 'implicit' },
      { name: 'n', type: 11, presence: 'explicit' },
      { name: 'm', type: 10 },
      { name: 'o', type: 11 },
      { name: 's', oneof: 0 },
    ]);
    expect(named['a.b.M.N']).toMatchObject([{ name: '[a.b.M.more]', number: 5, type: 17, repeated: true }]);
    expect(named['a.b.M.N.O']).toMatchObject([{}, { presence: 'explicit', default: 15 }]);
  });

  test('yields the defaults of its literals', async () => {
    const schema = await compile(String.raw`message M {
      optional string a = 1 [default = "\303\xa4\u00e4\U0001F600\n'" ' "'];
      optional bytes b = 2 [default = "\001\xffé" '\?'];
      optional double c = 3 [default = -inf]; optional float d = 4 [default = nan]; optional double e = 5 [default = .5e1];
      optional E f = 6 [default = B]; optional bool g = 7 [default = true]; optional int64 h = 8 [default = -0x7fffffffffffffff];
      enum E { A = 1; B = 2; } }`);
    assertSame(decodeWith(protobuf, hex(''), { schema, options: { defaults: 'all', int64: 'bigint' } }), {
      a: 'ää😀\n\' "',
      b: Uint8Array.of(1, 0xff, 0xc3, 0xa9, 0x3f),
      c: -Infinity,
      d: NaN,
      e: 5,
      f: 2,
      g: true,
      h: 1n - 2n ** 63n,
    });
  });

  test('resolves a name from the innermost scope outwards', async () => {
    const schema = await compile(`
      message M { optional A a = 1; optional .A b = 2; optional N.B c = 3; message A { optional int32 inner = 1; } message N { message B { optional A x = 1; message A { } } } }
      message A { optional int32 outer = 1; }`);
    const nameOf = (message: string, field: string): string =>
      schema.messages[schema.messages.find(({ name }) => name === message)!.fields.find(({ name }) => name === field)!.ref]!.name;
    expect([nameOf('M', 'a'), nameOf('M', 'b'), nameOf('M', 'c'), nameOf('M.N.B', 'x')]).toEqual(['M.A', 'A', 'M.N.B', 'M.N.B.A']);
  });

  test.each<[string, string]>([
    ['message M { optional int32 a = 1; optional int32 b = 1; }', 'the fields a and b of M have the same number 1'],
    ['message M { optional int32 a = 0; }', 'the field a of M has the invalid number 0'],
    ['message M { optional int32 a = 536870912; }', 'the field a of M has the invalid number 536870912'],
    ['message M { optional int32 a = 1.5; }', '1.5 is not a 32-bit integer'],
    ['message M { } message M { }', 'M is defined twice'],
    ['message M { map<double, int32> a = 1; }', 'a map whose keys are not integers, booleans or strings'],
    ['message M { map<M, int32> a = 1; }', 'a map whose keys are not integers, booleans or strings'],
    ['message M { optional int32 a; }', 'expected “=” but found ;'],
    ['message M { optional int32 a = 1 [x]; }', 'expected “=” but found ]'],
    ['message M { optional E a = 1 [default = X]; enum E { A = 1; } }', 'the enum M.E has no value X'],
    ['option features.field_presence = SOMETIMES; message M { }', 'the feature field_presence has no value SOMETIMES'],
    ['syntax = "proto4"; message M { }', 'unknown syntax "proto4"'],
    ['message M { } }', 'expected a definition but found }'],
    ['message M { $ }', 'unexpected "$"'],
  ])('fails to compile: %s', async (proto, reason) => {
    await expect(compile(proto)).rejects.toThrow(reason);
    await expect(compile(proto)).rejects.toBeInstanceOf(SchemaError);
  });
});

describe('strict refuses what protoc refuses, and a schema without it takes', () => {
  const imports = {
    'b.proto': 'syntax = "proto3"; import "c.proto"; message B { C c = 1; }',
    'c.proto': 'syntax = "proto3"; message C {}',
    'public.proto': 'syntax = "proto3"; import public "more.proto"; message D {}',
    'more.proto': 'syntax = "proto3"; import public "c.proto";',
    'old.proto': 'syntax = "proto3"; message Old { required int32 a = 1; }',
  };

  test.each([
    ['enum E { A = 0; B = 0; }', 'line 1, column 49: B and A have the same number: set the option allow_alias'],
    ['enum E { option allow_alias = true; A = 0; B = 1; }', 'E has the option allow_alias, and no two values with the same number'],
    ['enum E { A = 1; }', 'line 1, column 42: the first value of E must be 0'],
    ['message N { int32 a = 19000; }', 'line 1, column 55: the numbers 19000 to 19999 are reserved for protobuf itself'],
    ['message N { required int32 a = 1; }', 'proto3 has no required fields'],
    ['message N { int32 a = 1 [default = 5]; }', 'proto3 has no defaults'],
    ['import "b.proto"; message N { C c = 1; }', 'N.c has the type C of c.proto, which must be imported'],
    ['import "absent.proto";', 'the imported file absent.proto is not in imports'],
    ['import "old.proto";', 'old.proto: line 1, column 34: proto3 has no required fields'],
  ])('%s', async (text, problem) => {
    const proto = `syntax = "proto3"; message M {} ${text}`;
    await expect(compile(proto, imports)).resolves.toBeDefined();
    await expect(async () => protobuf.compileSchema!({ proto, imports, message: 'M', strict: true })).rejects.toThrow(problem);
  });

  test('fields of proto2 without a label, and no valid text', async () => {
    const strict = async (proto: string): Promise<unknown> => protobuf.compileSchema!({ proto, imports, message: 'M', strict: true });
    await expect(strict('message M { int32 a = 1; }')).rejects.toThrow('line 1, column 13: a field of proto2 is required, optional or repeated');
    await strict('message M { optional int32 a = 1 [default = 5]; map<int32, int32> m = 2; oneof o { int32 b = 3; } optional group G = 4 {} }');
    await strict('syntax = "proto3"; import "public.proto"; message M { C c = 1; enum E { option allow_alias = true; A = 0; B = 0; } }');
    await strict('edition = "2023"; message M { int32 a = 18999 [default = 5]; int32 b = 20000; }');
  });
});
