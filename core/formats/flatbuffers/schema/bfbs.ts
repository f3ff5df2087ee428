import { SchemaError } from '../../../errors.ts';
import {
  ARRAY,
  BOOL,
  DOUBLE,
  type EnumSchema,
  type FieldSchema,
  FLOAT,
  type FlatBuffersSchema,
  isScalar,
  LONG,
  OBJ,
  type ObjectSchema,
  SIZE,
  STRING,
  ULONG,
  UNION,
  UTYPE,
  VECTOR,
  VECTOR64,
} from './schema.ts';
import { Table } from '../read/table.ts';

/** Limit on the tables of a schema. Each is read once, but a file may refer to the same table any number of times. */
const MAX_COUNT = 200_000;
/** Limit on the characters of a name. Each dot begins a scope for looking up names. */
const MAX_NAME_LENGTH = 500;

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
  const wanted = table ?? rootName;
  if (wanted === undefined) throw new SchemaError('the schema has no root type: name the table, { bfbs, table }');
  const root = indices.get(wanted) ?? -1;
  if (root < 0 || objects[root]!.struct) {
    const tables = objects.filter(({ struct }) => !struct).map(({ name }) => name);
    const few = tables.slice(0, 10).join(', ') + (tables.length > 10 ? ' …' : '');
    throw new SchemaError(`unknown table ${wanted}; known tables: ${few || 'none'}`);
  }
  return { root, identifier: wanted === rootName ? file.string(2) : '', objects, enums };
}

function take(parts: { left: number }, tables: Table[]): Table[] {
  parts.left -= tables.length;
  if (parts.left < 0) throw new SchemaError(`the schema has more than ${MAX_COUNT} parts`);
  return tables;
}

/** Fields by id. Of several with the same id, the first; `readBfbs` refuses them later. */
function fieldsById({ fields }: ObjectSchema): Map<number, FieldSchema> {
  return new Map(fields.map((field) => [field.id, field] as const).toReversed());
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

/** Refuses schemas that cannot be read safely. */
export function checkSchema({ objects, enums }: Pick<FlatBuffersSchema, 'objects' | 'enums'>): void {
  const rejectField = (object: ObjectSchema, field: FieldSchema): never => {
    throw new SchemaError(`${object.name}.${field.name} has the unsupported type ${field.type}`);
  };
  for (const object of objects) {
    if (object.name.length > MAX_NAME_LENGTH)
      throw new SchemaError(`a name of more than ${MAX_NAME_LENGTH} characters: ${object.name.slice(0, 40)}…`);
    const byId = fieldsById(object);
    if (object.struct && object.size < 1) throw new SchemaError(`the struct ${object.name} has no size`);
    for (const field of object.fields) {
      const { type, element, ref } = field;
      const isList = type === VECTOR || type === VECTOR64 || type === ARRAY;
      const item = isList ? element : type;
      const fits =
        item === OBJ
          ? objects[ref] !== undefined
          : item === UNION
            ? enums[ref]?.union && type !== ARRAY && type !== VECTOR64 && !object.struct && hasTypes(byId, field)
            : item === STRING || (isScalar(item) && (ref < 0 || enums[ref] !== undefined));
      if (!fits) rejectField(object, field);
      if (type === ARRAY && !object.struct) rejectField(object, field);
      if (!object.struct) continue;
      const size = sizeIn(objects, field);
      if (size === 0 || field.offset + size > object.size) rejectField(object, field);
    }
  }
  for (const { name, union, types, refs } of enums) {
    if (!union) continue;
    if (types.some((type, index) => type !== 0 && type !== STRING && !(type === OBJ && objects[refs[index]!]))) {
      throw new SchemaError(`the union ${name} has a member of an unsupported type`);
    }
  }
  // A struct that contains itself would be endless.
  const checked = new Set<ObjectSchema>();
  const visit = (object: ObjectSchema, parents: readonly ObjectSchema[]): void => {
    if (!object.struct || checked.has(object)) return;
    if (parents.includes(object) || parents.length > 100) throw new SchemaError(`the struct ${object.name} contains itself`);
    for (const { type, element, ref } of object.fields) {
      if (type === OBJ || (type === ARRAY && element === OBJ)) visit(objects[ref]!, [...parents, object]);
    }
    checked.add(object);
  };
  for (const object of objects) visit(object, []);
}

/** Size of a struct's field; 0 if the type is not allowed in a struct. */
function sizeIn(objects: readonly ObjectSchema[], { type, element, ref, length }: FieldSchema): number {
  const item = type === ARRAY ? element : type;
  const size = item === OBJ ? (objects[ref]!.struct ? objects[ref]!.size : 0) : SIZE[item]!;
  return Math.max(0, type === ARRAY ? size * length : size);
}

/** True if the field before a union has its type, or the types of a vector's items. */
function hasTypes(byId: ReadonlyMap<number, FieldSchema>, { id, type }: FieldSchema): boolean {
  const types = byId.get(id - 1);
  return type === UNION ? types?.type === UTYPE : types?.type === VECTOR && types.element === UTYPE;
}
