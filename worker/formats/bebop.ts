import { SchemaError } from '../errors.ts';
import { isSmall } from '../plain.ts';
import { readPlain } from './bebop/plain.ts';
import { BebopReader } from './bebop/reader.ts';
import type { BebopSchema } from './bebop/schema.ts';
import type { Format } from './format.ts';

/** How Bebop is read. What is left out has the value named first. */
export interface BebopOptions {
  /**
   * What 64-bit integers become: a number where it is exact and a bigint elsewhere (`auto`), the nearest number, a
   * bigint as in the library's own objects, or decimal text. Default `auto`.
   */
  int64?: 'auto' | 'number' | 'bigint' | 'string';
  /**
   * What enums become: their number, or their name where they have one. Of `flags` the names of all bits, with spaces
   * between. Default `number`.
   */
  enums?: 'number' | 'name';
  /** What a map becomes: a Map, or a plain object, whose keys are strings. Default `map`. */
  maps?: 'map' | 'object';
  /** The input is any number of records one after the other; the result is an array. Default false. */
  sequence?: boolean;
}

/** A schema as the user gives it. */
export interface BebopSchemaInput {
  /** A `.bop` text, or the binary schema that bebopc makes of one (`BEBOP_SCHEMA` in the code it generates). */
  bop: string | Uint8Array | ArrayBuffer;
  /** The struct, message or union that a payload is. */
  record: string;
  /** The texts that a text imports, by their paths. */
  imports?: Readonly<Record<string, string>>;
}

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
        const { readTextSchema } = await import('./bebop/text-schema.ts');
        return readTextSchema(bop, (imports ?? {}) as Record<string, string>, record);
      }
      if (bop instanceof Uint8Array || bop instanceof ArrayBuffer) {
        const { readBinarySchema } = await import('./bebop/binary-schema.ts');
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
