import * as t from '../../../../../core/formats/flatbuffers/schema/schema.ts';
import type { FieldSchema, FlatBuffersSchema, ObjectSchema } from '../../../../../core/formats/flatbuffers/schema/schema.ts';
import { encode, type Value } from './encode.ts';

/** One field, with common values for missing properties. */
export function field(name: string, id: number, type: number, more: Partial<FieldSchema> = {}): FieldSchema {
  return { ...t.NO_FIELD, name, id, type, default: type === t.LONG || type === t.ULONG ? 0n : 0, ...more };
}

const list = (name: string, id: number, ref: number): FieldSchema => field(name, id, t.VECTOR, { element: t.OBJ, ref });
const text = (name: string, id: number): FieldSchema => field(name, id, t.STRING);
const table = (name: string, fields: FieldSchema[]): ObjectSchema => ({ name, struct: false, size: 0, fields });

/** The parts of reflection.fbs that schema readers need. */
const REFLECTION: FlatBuffersSchema = {
  root: 0,
  identifier: 'BFBS',
  enums: [],
  objects: [
    table('Schema', [list('objects', 0, 1), list('enums', 1, 3), text('file_ident', 2), field('root_table', 4, t.OBJ, { ref: 1 })]),
    table('Object', [text('name', 0), list('fields', 1, 2), field('is_struct', 2, t.BOOL), field('minalign', 3, t.INT), field('bytesize', 4, t.INT)]),
    table('Field', [
      text('name', 0),
      field('type', 1, t.OBJ, { ref: 5 }),
      field('id', 2, t.USHORT),
      field('offset', 3, t.USHORT),
      field('default_integer', 4, t.LONG),
      field('default_real', 5, t.DOUBLE),
      field('deprecated', 6, t.BOOL),
      field('required', 7, t.BOOL),
      field('key', 8, t.BOOL),
      list('attributes', 9, 6),
      field('optional', 11, t.BOOL),
      field('offset64', 13, t.BOOL),
    ]),
    table('Enum', [
      text('name', 0),
      list('values', 1, 4),
      field('is_union', 2, t.BOOL),
      field('underlying_type', 3, t.OBJ, { ref: 5 }),
      list('attributes', 4, 6),
    ]),
    table('EnumVal', [text('name', 0), field('value', 1, t.LONG), field('union_type', 3, t.OBJ, { ref: 5 })]),
    table('Type', [
      field('base_type', 0, t.BYTE),
      field('element', 1, t.BYTE),
      field('index', 2, t.INT, { default: -1 }),
      field('fixed_length', 3, t.USHORT),
    ]),
    table('KeyValue', [text('key', 0), text('value', 1)]),
  ],
};

/** Writes a schema as a .bfbs, like flatc. */
export function bfbsOf(schema: FlatBuffersSchema): Uint8Array<ArrayBuffer> {
  const typeOf = ({ type, element, ref, length }: FieldSchema): Value => ({ base_type: type, element, index: ref, fixed_length: length });
  const objects = schema.objects.map(({ name, struct, size, fields }) => ({
    name,
    // flatc sorts fields by name.
    fields: fields
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map((item) => ({
        name: item.name,
        type: typeOf(item),
        id: item.id,
        offset: item.offset,
        ...(item.type === t.FLOAT || item.type === t.DOUBLE
          ? { default_real: item.default }
          : { default_integer: BigInt.asIntN(64, BigInt(item.default)) }),
        deprecated: item.deprecated,
        required: item.required,
        key: item.key,
        optional: item.optional,
        offset64: item.far,
        ...(item.nested >= 0 ? { attributes: [{ key: 'nested_flatbuffer', value: schema.objects[item.nested]!.name.split('.').at(-1) }] } : {}),
      })),
    is_struct: struct,
    bytesize: size,
  }));
  const enums = schema.enums.map(({ name, union, flags, names, values, types, refs }) => ({
    name,
    values: values.map((value, index) => ({
      name: names[index],
      value,
      ...(union ? { union_type: { base_type: types[index], index: refs[index] } } : {}),
    })),
    is_union: union,
    underlying_type: {},
    ...(flags ? { attributes: [{ key: 'bit_flags', value: '0' }] } : {}),
  }));
  return encode(
    REFLECTION,
    { objects, enums, file_ident: schema.identifier, root_table: objects[schema.root] },
    { identifier: 'BFBS', shared: true },
  );
}
