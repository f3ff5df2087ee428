import { SchemaError } from '../../errors.ts';
import type { FormatWriter } from '../../writing/writer.ts';
import { BufferWriter } from './write/buffer-writer.ts';
import { compileFlatBuffersSchema } from './compile-schema.ts';
import type { FlatBuffersWriteOptions } from './options.ts';
import type { FlatBuffersSchema } from './schema/schema.ts';
import { writePlanFor } from './write/plan.ts';

export type { FlatBuffersSchemaInput, FlatBuffersWriteOptions } from './options.ts';

/** Writes FlatBuffers (https://flatbuffers.dev/internals). */
const flatbuffersEncoder: FormatWriter<FlatBuffersWriteOptions, FlatBuffersSchema | undefined> = {
  id: 'flatbuffers',
  createWriter({ identifier = 'write', sizePrefixed = false, sequence = false, extraKeys = 'error' }, limits, schema) {
    if (schema === undefined)
      throw new SchemaError('a schema is required to write FlatBuffers: set the option schema', undefined, { format: 'flatbuffers' });
    return new BufferWriter(
      writePlanFor(schema),
      { identifier: identifier === 'write' ? schema.identifier : '', sizePrefixed, sequence, extraKeys },
      limits,
    );
  },
  compileSchema: compileFlatBuffersSchema,
};

export default flatbuffersEncoder;
