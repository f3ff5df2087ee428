import { isSmall } from '../../reading/plain.ts';
import { loadCodecs } from './container/codecs.ts';
import { compileAvroSchema } from './compile-schema.ts';
import { MAGIC, readHeader, startsAsContainer } from './container/container.ts';
import { KERNEL } from './kernel.ts';
import { plainReaderFor } from './read/plans.ts';
import { AvroReader } from './reader.ts';
import type { AvroSchema } from './schema/schema.ts';
import type { Format } from '../format.ts';
import type { AvroOptions, AvroSchemaInput } from './options.ts';

export type { AvroOptions, AvroSchemaJson, AvroSchemaInput } from './options.ts';

/** Avro (https://avro.apache.org/docs/1.12.0/specification/): plain data, single objects and object container files. */
const avro: Format<AvroOptions, AvroSchema | undefined> = {
  createReader: (sink, options, limits, schema) => new AvroReader(sink, options, limits, schema),

  kernel: KERNEL,

  compileSchema: (input, name) => compileAvroSchema(input as AvroSchemaInput, name),

  decodePlain(bytes, options, limits, schema, shapeOf) {
    // What may begin a container or a single object is left to the reader.
    if (!schema || bytes[0] === MAGIC[0] || bytes[0] === 0xc3 || !isSmall(bytes, limits)) return undefined;
    return plainReaderFor(schema, options)?.read(bytes, shapeOf);
  },

  /** Loads the codec that a container names; all of them where the head does not reach so far. */
  prepare(head) {
    if (head.length < MAGIC.length || !startsAsContainer(head, 0, head.length)) return undefined;
    try {
      const header = readHeader(head, 0, head.length, 0, head.length);
      return loadCodecs('needed' in header ? undefined : header.codec);
    } catch {
      // The reader will say what is wrong.
      return undefined;
    }
  },
};

export default avro;
