import { SchemaError } from '../../../core/errors.ts';
import { readBinarySchema } from '../../../core/formats/bebop/schema/binary-schema.ts';
import {
  ARRAY,
  type BebopSchema,
  BOOL,
  BYTES,
  DATE,
  ENUM,
  GUID,
  INT64,
  MAP,
  MESSAGE,
  STRING,
  STRUCT,
  UINT64,
  UNION,
} from '../../../core/formats/bebop/schema/schema.ts';
import { readTextSchema } from '../../../core/formats/bebop/schema/text-schema.ts';
import { Declarations, listType, objectType, unionType } from './declarations.ts';
import { withoutComments, type SchemaFile } from '../schema-file.ts';

/** Types of the records of a `.bop`: of one and those it uses, or of all. */
export function bebopTypes({ content, imports }: SchemaFile, root: string | undefined): string {
  if (typeof content !== 'string') {
    if (root === undefined) throw new SchemaError('a binary schema needs the name of a record: --type Name');
    const schema = readBinarySchema(content, root);
    return write(schema, [schema.root]);
  }
  if (root !== undefined) {
    const schema = readTextSchema(content, imports, root);
    return write(schema, [schema.root]);
  }
  const first = /\b(?:struct|message|union)\s+(\w+)/.exec([content, ...Object.values(imports)].map(withoutComments).join('\n'))?.[1];
  if (first === undefined) throw new SchemaError('the schema has no records');
  const schema = readTextSchema(content, imports, first);
  return write(
    schema,
    schema.types.flatMap(({ kind }, index) => (kind === STRUCT || kind === MESSAGE || kind === UNION ? [index] : [])),
  );
}

function write({ types, records, unions, enums }: BebopSchema, roots: readonly number[]): string {
  const declarations = new Declarations([...records, ...unions, ...enums].map(({ name }) => name));
  const typeOf = (index: number): string => {
    const { kind, ref, key } = types[index]!;
    if (kind === STRUCT || kind === MESSAGE) {
      const { name, fields } = records[ref]!;
      declarations.object(name, () => fields.map((field) => ({ name: field.name, type: typeOf(field.type), isOptional: kind === MESSAGE })));
      return declarations.name(name);
    }
    if (kind === UNION) {
      const { name, branches } = unions[ref]!;
      declarations.alias(name, () =>
        unionType(
          branches.map(({ discriminator, type }) =>
            objectType([
              { name: 'discriminator', type: String(discriminator) },
              { name: 'value', type: typeOf(type) },
            ]),
          ),
        ),
      );
      return declarations.name(name);
    }
    if (kind === ENUM) {
      const { name, base, names, values } = enums[ref]!;
      declarations.numbers(
        name,
        names.map((each, at) => [each, values[at]!]),
        base === INT64 || base === UINT64 ? 'number | bigint' : 'number',
      );
      return declarations.name(name);
    }
    if (kind === ARRAY) return listType(typeOf(ref));
    if (kind === MAP) return `Map<${typeOf(key)}, ${typeOf(ref)}>`;
    if (kind === BOOL) return 'boolean';
    if (kind === STRING || kind === GUID) return 'string';
    if (kind === DATE) return 'Date';
    if (kind === BYTES) return 'Uint8Array';
    return kind === INT64 || kind === UINT64 ? 'number | bigint' : 'number';
  };
  for (const root of roots) typeOf(root);
  return declarations.text;
}
