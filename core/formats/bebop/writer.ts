import { SchemaError } from '../../errors.ts';
import type { FormatWriter } from '../../writing/writer.ts';
import { compileBebopSchema } from './compile-schema.ts';
import type { BebopWriteOptions } from './options.ts';
import { RecordWriter } from './write/record-writer.ts';
import type { BebopSchema } from './schema/schema.ts';
import { writePlanFor } from './write/plan.ts';

export type { BebopSchemaInput, BebopWriteOptions } from './options.ts';

/** Writes Bebop (https://docs.bebop.sh/reference/wire-format). */
const bebopEncoder: FormatWriter<BebopWriteOptions, BebopSchema | undefined> = {
  id: 'bebop',
  createWriter(options, limits, schema) {
    if (schema === undefined) throw new SchemaError('Bebop is written by a schema', undefined, { format: 'bebop' });
    return new RecordWriter(writePlanFor(schema), options, limits);
  },
  compileSchema: compileBebopSchema,
};

export default bebopEncoder;
