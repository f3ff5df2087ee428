import { isSmall } from '../../reading/plain.ts';
import type { Format } from '../format.ts';
import { compileProtobufSchema } from './compile-schema.ts';
import { KERNEL } from './kernel.ts';
import { listForm } from './rows/list-form.ts';
import { readPlain } from './read/plain.ts';
import { ProtobufReader } from './reader.ts';
import type { ProtobufSchema } from './schema/schema.ts';
import { SchemalessReader } from './schemaless/schemaless.ts';
import type { ProtobufOptions } from './options.ts';

export type { ProtobufOptions, ProtobufSchemaInput } from './options.ts';

/**
 * Protocol Buffers (https://protobuf.dev/programming-guides/encoding): proto2, proto3 and editions. Strings must be
 * UTF-8, including those that a later occurrence replaces. In proto2 strings, and with `features.utf8_validation =
 * NONE`, replacement characters stand for invalid bytes. Tags and lengths have at most five bytes. Of a varint with
 * more than 64 bits, the lower 64 count.
 */
const protobuf: Format<ProtobufOptions, ProtobufSchema | undefined> = {
  createReader: (sink, options, limits, schema) =>
    options.schemaless ? new SchemalessReader(sink, options, limits) : new ProtobufReader(sink, options, limits, schema),

  decodePlain: (bytes, options, limits, schema, shapeOf) =>
    schema && isSmall(bytes, limits) ? readPlain(schema, options, bytes, shapeOf) : undefined,

  listForm,

  kernel: KERNEL,

  compileSchema: compileProtobufSchema,
};

export default protobuf;
