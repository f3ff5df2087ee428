import { SchemaError } from '../../errors.ts';
import type { FormatWriter } from '../../writing/writer.ts';
import type { ProtobufSchema } from '../protobuf/schema/schema.ts';
import { compileMessageSchema } from './compile-schema.ts';
import type { ProtoJsonWriteOptions } from './options.ts';
import { JsonMessageWriter } from './write/json-message-writer.ts';

export type { ProtoJsonSchemaInput, ProtoJsonWriteOptions } from './options.ts';

/** Writes ProtoJSON, the JSON mapping of Protocol Buffers (https://protobuf.dev/programming-guides/json). */
const protojsonEncoder: FormatWriter<ProtoJsonWriteOptions, ProtobufSchema | undefined> = {
  id: 'protojson',
  createWriter(options, limits, schema) {
    if (schema === undefined)
      throw new SchemaError('a schema is required to write ProtoJSON: set the option schema', undefined, { format: 'protojson' });
    return new JsonMessageWriter(schema, options, limits);
  },
  compileSchema: compileMessageSchema,
};

export default protojsonEncoder;
