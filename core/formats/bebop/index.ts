import { isSmall } from '../../reading/plain.ts';
import { compileBebopSchema } from './compile-schema.ts';
import { KERNEL } from './kernel.ts';
import { readPlain } from './read/plain.ts';
import { BebopReader } from './reader.ts';
import type { BebopSchema } from './schema/schema.ts';
import type { Format } from '../../format/format.ts';
import { READ_OPTIONS, type BebopOptions } from './options.ts';

export type { BebopOptions, BebopSchemaInput } from './options.ts';

/**
 * Bebop (https://docs.bebop.sh/reference/wire-format). Structs and messages become plain objects, a union
 * `{ discriminator, value }`, a guid a string, an array of bytes a Uint8Array.
 */
const bebop: Format<BebopOptions, BebopSchema | undefined> = {
  options: READ_OPTIONS,
  createReader: (sink, options, limits, schema) => new BebopReader(sink, options, limits, schema),

  decodeAtOnce: (bytes, options, limits, schema, shapeOf, namesKeys = false) =>
    schema && isSmall(bytes, limits) ? readPlain(schema, options, bytes, shapeOf, namesKeys) : undefined,

  kernel: KERNEL,

  compileSchema: compileBebopSchema,
};

export default bebop;
