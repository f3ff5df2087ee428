import { isSmall } from '../../reading/plain.ts';
import type { Format, ListForm } from '../../format/format.ts';
import { compileProtobufSchema } from './compile-schema.ts';
import { KERNEL } from './kernel.ts';
import { readPlain } from './read/plain.ts';
import { ProtobufReader } from './reader.ts';
import { BYTES, type FieldSchema, GROUP, MESSAGE, type ProtobufSchema } from './schema/schema.ts';
import { SchemalessReader } from './schemaless/schemaless.ts';
import { READ_OPTIONS, type ProtobufOptions } from './options.ts';

export type { ProtobufOptions, ProtobufSchemaInput } from './options.ts';

/**
 * Protocol Buffers (https://protobuf.dev/programming-guides/encoding): proto2, proto3 and editions. Strings must be
 * UTF-8, including those that a later occurrence replaces. In proto2 strings, and with `features.utf8_validation =
 * NONE`, replacement characters stand for invalid bytes. Tags and lengths have at most five bytes. Of a varint with
 * more than 64 bits, the lower 64 count.
 */
const protobuf: Format<ProtobufOptions, ProtobufSchema | undefined> = {
  id: 'protobuf',
  options: READ_OPTIONS,

  createReader: (sink, options, limits, schema) =>
    options.schemaless ? new SchemalessReader(sink, options, limits) : new ProtobufReader(sink, options, limits, schema),

  decodeAtOnce: (bytes, options, limits, schema, shapeOf, namesKeys = false) =>
    schema && isSmall(bytes, limits) ? readPlain(schema, options, bytes, shapeOf, namesKeys) : undefined,

  listForm,

  kernel: KERNEL,

  compileSchema: compileProtobufSchema,
};

/** Form of the messages in the root's repeated field; undefined if it has no field of messages, or several. */
function listForm(schema: ProtobufSchema | undefined): ListForm | undefined {
  if (schema === undefined) return undefined;
  const { root, messages } = schema;
  const lists = messages[root]!.fields.filter(({ repeated, type, ref }) => repeated && type === MESSAGE && !messages[ref]!.mapEntry);
  if (lists.length !== 1) return undefined;
  return { list: true, records: true, flat: messages[lists[0]!.ref]!.fields.every(isScalar), regular: true };
}

function isScalar({ repeated, type }: FieldSchema): boolean {
  return !repeated && type !== MESSAGE && type !== GROUP && type !== BYTES;
}

export default protobuf;
