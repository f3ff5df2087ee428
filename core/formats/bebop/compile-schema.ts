import { bytesIn } from '../../bytes/bytes-in.ts';
import { SchemaError } from '../../errors.ts';
import type { BebopSchema } from './schema/schema.ts';

/** Compiles a schema as the user gives it. Throws a SchemaError that carries `name`. */
export async function compileBebopSchema(input: unknown, name?: string): Promise<BebopSchema> {
  const { bop, record, imports } = (input ?? {}) as Record<string, unknown>;
  try {
    if (typeof record !== 'string') throw new SchemaError('a Bebop schema names its record: { bop, record }');
    if (typeof bop === 'string') {
      const { readTextSchema } = await import('./schema/text-schema.ts');
      return readTextSchema(bop, (imports ?? {}) as Record<string, string>, record);
    }
    const bytes = bytesIn(bop)?.slice();
    if (bytes) {
      const { readBinarySchema } = await import('./schema/binary-schema.ts');
      return readBinarySchema(bytes, record);
    }
    throw new SchemaError('invalid Bebop schema: expected { bop, record } with a text or binary schema and a name');
  } catch (error) {
    const reason = error instanceof SchemaError ? error.reason : `the schema is not sound: ${(error as Error).message}`;
    throw new SchemaError(reason, name, { format: 'bebop' });
  }
}
