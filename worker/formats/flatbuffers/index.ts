import { SchemaError } from '../../errors.ts';
import { readBfbs } from './bfbs.ts';
import { FlatBuffersReader } from './reader.ts';
import type { FlatBuffersSchema } from './schema.ts';
import type { Format } from '../format.ts';
import type { FlatBuffersOptions } from './options.ts';

export type { FlatBuffersOptions, FlatBuffersSchemaInput } from './options.ts';

/**
 * FlatBuffers (https://flatbuffers.dev/internals). Tables and structs become plain objects with the schema's names, in
 * the order of their ids. A union is two fields, as in the schema: `name_type` and `name`.
 */
const flatbuffers: Format<FlatBuffersOptions, FlatBuffersSchema | undefined> = {
  createReader: (sink, options, limits, schema) => new FlatBuffersReader(sink, options, limits, schema),

  compileSchema(input, name) {
    const { bfbs, table } = (input ?? {}) as Record<string, unknown>;
    try {
      if (!(bfbs instanceof Uint8Array || bfbs instanceof ArrayBuffer) || (table !== undefined && typeof table !== 'string')) {
        throw new SchemaError('a FlatBuffers schema is { bfbs, table }');
      }
      return readBfbs(new Uint8Array(bfbs instanceof Uint8Array ? bfbs.slice() : bfbs), table);
    } catch (error) {
      const reason = error instanceof SchemaError ? error.reason : 'a name in the schema is not UTF-8';
      throw new SchemaError(reason, name, { format: 'flatbuffers' });
    }
  },
};

export default flatbuffers;
