import { SchemaError } from '../../../core/errors.ts';
import { compileCapnProtoSchema } from '../../../core/formats/capnproto/compile-schema.ts';
import {
  ANY_POINTER,
  BOOL,
  type CapnProtoSchema,
  DATA,
  ENUM,
  type FieldSchema,
  GROUP,
  INT64,
  INTERFACE,
  LIST,
  NO_UNION,
  STRUCT,
  TEXT,
  UINT64,
  VOID,
} from '../../../core/formats/capnproto/schema/schema.ts';
import { Declarations, listType } from './declarations.ts';
import type { SchemaFile } from '../schema-file.ts';

/** Types of a struct of a `.capnp` text or a CodeGeneratorRequest, and those it uses. */
export async function capnProtoTypes({ content, imports }: SchemaFile, struct: string | undefined): Promise<string> {
  if (struct === undefined) throw new SchemaError('a Cap’n Proto schema needs the name of a struct: --type Name');
  return write(await compileCapnProtoSchema(typeof content === 'string' ? { capnp: content, imports, struct } : { request: content, struct }));
}

function write({ root, types, structs, enums }: CapnProtoSchema): string {
  // Structs of generic types may share their names.
  const nameOf = (index: number): string => {
    const { name } = structs[index]!;
    const earlier = structs.slice(0, index).filter((other) => other.name === name).length;
    return dotted(earlier === 0 ? name : `${name}.${earlier + 1}`);
  };
  const declarations = new Declarations([...structs.map((_, index) => nameOf(index)), ...enums.map(({ name }) => dotted(name))]);
  const struct = (index: number): string => {
    declarations.object(nameOf(index), () =>
      structs[index]!.fields.map((field) => ({ name: field.name, type: fieldType(field), isOptional: !isAlwaysPresent(field) })),
    );
    return declarations.name(nameOf(index));
  };
  /** A member of a union that is set is there even if it is a null pointer. */
  const fieldType = ({ type, discriminant, at }: FieldSchema): string =>
    types[type]!.type === STRUCT && discriminant !== NO_UNION && at < 0 ? `${typeOf(type)} | null` : typeOf(type);
  const typeOf = (index: number): string => {
    const { type, ref } = types[index]!;
    switch (type) {
      case VOID:
      case INTERFACE:
        return 'null';
      case BOOL:
        return 'boolean';
      case INT64:
      case UINT64:
        return 'number | bigint';
      case TEXT:
        return 'string';
      case DATA:
        return 'Uint8Array';
      case LIST:
        return listType(typeOf(ref));
      case ENUM: {
        const { name, names } = enums[ref]!;
        declarations.numbers(
          dotted(name),
          names.map((each, value) => [each, value]),
          'number',
        );
        return declarations.name(dotted(name));
      }
      case STRUCT:
      case GROUP:
        return struct(ref);
      case ANY_POINTER:
        return 'unknown';
      default:
        return 'number';
    }
  };
  /** True for fields that every message has: members of a union are there if they are set, structs if they are or have a default. */
  const isAlwaysPresent = ({ type, discriminant, at }: FieldSchema): boolean => {
    if (discriminant !== NO_UNION) return false;
    const kind = types[type]!.type;
    return kind === STRUCT ? at >= 0 : kind !== INTERFACE && kind !== ANY_POINTER;
  };
  struct(root);
  return declarations.text;
}

/** A name without its file, as in `trips.capnp:Trip.Stop`. */
function dotted(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1);
}
