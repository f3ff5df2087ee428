import { SchemaError } from '../../errors.ts';
import { fingerprintOf } from './schema/fingerprint.ts';
import type { AvroSchemaInput, AvroSchemaSource } from './options.ts';
import { parseSchema } from './schema/parse.ts';
import { withReferences } from './schema/references.ts';
import type { AvroSchema, AvroTypes } from './schema/schema.ts';

/** Compiles the user's schema. Throws a SchemaError that carries `name`. */
export function compileAvroSchema(input: AvroSchemaInput, name?: string): AvroSchema {
  try {
    return compile(input);
  } catch (error) {
    throw error instanceof SchemaError && error.schema === undefined ? new SchemaError(error.reason, name, { format: 'avro' }) : error;
  }
}

function compile(input: AvroSchemaInput): AvroSchema {
  if (typeof input !== 'object' || input === null || Array.isArray(input) || 'type' in input || 'references' in input) {
    const writerSchema = parseSource(input as AvroSchemaSource);
    return { writerSchema, readerSchema: undefined, registered: { [fingerprintOf(writerSchema)]: writerSchema } };
  }
  const { writer, reader, registered = [] } = input as Exclude<AvroSchemaInput, AvroSchemaSource>;
  if (writer === undefined && reader === undefined && registered.length === 0) {
    throw new SchemaError('invalid Avro schema: expected JSON, { schema, references }, or { writer, reader, registered } with at least one of them');
  }
  const all = [writer, reader, ...registered].map((json) => (json === undefined ? undefined : parseSource(json)));
  const prints: Record<string, NonNullable<AvroSchema['writerSchema']>> = {};
  for (const types of all) if (types) prints[fingerprintOf(types)] ??= types;
  return { writerSchema: all[0], readerSchema: all[1], registered: prints };
}

function parseSource(source: AvroSchemaSource): AvroTypes {
  const isSingle = typeof source !== 'object' || source === null || 'type' in source || !('references' in source);
  return parseSchema(isSingle ? source : withReferences(source.schema, source.references));
}
