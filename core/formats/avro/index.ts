import { isSmall } from '../../reading/plain.ts';
import { loadCodecs } from './container/codecs.ts';
import { compileAvroSchema } from './compile-schema.ts';
import { MAGIC, readHeader, startsAsContainer } from './container/container.ts';
import { KERNEL } from './kernel.ts';
import { plainReaderFor } from './read/plans.ts';
import { AvroReader } from './reader.ts';
import type { AvroSchema } from './schema/schema.ts';
import type { Format } from '../../format/format.ts';
import { READ_OPTIONS, type AvroOptions, type AvroSchemaInput } from './options.ts';

export { registerCodec, type CodecOptions } from './container/registered.ts';
export type { AvroOptions, AvroSchemaInput, AvroSchemaJson, AvroSchemaSource } from './options.ts';

/** Avro (https://avro.apache.org/docs/1.12.0/specification/): plain data, single objects and object container files. */
const avro: Format<AvroOptions, AvroSchema | undefined> = {
  id: 'avro',
  options: READ_OPTIONS,
  createReader: (sink, options, limits, schema) => new AvroReader(sink, options, limits, schema),

  kernel: KERNEL,

  compileSchema: (input, name) => compileAvroSchema(input as AvroSchemaInput, name),

  decodeAtOnce(bytes, options, limits, schema, shapeOf, namesKeys = false) {
    // The reader handles containers and single objects.
    if (!schema || bytes[0] === MAGIC[0] || bytes[0] === 0xc3 || !isSmall(bytes, limits)) return undefined;
    return plainReaderFor(schema, options)?.read(bytes, shapeOf, namesKeys);
  },

  /** Loads the codec that a container names, or all codecs if the header is incomplete. */
  prepare(head) {
    if (head.length < MAGIC.length || !startsAsContainer(head, 0, head.length)) return undefined;
    try {
      const header = readHeader(head, 0, head.length, 0, head.length);
      return loadCodecs('needed' in header ? undefined : header.codec);
    } catch {
      // The reader reports the error.
      return undefined;
    }
  },
};

export default avro;
