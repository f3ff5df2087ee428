import { describe, expect, test } from 'vitest';
import flatbuffers from '../../../../../core/formats/flatbuffers/index.ts';
import { readFbsText } from '../../../../../core/formats/flatbuffers/schema/fbs-text.ts';
import * as t from '../../../../../core/formats/flatbuffers/schema/schema.ts';
import type { FieldSchema, FlatBuffersSchema } from '../../../../../core/formats/flatbuffers/schema/schema.ts';
import { createEncoder } from '../../../../../main/encode.ts';
import { createDecoder } from '../../../../../main/index.ts';
import { caseCount } from '../../../../setup/properties/case-count.ts';
import { assertSame } from '../../../../setup/ways/differential.ts';
import { openFolder } from '../../../../setup/servers/folders.ts';
import { Dice, randomSchema } from './random.ts';

const NAMES = ['', '', 'bool', 'byte', 'ubyte', 'short', 'ushort', 'int32', 'uint32', 'long', 'uint64', 'float', 'float64', 'string'];

/** A schema without the order of its types, in which each type has its name. */
function named({ root, identifier, objects, enums }: FlatBuffersSchema): unknown {
  const nameOf = (type: number, ref: number): string | undefined => (ref < 0 ? undefined : type === t.OBJ ? objects[ref]!.name : enums[ref]!.name);
  const field = ({ ref, nested, optional, offset, ...rest }: FieldSchema, struct: boolean): unknown => {
    const item = rest.type === t.VECTOR || rest.type === t.ARRAY || rest.type === t.VECTOR64 ? rest.element : rest.type;
    return {
      ...rest,
      type: `${rest.type} ${nameOf(item, ref)}`,
      nested: nested < 0 ? '' : objects[nested]!.name,
      // Versions of flatc differ in what is optional without being a number.
      optional: optional && !struct && t.isScalar(rest.type),
      offset: struct ? offset : 4 + 2 * rest.id,
    };
  };
  const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);
  return {
    root: objects[root]!.name,
    identifier,
    objects: objects.toSorted(byName).map(({ fields, ...object }) => ({ ...object, fields: fields.map((each) => field(each, object.struct)) })),
    enums: enums
      .toSorted(byName)
      .map(({ types, refs, ...item }) => ({ ...item, types: types.map((type, index) => nameOf(type, refs[index]!) ?? type) })),
  };
}

/** Ids without gaps, and defaults that are in their enums, as flatc wants them. */
function usual(schema: FlatBuffersSchema): FlatBuffersSchema {
  for (const { struct, fields } of schema.objects) {
    for (const [index, field] of fields.entries()) {
      if (!struct) field.id = index;
      if (field.ref === 0 && t.isScalar(field.type) && !schema.enums[0]!.values.includes(BigInt(field.default)))
        field.default = typeof field.default === 'bigint' ? 0n : 0;
    }
  }
  return schema;
}

/** The `.fbs` of a schema in the namespace `t`. */
function textOf({ objects, enums, root, identifier }: FlatBuffersSchema, dice: Dice): string {
  const short = (name: string): string => (dice.chance(0.5) ? name : name.slice(2));
  const typeName = (type: number, ref: number): string =>
    short(type === t.OBJ ? objects[ref]!.name : ref < 0 ? `t.${NAMES[type]}` : enums[ref]!.name).replace(/^t\.(?=[a-z])/, '');
  const field = ({ name, id, type, element, ref, length, nested, ...rest }: FieldSchema, struct: boolean, hasIds: boolean): string => {
    const item = type === t.VECTOR ? `[${typeName(element, ref)}]` : type === t.ARRAY ? `[${typeName(element, ref)}:${length}]` : typeName(type, ref);
    const value = Number.isNaN(rest.default) ? 'nan' : String(rest.default).replace('Infinity', 'inf');
    const attributes = [
      ...(hasIds ? [`id: ${id}`] : []),
      ...(rest.key ? ['key'] : []),
      ...(rest.deprecated ? ['deprecated'] : []),
      ...(nested >= 0 ? [`nested_flatbuffer: "${short(objects[nested]!.name)}"`] : []),
    ];
    const written = rest.optional ? ' = null' : !struct && t.isScalar(type) && value !== '0' ? ` = ${type === t.BOOL ? 'true' : value}` : '';
    return `  ${name}: ${item}${written}${attributes.length > 0 ? ` (${attributes.join(', ')})` : ''}; // ${name}\n`;
  };
  const definitions = objects.map(({ name, struct, fields }) => {
    const hasIds = !struct && dice.chance(0.3);
    // The type of a union is a field that is not written.
    const written = fields.filter(({ type, element }) => type !== t.UTYPE && element !== t.UTYPE);
    const lines = (hasIds ? written.toReversed() : written).map((each) => field(each, struct, hasIds));
    return `${struct ? 'struct' : 'table'} ${name.slice(2)} {\n${lines.join('')}}\n`;
  });
  const values = enums.map(({ name, union, flags, names, values: numbers, types, refs }) => {
    const lines = names.map((each, index) => {
      if (!union) return `${each} = ${flags ? numbers[index]!.toString(2).length - 1 : numbers[index]}`;
      return `${each}: ${types[index] === t.STRING ? 'string' : objects[refs[index]!]?.name}`;
    });
    const base = union ? '' : flags ? ': ubyte (bit_flags)' : ': byte';
    return `${union ? 'union' : 'enum'} ${name.slice(2)} ${base} { ${lines.slice(union ? 1 : 0).join(', ')} }\n`;
  });
  return `/* A schema. */ namespace t;\n${values.join('')}${definitions.join('')}root_type ${objects[root]!.name};\n${identifier && `file_identifier "${identifier}";`}`;
}

test('reads the text of a random schema as the schema', () => {
  for (let seed = 0; seed < caseCount(600); seed += 1) {
    const dice = new Dice(seed);
    const schema = usual(randomSchema(dice));
    // Fields of a random schema may have an enum and another type than it has.
    for (const { fields } of schema.objects) for (const field of fields) if (field.ref >= 0 && field.ref < 2) withoutEnum(field);
    const text = textOf(schema, dice);
    try {
      assertSame(named(readFbsText(text, {}, undefined)), named(schema));
    } catch (error) {
      throw new Error(`seed ${seed}:\n${text}`, { cause: error });
    }
  }
});

function withoutEnum(field: FieldSchema): void {
  const item = field.type === t.VECTOR || field.type === t.ARRAY ? field.element : field.type;
  if (t.isScalar(item) && item !== t.UTYPE && item !== [t.BYTE, t.UBYTE][field.ref]) field.ref = -1;
}

test("reads a text as the schema of flatc's .bfbs", async () => {
  const fixtures = (await openFolder('fixtures', 'flatbuffers'))!;
  for (const name of ['everything', 'keys']) {
    const bfbs = await flatbuffers.compileSchema!({ bfbs: await fixtures.bytes(`${name}.bfbs`) });
    assertSame(named((await flatbuffers.compileSchema!({ fbs: await fixtures.text(`${name}.fbs`) }))!), named(bfbs!));
  }
});

test('decodes and encodes by a text with included files', async () => {
  const common = 'include "shop.fbs"; namespace units; enum Currency : byte { Euro, Hryvnia } struct Money { cents: int; in: Currency; }';
  const fbs = `
    include "units/common.fbs";
    namespace shop;
    attribute "priority";
    rpc_service Store { Buy(Item): Item (streaming: "none"); }
    table Item { name: string (required, priority: 1); price: units.Money; like: Thing; angle: float = rad(180); on: bool = false (priority: 2); }
    union Thing { Item, units.Money }
    root_type Item;`;
  const schema = { fbs, imports: { 'units/common.fbs': common, 'shop.fbs': fbs } };
  const value = { name: 'tea', price: { cents: 250, in: 1 }, like_type: 2, like: { cents: 1, in: 0 } };
  const decoder = createDecoder({ schemas: { item: { format: 'flatbuffers', schema } } });
  const bytes = await createEncoder().encode(value, { format: 'flatbuffers', schema });
  const expected = { ...value, angle: Math.PI, on: false };
  expect(await decoder.decode(bytes, { schema: 'item' })).toEqual(expected);
  expect(await decoder.decode(bytes, { schema: 'item', options: { enums: 'name' } })).toMatchObject({
    price: { in: 'Hryvnia' },
    like_type: 'units_Money',
  });
  decoder.close();
});

test('takes a name as flatc does: what precedes its use, then what follows, from the scope outwards', () => {
  const fbs = `
    namespace a; struct X { i: int; }
    namespace a.b; table Use { before: X; later: Y; other: Z; }
    struct X { i: long; } struct Y { i: short; }
    namespace c; table Z {}`;
  const { objects } = readFbsText(fbs, {}, 'a.b.Use');
  const use = objects.find(({ name }) => name === 'a.b.Use')!;
  expect(use.fields.map(({ ref }) => objects[ref]!.name)).toEqual(['a.X', 'a.b.Y', 'c.Z']);
});

describe('rejects', () => {
  test.each([2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n])('has the default %s of a ulong, which is left out when it is written', async (value) => {
    const schema = { fbs: `table T { a: ulong = ${value}; } root_type T;` };
    const encoder = createEncoder();
    const bytes = await encoder.encode({ a: value }, { format: 'flatbuffers', schema });
    expect(bytes).toEqual(await encoder.encode({}, { format: 'flatbuffers', schema }));
    expect(await createDecoder().decode(bytes, { format: 'flatbuffers', schema })).toEqual({ a: value });
  });

  test.each([
    ['table T { a: int', 'line 1, column 17: expected “;” but found the end'],
    ['table T {\n  a: Nothing;\n}', 'line 2, column 6: the type Nothing is not defined'],
    ['table T { a: int; a: int; }', 'line 1, column 19: T has two fields with the name a'],
    ['table T {} struct T { i: int; }', 'line 1, column 12: T is defined twice'],
    ['enum E { A }', 'expected “:” and the type of the enum'],
    ['enum E : float { A }', 'the type of an enum must be an integer'],
    ['enum E : byte { A = 128 }', 'the value 128 of A is out of range'],
    ['enum E : byte { A, B = 0 }', 'A and B of E have the same value'],
    ['enum E : ubyte (bit_flags) { A = 8 }', 'the value 8 of A is out of range'],
    ['enum E : byte { A = 1 } table T { e: E; }', 'a default is required: the enum E has no value 0'],
    ['enum E : byte { A } table T { e: E = B; }', 'line 1, column 38: unknown value B'],
    ['table T { a: byte = 300; }', 'the default 300 does not fit its type'],
    ['table T { a: ulong = 18446744073709551616; }', 'line 1, column 22: the default 18446744073709551616 does not fit its type'],
    ['table T { a: float = x; }', 'x is not a number'],
    ['table T { a: string = 5; }', 'the field cannot have this default'],
    ['table T { a: int (required); }', 'a number cannot be required'],
    ['table T { a: int (id: 1); b: int; }', 'all fields of T or none must have an id'],
    ['table T { a: int (id: 1); }', 'the ids of T must be consecutive from 0'],
    ['table T { a: [[int]]; }', 'a vector cannot hold vectors: wrap the inner one in a table'],
    ['table T { a: [int:2]; }', 'an array must be in a struct'],
    ['struct S { a: [int:0]; }', 'an array must have 1 to 65535 items, not 0'],
    ['struct S { a: string; }', 'the struct S may only have numbers, enums and structs'],
    ['struct S { a: S; }', 'the struct S contains itself'],
    ['struct S {}', 'the struct S has no fields'],
    ['struct S (force_align: 3) { a: int; }', 'invalid force_align of S: 3'],
    ['enum E : byte { A } union U { E }', 'the union U may only have tables, structs and strings'],
    ['table T { a: [ubyte] (nested_flatbuffer: "Q"); }', 'the nested buffer of Q is not defined'],
    ['include "a.fbs"; table T {}', 'line 1, column 1: the included file a.fbs is not in imports'],
    ['include "bad.fbs"; table T {}', 'bad.fbs: line 1, column 7: expected a name but found {'],
    ['table T {} root_type U;', 'the root type U is not defined'],
    ['table T {}', 'the schema has no root type: name the table, { fbs, root }'],
    ['table T {} root_type T; file_identifier "ABC";', 'a file_identifier has 4 characters'],
    [`table ${'x'.repeat(501)} {}`, 'a full name of more than 500 characters'],
    ['/* table T {}', 'line 1, column 1: unterminated comment'],
  ])('%s', async (fbs, message) => {
    const compile = async (): Promise<unknown> => flatbuffers.compileSchema!({ fbs, imports: { 'bad.fbs': 'table {' } }, 'mine');
    await expect(compile()).rejects.toMatchObject({ name: 'SchemaError', schema: 'mine', message: expect.stringContaining(message) as string });
  });

  test('a struct of structs nested too deeply, and a table that is not there', () => {
    const deep = Array.from({ length: 200 }, (_, index) => `struct S${index} { s: ${index === 199 ? 'int' : `S${index + 1}`}; }`).join('\n');
    expect(() => readFbsText(deep, {}, 'S0')).toThrow('nested more than 100 levels deep');
    expect(() => readFbsText('table T {}', {}, 'U')).toThrow('unknown table U; known tables: T');
  });
});
