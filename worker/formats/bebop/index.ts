import { SchemaError } from '../../errors.ts';
import { isSmall } from '../plain.ts';
import { readPlain } from './plain.ts';
import { BebopReader } from './reader.ts';
import type { BebopSchema } from './schema.ts';
import type { Format } from '../format.ts';
import type { BebopOptions } from './options.ts';

export type { BebopOptions, BebopSchemaInput } from './options.ts';

/**
 * Bebop (https://docs.bebop.sh/reference/wire-format). Structs and messages become plain objects, a union
 * `{ discriminator, value }`, a guid text, an array of bytes a Uint8Array.
 */
const bebop: Format<BebopOptions, BebopSchema | undefined> = {
  createReader: (sink, options, limits, schema) => new BebopReader(sink, options, limits, schema),

  decodePlain: (bytes, options, limits, schema, shapeOf) =>
    schema && isSmall(bytes, limits) ? readPlain(schema, options, bytes, shapeOf) : undefined,

  async compileSchema(input, name) {
    const { bop, record, imports } = (input ?? {}) as Record<string, unknown>;
    try {
      if (typeof record !== 'string') throw new SchemaError('a Bebop schema names its record: { bop, record }');
      if (typeof bop === 'string') {
        const { readTextSchema } = await import('./text-schema.ts');
        return readTextSchema(bop, (imports ?? {}) as Record<string, string>, record);
      }
      if (bop instanceof Uint8Array || bop instanceof ArrayBuffer) {
        const { readBinarySchema } = await import('./binary-schema.ts');
        return readBinarySchema(new Uint8Array(bop), record);
      }
      throw new SchemaError('a Bebop schema is { bop, record }, a text or a binary schema and a name');
    } catch (error) {
      const reason = error instanceof SchemaError ? error.reason : `the schema is not sound: ${(error as Error).message}`;
      throw new SchemaError(reason, name, { format: 'bebop' });
    }
  },
};

export default bebop;
