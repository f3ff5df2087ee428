import { bytesIn } from '../../bytes/bytes-in.ts';
import { SchemaError } from '../../errors.ts';
import type { LoadSchemaCode } from '../../format/format.ts';
import { readBfbs } from './schema/bfbs.ts';
import type { FlatBuffersSchema } from './schema/schema.ts';

/** Compiles the user's schema, a text asynchronously. Throws a SchemaError that carries `name`. `load`: see `Format.compileSchema`. */
export function compileFlatBuffersSchema(
  input: unknown,
  name?: string,
  load: LoadSchemaCode = () => import('./schema/fbs-text.ts'),
): FlatBuffersSchema | Promise<FlatBuffersSchema> {
  const { bfbs, table, fbs, root, imports } = (input ?? {}) as Record<string, unknown>;
  if (typeof fbs === 'string' && (root === undefined || typeof root === 'string')) {
    return compileText(fbs, (imports ?? {}) as Record<string, string>, root, name, load);
  }
  const bytes = bytesIn(bfbs);
  try {
    if (!bytes || (table !== undefined && typeof table !== 'string')) {
      throw new SchemaError('invalid FlatBuffers schema: expected { bfbs, table }, or { fbs, root } with a text');
    }
    return readBfbs(bytes.slice(), table);
  } catch (error) {
    const reason = error instanceof SchemaError ? error.reason : 'a name in the schema is not UTF-8';
    throw new SchemaError(reason, name, { format: 'flatbuffers' });
  }
}

async function compileText(
  text: string,
  imports: Readonly<Record<string, string>>,
  root: string | undefined,
  name: string | undefined,
  load: LoadSchemaCode,
): Promise<FlatBuffersSchema> {
  const { readFbsText } = (await load('fbs-text')) as typeof import('./schema/fbs-text.ts');
  try {
    return readFbsText(text, imports, root);
  } catch (error) {
    throw error instanceof SchemaError ? new SchemaError(error.reason, name, { format: 'flatbuffers' }) : error;
  }
}
