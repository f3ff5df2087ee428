import { bytesIn } from '../../bytes/bytes-in.ts';
import { SchemaError } from '../../errors.ts';
import { readRequest } from './read/request.ts';
import type { CapnProtoSchema } from './schema.ts';

/** Compiles the user's schema. Throws a SchemaError that carries `name`. */
export function compileCapnProtoSchema(input: unknown, name?: string): CapnProtoSchema {
  const { request, struct } = (input ?? {}) as Record<string, unknown>;
  try {
    const bytes = bytesIn(request);
    if (!bytes || typeof struct !== 'string') {
      throw new SchemaError('invalid Cap’n Proto schema: expected { request, struct }');
    }
    return readRequest(bytes.slice(), struct);
  } catch (error) {
    const reason = error instanceof SchemaError ? error.reason : `invalid request: ${(error as Error).message}`;
    throw new SchemaError(reason, name, { format: 'capnproto' });
  }
}
