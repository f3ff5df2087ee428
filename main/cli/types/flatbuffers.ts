import { compileFlatBuffersSchema } from '../../../core/formats/flatbuffers/compile-schema.ts';
import {
  ARRAY,
  BOOL,
  type FieldSchema,
  type FlatBuffersSchema,
  isScalar,
  LONG,
  OBJ,
  STRING,
  ULONG,
  UNION,
  UTYPE,
  VECTOR,
  VECTOR64,
} from '../../../core/formats/flatbuffers/schema/schema.ts';
import { Declarations, listType, unionType } from './declarations.ts';
import type { SchemaFile } from '../schema-file.ts';

/** Types of an `.fbs` or of a binary FlatBuffers schema: of a table and those it uses. */
export async function flatBuffersTypes({ content, imports }: SchemaFile, table: string | undefined): Promise<string> {
  return write(await compileFlatBuffersSchema(typeof content === 'string' ? { fbs: content, root: table, imports } : { bfbs: content, table }));
}

function write({ root, objects, enums }: FlatBuffersSchema): string {
  const declarations = new Declarations([...objects, ...enums.filter(({ union }) => !union)].map(({ name }) => name));
  const object = (index: number): string => {
    const { name, struct, fields } = objects[index]!;
    declarations.object(name, () =>
      fields.map((field) => ({ name: field.name, type: typeOf(field, field.type), isOptional: !struct && !isAlwaysPresent(field) })),
    );
    return declarations.name(name);
  };
  const members = ({ ref }: FieldSchema): string[] => {
    const { values, types, refs } = enums[ref]!;
    return values.flatMap((value, index) => (value === 0n ? [] : [types[index] === STRING ? 'string' : object(refs[index]!)]));
  };
  const typeOf = (field: FieldSchema, type: number): string => {
    const { element, ref, nested } = field;
    if (type === VECTOR && nested >= 0) return object(nested);
    if (type === VECTOR || type === VECTOR64 || type === ARRAY) {
      // An item of a vector of unions may be none of them.
      return listType(element === UNION ? unionType([...members(field), 'null']) : typeOf(field, element));
    }
    if (type === UNION) return unionType(members(field));
    if (type === OBJ) return object(ref);
    if (type === STRING) return 'string';
    if (type === BOOL) return 'boolean';
    if (ref >= 0 && type !== UTYPE) {
      const { name, names, values } = enums[ref]!;
      declarations.numbers(
        name,
        names.map((each, index) => [each, values[index]!]),
        type === LONG || type === ULONG ? 'number | bigint' : 'number',
      );
      return declarations.name(name);
    }
    return type === LONG || type === ULONG ? 'number | bigint' : 'number';
  };
  object(root);
  return declarations.text;
}

/** True for fields of a table that are decoded although the buffer lacks them, or that no buffer lacks. */
function isAlwaysPresent({ type, optional, required, deprecated }: FieldSchema): boolean {
  return required || (isScalar(type) && !optional && !deprecated);
}
