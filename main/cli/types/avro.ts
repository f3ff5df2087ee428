import { SchemaError } from '../../../core/errors.ts';
import { parseSchema } from '../../../core/formats/avro/schema/parse.ts';
import {
  ARRAY,
  BOOLEAN,
  BYTES,
  DATE,
  DECIMAL,
  DURATION,
  ENUM,
  FIXED,
  isAmbiguous,
  isNamed,
  LONG,
  MAP,
  NANOS,
  NULL,
  RECORD,
  STRING,
  TIME,
  UNION,
  UUID,
} from '../../../core/formats/avro/schema/schema.ts';
import { Declarations, listType, objectType, quoted, unionType } from './declarations.ts';
import type { SchemaFile } from '../schema-file.ts';

/** Types of an Avro schema, or of one of its named types. A schema that has no name of its own is named after its file. */
export function avroTypes({ content, name: fileName }: SchemaFile, chosen: string | undefined): string {
  if (typeof content !== 'string') throw new SchemaError('an Avro schema is JSON');
  const schema = parseSchema(parseJson(content));
  const { types } = schema;
  const named = types.filter(({ kind }) => isNamed(kind) && kind !== FIXED).map(({ name }) => name);
  if (chosen !== undefined && !named.includes(chosen)) throw new SchemaError(`no type named ${chosen}; the schema has ${named.join(', ') || 'none'}`);
  const root = chosen === undefined ? schema.root : types.findIndex(({ kind, name }) => isNamed(kind) && name === chosen);
  const isNamedFile = named.some((name) => name.split('.').at(-1)!.toLowerCase() === fileName.toLowerCase());
  const rootName = named.includes(types[root]!.name) ? types[root]!.name : `${fileName}${isNamedFile ? 'Root' : ''}`;
  const declarations = new Declarations([...named, rootName]);
  const typeOf = (index: number): string => {
    const { kind, logical, name, fields, symbols, items, branches } = types[index]!;
    if (logical === DECIMAL || logical === UUID) return 'string';
    if (logical === DURATION) return '{ months: number; days: number; milliseconds: number }';
    if (logical >= DATE && logical <= NANOS && logical !== TIME) return 'Date';
    switch (kind) {
      case NULL:
        return 'null';
      case BOOLEAN:
        return 'boolean';
      case LONG:
        return 'number | bigint';
      case BYTES:
      case FIXED:
        return 'Uint8Array';
      case STRING:
        return 'string';
      case RECORD:
        declarations.object(name, () => fields.map((field) => ({ name: field.name, type: typeOf(field.type) })));
        return declarations.name(name);
      case ENUM:
        declarations.alias(name, () => unionType(symbols.map(quoted)));
        return declarations.name(name);
      case ARRAY:
        return listType(typeOf(items));
      case MAP:
        return `Record<string, ${typeOf(items)}>`;
      case UNION: {
        const isWrapped = isAmbiguous(schema, index);
        return unionType(
          branches.map((branch) => {
            const type = typeOf(branch);
            return isWrapped && types[branch]!.kind !== NULL ? objectType([{ name: types[branch]!.name, type }]) : type;
          }),
        );
      }
      default:
        return 'number';
    }
  };
  const type = typeOf(root);
  // A type with a name of its own is declared by now.
  declarations.alias(rootName, () => type);
  return declarations.text;
}

function parseJson(text: string): Parameters<typeof parseSchema>[0] {
  try {
    return JSON.parse(text) as Parameters<typeof parseSchema>[0];
  } catch (error) {
    throw new SchemaError(`the schema is not JSON: ${(error as Error).message}`);
  }
}
