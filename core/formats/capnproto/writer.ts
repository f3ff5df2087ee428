import { SchemaError } from '../../errors.ts';
import type { FormatWriter } from '../../writing/writer.ts';
import { compileCapnProtoSchema } from './compile-schema.ts';
import { MessageWriter } from './write/message-writer.ts';
import type { CapnProtoWriteOptions } from './options.ts';
import type { CapnProtoSchema } from './schema/schema.ts';
import { writePlanFor } from './write/plan.ts';

export type { CapnProtoSchemaInput, CapnProtoWriteOptions } from './options.ts';

/** Writes Cap'n Proto (https://capnproto.org/encoding.html): messages of one segment. */
const capnprotoEncoder: FormatWriter<CapnProtoWriteOptions, CapnProtoSchema | undefined> = {
  id: 'capnproto',
  createWriter({ packed = false, flat = false, sequence = false, extraKeys = 'error' }, limits, schema) {
    if (schema === undefined)
      throw new SchemaError('a schema is required to write Cap’n Proto: set the option schema', undefined, { format: 'capnproto' });
    return new MessageWriter(writePlanFor(schema), { packed, flat, sequence, extraKeys }, limits);
  },
  compileSchema: compileCapnProtoSchema,
};

export default capnprotoEncoder;
