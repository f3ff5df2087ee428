import { SchemaError } from '../../errors.ts';
import { isSmall } from '../plain.ts';
import type { Format } from '../format.ts';
import { readPlain } from './plain.ts';
import { ProtobufReader } from './reader.ts';
import type { ProtobufSchema } from './schema.ts';
import { SchemalessReader } from './schemaless.ts';
import type { ProtobufOptions } from './options.ts';

export type { ProtobufOptions, ProtobufSchemaInput } from './options.ts';

/**
 * Protocol Buffers (https://protobuf.dev/programming-guides/encoding): proto2, proto3 and editions. Strings must be UTF-8, those
 * that a later occurrence replaces as well, but for those of proto2 and with `features.utf8_validation = NONE`: there
 * replacement characters stand for what is not. Tags and lengths have at most five bytes; of a varint with more than 64 bits
 * the lower 64 count.
 */
const protobuf: Format<ProtobufOptions, ProtobufSchema | undefined> = {
  createReader: (sink, options, limits, schema) =>
    options.schemaless ? new SchemalessReader(sink, options, limits) : new ProtobufReader(sink, options, limits, schema),

  decodePlain: (bytes, options, limits, schema, shapeOf) =>
    schema && isSmall(bytes, limits) ? readPlain(schema, options, bytes, shapeOf) : undefined,

  cutting: () => import('./cut.ts'),

  async compileSchema(input, name, load = () => import('./proto-text.ts')) {
    try {
      const { link } = await import('./definitions.ts');
      const { proto, descriptorSet, message, imports } = (input ?? {}) as Record<string, unknown>;
      if (typeof message !== 'string') throw new SchemaError('a Protocol Buffers schema names its message: { proto or descriptorSet, message }');
      if (typeof proto === 'string') {
        const { readProtoText } = await load('proto-text');
        const { definitions, absent } = readProtoText(proto, (imports ?? {}) as Record<string, string>);
        return link(definitions, message, absent);
      }
      if (descriptorSet instanceof Uint8Array || descriptorSet instanceof ArrayBuffer) {
        const { readDescriptorSet } = await import('./descriptor-set.ts');
        const { definitions, absent } = readDescriptorSet(new Uint8Array(descriptorSet));
        return link(definitions, message, absent);
      }
      throw new SchemaError('a Protocol Buffers schema is { proto, message } or { descriptorSet, message }');
    } catch (error) {
      throw error instanceof SchemaError && error.schema === undefined ? new SchemaError(error.reason, name, { format: 'protobuf' }) : error;
    }
  },
};

export default protobuf;
