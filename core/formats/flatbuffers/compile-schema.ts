import { bytesIn } from '../../bytes/bytes-in.ts';
import { SchemaError } from '../../errors.ts';
import { readBfbs } from './schema/bfbs.ts';
import type { FlatBuffersSchema } from './schema/schema.ts';

/** Compiles the user's schema. Throws a SchemaError that carries `name`. */
export function compileFlatBuffersSchema(input: unknown, name?: string): FlatBuffersSchema {
  const { bfbs, table } = (input ?? {}) as Record<string, unknown>;
  const bytes = bytesIn(bfbs);
  try {
    if (!bytes || (table !== undefined && typeof table !== 'string')) {
      throw new SchemaError('invalid FlatBuffers schema: expected { bfbs, table }');
    }
    return readBfbs(bytes.slice(), table);
  } catch (error) {
    const reason = error instanceof SchemaError ? error.reason : 'a name in the schema is not UTF-8';
    throw new SchemaError(reason, name, { format: 'flatbuffers' });
  }
}
