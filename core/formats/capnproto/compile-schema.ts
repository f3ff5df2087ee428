import { bytesIn } from '../../bytes/bytes-in.ts';
import { SchemaError } from '../../errors.ts';
import type { LoadSchemaCode } from '../../format/format.ts';
import { readRequest } from './schema/request.ts';
import type { CapnProtoSchema } from './schema/schema.ts';

/** Compiles the user's schema, a text asynchronously. Throws a SchemaError that carries `name`. `load`: see `Format.compileSchema`. */
export function compileCapnProtoSchema(
  input: unknown,
  name?: string,
  load: LoadSchemaCode = () => import('./schema/capnp-text.ts'),
): CapnProtoSchema | Promise<CapnProtoSchema> {
  const { request, struct, capnp, imports } = (input ?? {}) as Record<string, unknown>;
  if (typeof capnp === 'string' && typeof struct === 'string') {
    return compileText(capnp, (imports ?? {}) as Record<string, string>, struct, name, load);
  }
  try {
    const bytes = bytesIn(request);
    if (!bytes || typeof struct !== 'string') {
      throw new SchemaError('invalid Cap’n Proto schema: expected { request, struct }, or { capnp, struct } with a text');
    }
    return readRequest(bytes.slice(), struct);
  } catch (error) {
    const reason = error instanceof SchemaError ? error.reason : `invalid request: ${(error as Error).message}`;
    throw new SchemaError(reason, name, { format: 'capnproto' });
  }
}

async function compileText(
  text: string,
  imports: Readonly<Record<string, string>>,
  struct: string,
  name: string | undefined,
  load: LoadSchemaCode,
): Promise<CapnProtoSchema> {
  const { readCapnpText } = (await load('capnp-text')) as typeof import('./schema/capnp-text.ts');
  try {
    return readCapnpText(text, imports, struct);
  } catch (error) {
    throw error instanceof SchemaError ? new SchemaError(error.reason, name, { format: 'capnproto' }) : error;
  }
}
