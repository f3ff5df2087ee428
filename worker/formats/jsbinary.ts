import { SchemaError } from '../errors.ts';
import type { Format } from './format.ts';
import { JsBinaryReader } from './jsbinary/reader.ts';
import { compileType, type JsBinarySchema } from './jsbinary/schema.ts';

/** How js-binary is read. What is left out has the value named first. */
export interface JsBinaryOptions {
  /**
   * What a `uint` or `int` past 2⁵³ becomes: a bigint (`auto`), or the nearest number, as in the package, which writes
   * none. Default `auto`.
   */
  int64?: 'auto' | 'number';
  /** The input is any number of values one after the other; the result is an array of them. Default false. */
  sequence?: boolean;
}

/**
 * js-binary, by its format.md (https://github.com/sitegui/js-binary). The schema is the type literal that the package's
 * `Type` takes. An optional field that is not there is undefined; an ObjectId is 24 hexadecimal digits.
 */
const jsbinary: Format<JsBinaryOptions, JsBinarySchema | undefined> = {
  createReader(sink, options, limits, schema) {
    if (!schema) throw new SchemaError('js-binary needs a schema: the type literal', undefined, { format: 'jsbinary' });
    return new JsBinaryReader(sink, options, limits, schema);
  },

  compileSchema(input, name) {
    try {
      return compileType(input);
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error;
      throw new SchemaError(error.reason, name, { format: 'jsbinary' });
    }
  },
};

export default jsbinary;
