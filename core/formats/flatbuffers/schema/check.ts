import { SchemaError } from '../../../errors.ts';
import { unknownType } from '../../../format/unknown-type.ts';
import {
  ARRAY,
  type FieldSchema,
  type FlatBuffersSchema,
  isScalar,
  OBJ,
  type ObjectSchema,
  SIZE,
  STRING,
  UNION,
  UTYPE,
  VECTOR,
  VECTOR64,
} from './schema.ts';

/** Limit on the characters of a name. Each dot begins a scope for looking up names. */
export const MAX_NAME_LENGTH = 500;

/** The payload's table: the wanted one, or the file's root type, for which payloads may have an identifier. */
export function findRoot(
  objects: readonly ObjectSchema[],
  table: string | undefined,
  rootName: string | undefined,
  identifier: string,
  form: string,
): Pick<FlatBuffersSchema, 'root' | 'identifier'> {
  const wanted = table ?? rootName;
  if (wanted === undefined) throw new SchemaError(`the schema has no root type: name the table, ${form}`);
  const root = objects.findIndex(({ name }) => name === wanted);
  if (root < 0 || objects[root]!.struct) {
    const tables = objects.filter(({ struct }) => !struct).map(({ name }) => name);
    throw unknownType('table', wanted, tables);
  }
  return { root, identifier: wanted === rootName ? identifier : '' };
}

/** Fields by id. Of several with the same id, the first; `readBfbs` refuses them later. */
export function fieldsById({ fields }: ObjectSchema): Map<number, FieldSchema> {
  return new Map(fields.map((field) => [field.id, field] as const).toReversed());
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
