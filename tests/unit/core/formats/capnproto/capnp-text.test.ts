import { describe, expect, test } from 'vitest';
import capnproto from '../../../../../core/formats/capnproto/index.ts';
import { readCapnpText } from '../../../../../core/formats/capnproto/schema/capnp-text.ts';
import { open, readRequest } from '../../../../../core/formats/capnproto/schema/request.ts';
import type { CapnProtoSchema } from '../../../../../core/formats/capnproto/schema/schema.ts';
import { Struct } from '../../../../../core/formats/capnproto/schema/struct.ts';
import { createEncoder } from '../../../../../main/encode.ts';
import { createDecoder } from '../../../../../main/index.ts';
import { openFolder } from '../../../../setup/servers/folders.ts';
import { assertSame, decodeWith } from '../../../../setup/ways/differential.ts';
import { EMPTY_STRUCT, withoutDefaults } from './same-schema.ts';

test("reads a text as the schema of capnp's request: layouts, generic types, and defaults of every kind", async () => {
  const fixtures = (await openFolder('fixtures', 'capnproto'))!;
  for (const file of ['test', 'unions']) {
    const request = await fixtures.bytes(`${file}.request`);
    const text = await fixtures.text(`${file}.capnp`);
    const message = open(request.slice());
    const nodes = Struct.at(message, message.starts[0]!, 0).structs(0);
    const names = nodes.filter((node) => node.uint16(12) === 1 && (node.uint8(28) & 1) === 0).map((node) => node.text(0).split(':')[1]!);
    expect(names.length).toBeGreaterThan(1);
    for (const name of names) {
      const own = readCapnpText(text, {}, name);
      const other = readRequest(request.slice(), name);
      assertSame(withoutDefaults(own), withoutDefaults(other));
      const decode = (schema: CapnProtoSchema): unknown => decodeWith(capnproto, EMPTY_STRUCT, { schema, options: { defaults: 'all' } });
      if (own.structs[own.root]!.fields.length > 0) assertSame(decode(own), decode(other));
    }
  }
});

test('decodes and encodes by a text with imported files, of which only those with types in use must be given', async () => {
  const units = `@0xd508eebdc2dc42b8; using Shop = import "../shop.capnp"; enum Currency { euro @0; hryvnia @1; }
    struct Money { cents @0 :Int32; in @1 :Currency = hryvnia; for @2 :List(Shop.Item); }`;
  const capnp = `
    @0xd508eebdc2dc42b9;
    using Cxx = import "/capnp/c++.capnp";
    $Cxx.namespace("shop");
    using import "units/money.capnp".Money;
    interface Store extends(Cxx.Base) { buy @0 (item :Item) -> (paid :Money); }
    struct Item $Cxx.name("Thing") {
      name @0 :Text = "tea";
      price @1 :Money = (cents = 250);
      tags @2 :List(Text) = ["hot", "green"];
      store @4 :Store;
      union { count @3 :UInt16; none @5 :Void; }
    }`;
  const schema = { capnp, struct: 'Item', imports: { 'units/money.capnp': units, 'shop.capnp': capnp } };
  const decoder = createDecoder({ schemas: { item: { format: 'capnproto', schema } } });
  const encoder = createEncoder();
  const bytes = await encoder.encode({ name: 'salt', count: 7 }, { format: 'capnproto', schema });
  expect(await decoder.decode(bytes, { schema: 'item', options: { enums: 'name' } })).toEqual({
    name: 'salt',
    price: { cents: 250, in: 'hryvnia', for: [] },
    tags: ['hot', 'green'],
    count: 7,
  });
  decoder.close();
});

test('finds the struct in the text, then in the imported ones, where a file may be named', () => {
  const imports = { 'a.capnp': 'struct S { a @0 :Int8; } struct Only {}', 'b/a.capnp': 'struct S { b @0 :Int8; struct Inner {} }' };
  const fields = (struct: string): string[] => readCapnpText('struct Own {}', imports, struct).structs[0]!.fields.map(({ name }) => name);
  expect(fields('Own')).toEqual([]);
  expect(fields('Only')).toEqual([]);
  expect(fields('b/a.capnp:S')).toEqual(['b']);
  expect(fields('S.Inner')).toEqual([]);
  expect(() => fields('S')).toThrow('ambiguous struct S: a.capnp:S, b/a.capnp:S');
  expect(() => fields('own')).toThrow('unknown struct own; did you mean Own? known structs: Own');
});

describe('rejects', () => {
  const bomb = [
    'const c0 :List(Text) = ["x"];',
    ...Array.from(
      { length: 40 },
      (_, index) => `const c${index + 1} :${'List('.repeat(index + 2)}Text${')'.repeat(index + 2)} = [${`.c${index}, `.repeat(10)}];`,
    ),
  ];

  test.each([
    ['struct S { a @0 :Int8', 'line 1, column 22: expected “;” but found the end'],
    ['struct S {\n  a @0 :Nothing;\n}', 'line 2, column 9: Nothing is not defined'],
    ['struct S { a @0 :Int8; a @1 :Int8; }', 'line 1, column 24: a is defined twice'],
    ['struct S {} enum S { a @0; }', 'S is defined twice'],
    ['struct S { a @0 :Int8; b @0 :Int8; }', 'the number 0 is used twice'],
    ['struct S { a @0 :Int8; b @2 :Int8; }', 'line 1, column 24: the number 1 is missing: numbers must follow each other from 0'],
    ['struct S { a @65535 :Int8; }', 'the number 65535 is above 65534'],
    ['struct S { a :Int8; }', 'line 1, column 12: the field a has no number, a @0'],
    ['struct S { union { a @0 :Int8; } }', 'a union must have at least two members'],
    ['struct S { g :group {} }', 'a group must have a member'],
    ['struct S { g @0 :group { a @1 :Int8; } }', 'a group has no number'],
    ['struct S { union { a @0 :Int8; b @1 :Int8; } union { c @2 :Int8; d @3 :Int8; } }', 'S has two unions without a name'],
    ['struct S { u :union { union { a @0 :Int8; b @1 :Int8; } c @2 :Int8; } }', 'a union cannot contain a union without a name'],
    ['struct S { u @2! :union { a @0 :Int8; b @1 :Int8; } }', 'the number of a union can be above that of only one of its members'],
    ['struct S { u @0 union { a @1 :Int8; b @2 :Int8; } }', 'expected “:” but found union'],
    ['struct S { a @0 :List; }', 'a List has the type of its items, List(Text)'],
    ['struct S { a @0 :List(Int8, Text); }', 'a List has the type of its items, List(Text)'],
    ['struct S { a @0 :List(AnyPointer); }', 'List(AnyPointer) is not supported'],
    ['struct S { b @0 :B(Text); } struct B(T) { l @0 :List(T); }', 'a List of a type parameter is not supported'],
    ['struct S { a @0 :B(Text, Text); } struct B(T) {}', 'B has 1 type parameters, not 2'],
    ['struct S { a @0 :B(Int8); } struct B(T) {}', 'only texts, data, lists, structs and interfaces can be bound to type parameters'],
    ['struct S { a @0 :Text(Text); }', 'this type has no type parameters'],
    ['struct S { a @0 :c; } const c :Int8 = 1;', 'c is not a type'],
    ['struct S { a @0 :A; } using A = B; using B = A;', 'the alias A stands for itself'],
    ['struct S { a @0 :S.Inner; }', 'line 1, column 18: Inner is not defined there'],
    ['struct S { a @0 :Int8 = 128; }', 'line 1, column 25: the value 128 is out of the range of Int8'],
    ['struct S { a @0 :UInt64 = 18446744073709551616; }', 'the value 18446744073709551616 is out of the range of UInt64'],
    ['struct S { a @0 :UInt8 = -1; }', 'the value -1 is out of the range of UInt8'],
    ['struct S { a @0 :Int8 = 1.5; }', 'expected Int8'],
    ['struct S { a @0 :Int8 = 012x; }', 'unexpected "0"'],
    ['struct S { a @0 :Text = 5; }', 'expected Text'],
    ['struct S { a @0 :Text = 0x"00"; }', 'expected Text'],
    ['struct S { a @0 :Data = 0x"0"; }', 'expected pairs of hexadecimal digits in quotes'],
    [String.raw`struct S { a @0 :Text = "\q"; }`, String.raw`unknown escape \q`],
    ['struct S { a @0 :List(Int8) = [1, 300]; }', 'the value 300 is out of the range of Int8'],
    ['struct S { a @0 :List(Int8) = (b = 1); }', 'expected List(Int8)'],
    ['struct S { a @0 :S = (b = 1); }', 'line 1, column 27: S has no field b'],
    ['struct S { a @0 :S = (1, 2); }', 'a field has its name before its value, name = value'],
    ['struct S { a @0 :E = b; } enum E { a @0; }', 'b is not a value of E: a constant is named with its scope, such as .b'],
    ['struct S { a @0 :AnyPointer = "x"; }', 'an untyped field has no default'],
    ['struct S { a @0 :Data = embed "x"; }', 'a default cannot be that of an embedded file'],
    ['struct S { a @0 :Int8 = .a; } const a :Int8 = .b; const b :Int8 = .a;', 'the constant a is defined by itself'],
    [
      `struct S { a @0 :${'List('.repeat(7)}Text${')'.repeat(7)} = .c6; } ${bomb.slice(0, 8).join(' ')}`,
      'the defaults have more than 16000000 bytes',
    ],
    ['enum E { a @0; b @2; } struct S {}', 'the number 1 is missing'],
    ['enum E { a @0; a @1; } struct S {}', 'a is defined twice'],
    ['using Foo; struct S {}', 'a using without = must name a declaration of another scope'],
    ['using A = import "a.capnp"; struct S { a @0 :A.T; }', 'line 1, column 11: the imported file a.capnp is not in imports'],
    ['using A = import "bad.capnp"; struct S { a @0 :A.T; }', 'bad.capnp: line 1, column 8: expected a name but found {'],
    ['message S {}', 'expected a declaration but found message'],
    ["struct S { a @0 :Text = 'x'; }", 'line 1, column 25: unexpected "\'"'],
    [`struct S { a @0 :${'List('.repeat(200)}Text${')'.repeat(200)}; }`, 'nested more than 100 levels deep'],
    [`struct S { a @0 :${'List('.repeat(60)}Text${')'.repeat(60)}; }`, 'lists are nested too deep'],
  ])('%s', async (capnp, message) => {
    const compile = async (): Promise<unknown> => capnproto.compileSchema!({ capnp, struct: 'S', imports: { 'bad.capnp': 'struct {' } }, 'mine');
    await expect(compile()).rejects.toMatchObject({ name: 'SchemaError', schema: 'mine', message: expect.stringContaining(message) as string });
  });

  test('aliases that stand for each other in a doubling tree', () => {
    const aliases = Array.from({ length: 40 }, (_, index) => `using A${index} = P(A${index + 1}, A${index + 1});`);
    const doubling = `struct P(T, U) { t @0 :T; u @1 :U; } ${aliases.join(' ')} using A40 = Text; struct S { a @0 :A0; }`;
    expect(() => readCapnpText(doubling, {}, 'S')).toThrow('the types of the schema name more than 1000000 types');
  });
});
