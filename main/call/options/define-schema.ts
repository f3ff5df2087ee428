import type { FormatSchemas } from '../../../core/formats/registry.ts';
import type { AvroValue } from './avro-value.ts';
import type { JsBinaryValue } from './js-binary-value.ts';
import type { SchemaDefinition, TypedSchema } from './options.ts';

/**
 * Gives a schema the type of its values, so that `decode` and `response.decode` return it, and its format, so that they
 * need no `format`. The types of an Avro schema and of a js-binary type are read from the literal; for other formats, name
 * the type. Create a schema once: it is compiled once for each decoder.
 *
 * @example
 * const trips = defineSchema<{ trips: Trip[] }>({ format: 'protobuf', schema: { proto, message: 'Trips' } });
 * const { trips: list } = await decoder.decode(buffer, { schema: trips, as: 'rows' }); // Rows<Trip>
 */
export function defineSchema<const F extends 'avro', const S extends FormatSchemas['avro']>(definition: {
  format: F;
  schema: S;
}): TypedSchema<AvroValue<S>, 'avro'>;
export function defineSchema<const F extends 'jsbinary', const S extends FormatSchemas['jsbinary']>(definition: {
  format: F;
  schema: S;
}): TypedSchema<JsBinaryValue<S>, 'jsbinary'>;
export function defineSchema<T>(definition: SchemaDefinition): TypedSchema<T>;
export function defineSchema(definition: SchemaDefinition): TypedSchema {
  return definition;
}
