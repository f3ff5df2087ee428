import { SchemaError } from '../../errors.ts';
import { isSmall } from '../plain.ts';
import { loadCodecs } from './codecs.ts';
import { MAGIC, readHeader, startsAsContainer } from './container.ts';
import { fingerprintOf } from './fingerprint.ts';
import { parseSchema } from './parse.ts';
import { plainReaderFor } from './plans.ts';
import { AvroReader } from './reader.ts';
import type { AvroSchema } from './schema.ts';
import type { Format } from '../format.ts';
import type { AvroOptions, AvroSchemaJson, AvroSchemaInput } from './options.ts';

export type { AvroOptions, AvroSchemaJson, AvroSchemaInput } from './options.ts';

/** Avro (https://avro.apache.org/docs/1.12.0/specification/): plain data, single objects and object container files. */
const avro: Format<AvroOptions, AvroSchema | undefined> = {
  createReader: (sink, options, limits, schema) => new AvroReader(sink, options, limits, schema),

  compileSchema(input, name) {
    try {
      return compile(input as AvroSchemaInput);
    } catch (error) {
      throw error instanceof SchemaError && error.schema === undefined ? new SchemaError(error.reason, name, { format: 'avro' }) : error;
    }
  },

  decodePlain(bytes, options, limits, schema, shapeOf) {
    // What may begin a container or a single object is left to the reader.
    if (!schema || bytes[0] === MAGIC[0] || bytes[0] === 0xc3 || !isSmall(bytes, limits)) return undefined;
    return plainReaderFor(schema, options)?.read(bytes, shapeOf);
  },

  cutting: () => import('./cut.ts'),

  /** Loads the codec that a container names; all of them where the head does not reach so far. */
  prepare(head) {
    if (head.length < MAGIC.length || !startsAsContainer(head, 0, head.length)) return undefined;
    try {
      const header = readHeader(head, 0, head.length, 0, head.length);
      return loadCodecs('needed' in header ? undefined : header.codec);
    } catch {
      // The reader will say what is wrong.
      return undefined;
    }
  },
};

function compile(input: AvroSchemaInput): AvroSchema {
  if (typeof input !== 'object' || input === null || Array.isArray(input) || 'type' in input) {
    const writerSchema = parseSchema(input);
    return { writerSchema, readerSchema: undefined, registered: { [fingerprintOf(writerSchema)]: writerSchema } };
  }
  const { writer, reader, registered = [] } = input as Exclude<AvroSchemaInput, AvroSchemaJson>;
  if (writer === undefined && reader === undefined && registered.length === 0) {
    throw new SchemaError('an Avro schema is its JSON, or { writer, reader, registered } of which one at least is given');
  }
  const all = [writer, reader, ...registered].map((json) => (json === undefined ? undefined : parseSchema(json)));
  const prints: Record<string, NonNullable<AvroSchema['writerSchema']>> = {};
  for (const types of all) if (types) prints[fingerprintOf(types)] ??= types;
  return { writerSchema: all[0], readerSchema: all[1], registered: prints };
}

export default avro;
