import { compileFlatBuffersSchema } from './compile-schema.ts';
import { FlatBuffersReader } from './reader.ts';
import type { FlatBuffersSchema } from './schema/schema.ts';
import type { Format } from '../../format/format.ts';
import { READ_OPTIONS, type FlatBuffersOptions } from './options.ts';

export type { FlatBuffersOptions, FlatBuffersSchemaInput } from './options.ts';

/**
 * FlatBuffers (https://flatbuffers.dev/internals). Tables and structs become plain objects with the schema's names,
 * in the order of their ids. A union consists of two fields, as in the schema: `name_type` and `name`.
 */
const flatbuffers: Format<FlatBuffersOptions, FlatBuffersSchema | undefined> = {
  options: READ_OPTIONS,
  createReader: (sink, options, limits, schema) => new FlatBuffersReader(sink, options, limits, schema),

  compileSchema: compileFlatBuffersSchema,
};

export default flatbuffers;
