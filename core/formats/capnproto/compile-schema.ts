import { SchemaError } from '../../errors.ts';
import { readRequest } from './read/request.ts';
import type { CapnProtoSchema } from './schema.ts';

/** Compiles the user's schema. Throws a SchemaError that carries `name`. */
export function compileCapnProtoSchema(input: unknown, name?: string): CapnProtoSchema {
  const { request, struct } = (input ?? {}) as Record<string, unknown>;
  try {
    if (!(request instanceof Uint8Array || request instanceof ArrayBuffer) || typeof struct !== 'string') {
      throw new SchemaError('invalid Cap’n Proto schema: expected { request, struct }');
    }
    return readRequest(request instanceof Uint8Array ? request.slice() : new Uint8Array(request), struct);
  } catch (error) {
    const reason = error instanceof SchemaError ? error.reason : `invalid request: ${(error as Error).message}`;
    throw new SchemaError(reason, name, { format: 'capnproto' });
  }
}
