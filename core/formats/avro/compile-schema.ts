import { SchemaError } from '../../errors.ts';
import { fingerprintOf } from './schema/fingerprint.ts';
import type { AvroSchemaInput, AvroSchemaJson } from './options.ts';
import { parseSchema } from './schema/parse.ts';
import type { AvroSchema } from './schema/schema.ts';

/** Compiles the user's schema. Throws a SchemaError that carries `name`. */
export function compileAvroSchema(input: AvroSchemaInput, name?: string): AvroSchema {
  try {
    return compile(input);
  } catch (error) {
    throw error instanceof SchemaError && error.schema === undefined ? new SchemaError(error.reason, name, { format: 'avro' }) : error;
  }
}

function compile(input: AvroSchemaInput): AvroSchema {
  if (typeof input !== 'object' || input === null || Array.isArray(input) || 'type' in input) {
    const writerSchema = parseSchema(input);
    return { writerSchema, readerSchema: undefined, registered: { [fingerprintOf(writerSchema)]: writerSchema } };
  }
  const { writer, reader, registered = [] } = input as Exclude<AvroSchemaInput, AvroSchemaJson>;
  if (writer === undefined && reader === undefined && registered.length === 0) {
    throw new SchemaError('invalid Avro schema: expected JSON, or { writer, reader, registered } with at least one of them');
  }
  const all = [writer, reader, ...registered].map((json) => (json === undefined ? undefined : parseSchema(json)));
  const prints: Record<string, NonNullable<AvroSchema['writerSchema']>> = {};
  for (const types of all) if (types) prints[fingerprintOf(types)] ??= types;
  return { writerSchema: all[0], readerSchema: all[1], registered: prints };
}
