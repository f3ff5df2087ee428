/** The cost of compiling a schema grows linearly, and a rejected schema throws a SchemaError. */
import { describe, expect, test } from 'vitest';
import capnproto from '../../../../core/formats/capnproto/index.ts';
import { Message } from '../../../../core/formats/capnproto/read/message.ts';
import { Struct } from '../../../../core/formats/capnproto/schema/struct.ts';
import { planFor as bebopPlan } from '../../../../core/formats/bebop/read/plan.ts';
import { readTextSchema } from '../../../../core/formats/bebop/schema/text-schema.ts';
import { Table } from '../../../../core/formats/flatbuffers/read/table.ts';
import { compileType } from '../../../../core/formats/jsbinary/schema.ts';
import { link } from '../../../../core/formats/protobuf/schema/definitions.ts';
import { readProtoText } from '../../../../core/formats/protobuf/schema/proto-text.ts';

const typed = expect.objectContaining({ name: 'SchemaError' }) as Error;
const many = (count: number, item: (index: number) => string): string => Array.from({ length: count }, (_, index) => item(index)).join('');

describe('compiler of .proto texts', () => {
  const compile = (proto: string): unknown => link(readProtoText(proto, {}).definitions, 'M', []);

  test('rejects full names above 500 characters, since a package counts for each of its names', () => {
    expect(() => compile(`syntax = "proto3"; package ${'a.'.repeat(300)}a; ${many(1_000, (index) => `message M${index} {}`)}`)).toThrow(typed);
    expect(() => compile(`syntax = "proto3"; package p; message M { ${'x'.repeat(600)} f = 1; }`)).toThrow(typed);
  });

  test('rejects two fields with the same name', () => {
    expect(() => compile(`syntax = "proto3"; message M { ${many(20_000, (index) => `int32 a = ${index + 1};`)} }`)).toThrow(typed);
  });

  test('accepts many fields with defaults of a large enum, and many oneofs', () => {
    const enumeration = `enum E { ${many(20_000, (index) => `E${index} = ${index};`)} }`;
    const fields = many(20_000, (index) => `optional E f${index} = ${index + 1} [default = E19999];`);
    expect(() => compile(`syntax = "proto2"; ${enumeration} message M { ${fields} }`)).not.toThrow();
    expect(() =>
      compile(`syntax = "proto3"; message M { ${many(20_000, (index) => `oneof o${index} { int32 f${index} = ${index + 1}; }`)} }`),
    ).not.toThrow();
  });
});

describe('compiler of .bop texts', () => {
  test('rejects a shift by thousands of bits', () => {
    expect(() => readTextSchema(`enum E { A = 1${' << 64'.repeat(10_000)}; } struct M { E e; }`, {}, 'M')).toThrow(typed);
  });

  test('rejects a union directly inside another, at any depth', () => {
    expect(() => readTextSchema(`${many(30_000, (index) => `union U${index} { 1 -> @x `)} struct S {}`, {}, 'U0')).toThrow(typed);
    expect(() =>
      readTextSchema(
        many(30_000, (index) => `union U${index} { 1 -> [x] `),
        {},
        'U0',
      ),
    ).toThrow(typed);
  });

  test('checks nested structs without bytes once each', () => {
    const count = 20_000;
    const text = `${many(count, (index) => `struct S${index} { S${index + 1} a; }`)} struct S${count} {}`;
    const { empty } = bebopPlan(readTextSchema(text, {}, 'S0'), {});
    expect(empty.reduce((sum, one) => sum + one, 0)).toBe(count + 1);
  });
});

test('a js-binary literal with many fields looks each up once and rejects duplicates', () => {
  const literal = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`f${index}`, 'int']));
  expect(compileType(literal).keys[0]).toHaveLength(100_000);
  expect(() => compileType({ ...literal, 'f99999?': 'int' })).toThrow(typed);
});

test("a Cap'n Proto request whose pointers repeat the same text is rejected", () => {
  // A list of 1,000 structs of a pointer each, all to one text.
  const count = 1_000;
  const text = 800_000;
  const words = 3 + count + text / 8;
  const bytes = new Uint8Array(8 + words * 8);
  const view = new DataView(bytes.buffer);
  view.setUint32(4, words, true);
  // A struct of one pointer, a list of structs, and its tag.
  view.setUint16(14, 1, true);
  view.setUint32(16, 1, true);
  view.setUint32(20, (count << 3) | 7, true);
  view.setUint32(24, count << 2, true);
  view.setUint16(30, 1, true);
  for (let index = 0; index < count; index += 1) {
    view.setUint32(32 + index * 8, ((count - index - 1) << 2) | 1, true);
    view.setUint32(36 + index * 8, (text << 3) | 2, true);
  }
  const message = new Message();
  message.useWindow(bytes, view, 0);
  message.frame(0, bytes.length);
  const read = (): string[] =>
    Struct.at(message, message.starts[0]!, 0)
      .structs(0)
      .map((item) => item.text(0));
  expect(read).toThrow(typed);
  expect(message.traversed).toBeLessThan(100_000_000);
  expect(() => capnproto.compileSchema!({ request: bytes, struct: 'M' })).toThrow(typed);
});

test('a .bfbs whose offsets repeat the same string is rejected', () => {
  const text = 100_000;
  const bytes = new Uint8Array(40 + text);
  const view = new DataView(bytes.buffer);
  // The root table at 16, its vtable at 8, its one field a string at 24.
  view.setUint32(0, 16, true);
  view.setUint16(8, 6, true);
  view.setUint16(10, 8, true);
  view.setUint16(12, 4, true);
  view.setInt32(16, 8, true);
  view.setUint32(20, 4, true);
  view.setUint32(24, text, true);
  const table = Table.root(bytes);
  expect(table.string(0)).toHaveLength(text);
  expect(() => {
    for (let times = 0; times < 10_000; times += 1) table.string(0);
  }).toThrow(typed);
});
