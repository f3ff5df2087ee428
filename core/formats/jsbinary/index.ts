import { SchemaError } from '../../errors.ts';
import type { Format } from '../../format/format.ts';
import { KERNEL } from './kernel.ts';
import { JsBinaryReader } from './reader.ts';
import { compileJsBinarySchema, type JsBinarySchema } from './schema.ts';
import { READ_OPTIONS, type JsBinaryOptions } from './options.ts';

export type { JsBinaryOptions } from './options.ts';

/**
 * js-binary as defined by its format.md (https://github.com/sitegui/js-binary). The schema is the type literal that the
 * package's `Type` takes. A missing optional field is undefined; an ObjectId is 24 hexadecimal digits.
 */
const jsbinary: Format<JsBinaryOptions, JsBinarySchema | undefined> = {
  options: READ_OPTIONS,
  createReader(sink, options, limits, schema) {
    if (!schema) throw new SchemaError('a schema is required: pass the type literal', undefined, { format: 'jsbinary' });
    return new JsBinaryReader(sink, options, limits, schema);
  },

  kernel: KERNEL,

  compileSchema: compileJsBinarySchema,
};

export default jsbinary;
