import type { Format } from '../../format/format.ts';
import type { ProtobufSchema } from '../protobuf/schema/schema.ts';
import { compileMessageSchema } from './compile-schema.ts';
import { READ_OPTIONS, type ProtoJsonOptions } from './options.ts';
import { ProtoJsonReader } from './reader.ts';

export type { ProtoJsonOptions, ProtoJsonSchemaInput } from './options.ts';

/**
 * ProtoJSON, the JSON mapping of Protocol Buffers (https://protobuf.dev/programming-guides/json): reads JSON by a schema, to the values
 * that Protocol Buffers give.
 */
const protojson: Format<ProtoJsonOptions, ProtobufSchema | undefined> = {
  options: READ_OPTIONS,
  createReader: (sink, options, limits, schema) => new ProtoJsonReader(sink, options, limits, schema),
  compileSchema: compileMessageSchema,
};

export default protojson;
