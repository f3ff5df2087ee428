import { SchemaError } from '../../../errors.ts';
import { checkSchema, fieldsById, findRoot, MAX_NAME_LENGTH } from './check.ts';
import { BOOL, DOUBLE, type EnumSchema, type FieldSchema, FLOAT, type FlatBuffersSchema, LONG, type ObjectSchema, ULONG } from './schema.ts';
import { Table } from '../read/table.ts';

/** Limit on the tables of a schema. Each is read once, but a file may refer to the same table any number of times. */
const MAX_COUNT = 200_000;

/**
 * Reads a schema from a .bfbs, a FlatBuffer of reflection.fbs (https://flatbuffers.dev/schema). The numbers below are
 * the ids of its fields. Without a table's name, the payload is the file's root type.
 */
export function readBfbs(bytes: Uint8Array, table: string | undefined): FlatBuffersSchema {
  // file_identifier "BFBS"
  if (bytes.length < 8 || String.fromCharCode(...bytes.subarray(4, 8)) !== 'BFBS') {
    throw new SchemaError('the schema is not a .bfbs file (flatc --schema --binary)');
  }
  const file = Table.root(bytes);
  const parts = { left: MAX_COUNT };
  // table Schema { objects, enums, file_ident, file_ext, root_table }
  const objectTables = take(parts, file.tables(0));
  const enums = take(parts, file.tables(1)).map((item) => readEnum(item, parts));
  const objects = objectTables.map((item) => readObject(item, parts));
  const indices = new Map(objects.map(({ name }, index) => [name, index] as const).toReversed());
  checkSchema({ objects, enums });
  for (const [index, object] of objects.entries()) {
    const fields = take(parts, objectTables[index]!.tables(1));
    const byId = fieldsById(object);
    for (const field of fields) nest(object, byId.get(field.uint16(2))!, field, indices, parts);
    object.fields.sort((a, b) => a.id - b.id);
    if (object.fields.some(({ id }, at) => at > 0 && object.fields[at - 1]!.id === id)) {
      throw new SchemaError(`${object.name} has two fields with the same id`);
    }
  }

  const rootName = file.table(4)?.string(0);
  return { ...findRoot(objects, table, rootName, file.string(2), '{ bfbs, table }'), objects, enums };
}

function take(parts: { left: number }, tables: Table[]): Table[] {
  parts.left -= tables.length;
  if (parts.left < 0) throw new SchemaError(`the schema has more than ${MAX_COUNT} parts`);
  return tables;
}

/** table KeyValue { key, value } */
function attribute(attributes: Table[], key: string): string | undefined {
  return attributes.find((item) => item.string(0) === key)?.string(1);
}

/** table Enum { name, values, is_union, underlying_type, attributes } of EnumVal { name, value, object, union_type } */
function readEnum(table: Table, parts: { left: number }): EnumSchema {
  const values = take(parts, table.tables(1));
  const types = values.map((value) => value.table(3));
  return {
    name: table.string(0),
    union: table.boolean(2),
    flags: attribute(take(parts, table.tables(4)), 'bit_flags') !== undefined,
    names: values.map((value) => value.string(0)),
    values: values.map((value) => value.int64(1)),
    types: types.map((type) => type?.int8(0) ?? 0),
    refs: types.map((type) => type?.int32(2, -1) ?? -1),
  };
}

/** table Object { name, fields, is_struct, minalign, bytesize } */
function readObject(table: Table, parts: { left: number }): ObjectSchema {
  const name = table.string(0);
  const fields = take(parts, table.tables(1)).map((field) => readField(field, name));
  return { name, struct: table.boolean(2), size: table.int32(4), fields };
}

/**
 * table Field { name, type, id, offset, default_integer, default_real, deprecated, required, key, attributes,
 * documentation, optional, padding, offset64 } with Type { base_type, element, index, fixed_length }
 */
function readField(table: Table, object: string): FieldSchema {
  const name = table.string(0);
  const type = table.table(1);
  if (!type) throw new SchemaError(`${object}.${name} has no type`);
  const base = type.int8(0);
  return {
    name,
    id: table.uint16(2),
    type: base,
    element: type.int8(1),
    ref: type.int32(2, -1),
    length: type.uint16(3),
    offset: table.uint16(3),
    default: defaultOf(table, base),
    optional: table.boolean(11),
    required: table.boolean(7),
    key: table.boolean(8),
    deprecated: table.boolean(6),
    far: table.boolean(13),
    nested: -1,
  };
}

function defaultOf(table: Table, base: number): number | bigint {
  if (base === FLOAT || base === DOUBLE) return table.double(5);
  const value = table.int64(4);
  if (base === LONG) return value;
  if (base === ULONG) return BigInt.asUintN(64, value);
  if (base === BOOL) return value === 0n ? 0 : 1;
  return Number(value);
}

/** Resolves the type named by `nested_flatbuffer`, from the object's namespace outwards. */
function nest(object: ObjectSchema, field: FieldSchema, table: Table, indices: ReadonlyMap<string, number>, parts: { left: number }): void {
  const name = attribute(take(parts, table.tables(9)), 'nested_flatbuffer');
  if (name === undefined) return;
  const path = object.name.split('.');
  while (field.nested < 0 && path.length > 0 && name.length <= MAX_NAME_LENGTH) {
    path.pop();
    field.nested = indices.get([...path, name].join('.')) ?? -1;
  }
  if (field.nested < 0) throw new SchemaError(`${object.name}.${field.name} holds a buffer of ${name.slice(0, 100)}, which is not defined`);
}
