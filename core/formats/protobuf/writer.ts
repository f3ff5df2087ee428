import { SchemaError } from '../../errors.ts';
import type { FormatWriter } from '../../writing/writer.ts';
import { compileProtobufSchema } from './compile-schema.ts';
import { MessageWriter } from './write/message-writer.ts';
import type { ProtobufWriteOptions } from './options.ts';
import type { ProtobufSchema } from './schema/schema.ts';
import { writePlanFor } from './write/plan.ts';

export type { ProtobufSchemaInput, ProtobufWriteOptions } from './options.ts';

/** Writes Protocol Buffers (https://protobuf.dev/programming-guides/encoding): proto2, proto3 and editions. */
const protobufEncoder: FormatWriter<ProtobufWriteOptions, ProtobufSchema | undefined> = {
  id: 'protobuf',
  createWriter(options, limits, schema) {
    if (schema === undefined)
      throw new SchemaError('a schema is required to write Protocol Buffers: set the option schema', undefined, { format: 'protobuf' });
    return new MessageWriter(writePlanFor(schema, options), options, limits);
  },
  compileSchema: compileProtobufSchema,
};

export default protobufEncoder;
