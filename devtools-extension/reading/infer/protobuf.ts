import { protoText } from '../../../core/formats/protobuf/schema/proto-writer.ts';
import * as t from '../../../core/formats/protobuf/schema/schema.ts';
import type { FieldSchema, ProtobufSchema } from '../../../core/formats/protobuf/schema/schema.ts';
import { recordNames } from './names.ts';
import { asRecord, fieldsOf, inferShape, itemsOf, type RecordShape, type Shape, UnsupportedError, wrapLists } from './shape.ts';

/** Infers a schema for a value, with a message for the records at each path, and fields numbered in key order. */
export function inferProtobuf(value: unknown): { schema: ProtobufSchema; records: readonly RecordShape[]; value: unknown } {
  const wrapped = wrapLists(asRecord(value));
  const { root, records } = inferShape(wrapped);
  const names = recordNames(root, records);
  const messages = records.map((record) => ({
    name: names[record.index]!,
    fields: fieldsOf(record).map(([key, shape], at) => fieldOf(key, shape, at + 1)),
    oneofs: [],
    mapEntry: false,
  }));
  return { schema: { root: 0, messages, enums: [] }, records, value: wrapped };
}

function fieldOf(name: string, shape: Shape, number: number): FieldSchema {
  const repeated = shape.kind === 'list';
  const one = repeated ? itemsOf(shape) : shape;
  const type = typeOf(one);
  return {
    name,
    jsonName: name,
    number,
    repeated,
    type,
    ref: one?.record?.index ?? -1,
    presence: repeated ? 'implicit' : one?.record ? 'explicit' : 'optional',
    oneof: -1,
    default: undefined,
    packed: repeated && t.isPackable(type),
    utf8: true,
  };
}

function typeOf(shape: Shape | undefined): number {
  switch (shape?.kind) {
    case 'integer':
      // In an int64 field, a negative number would take ten bytes.
      return shape.min < 0 ? t.SINT64 : t.INT64;
    case 'date':
      return t.INT64;
    case 'double':
      return t.DOUBLE;
    case 'string':
      return t.STRING;
    case 'bytes':
      return t.BYTES;
    case 'record':
      return t.MESSAGE;
    case 'list':
      throw new UnsupportedError(`nested list at ${shape.path}`);
    default:
      return t.BOOL;
  }
}

/** Inferred schema as a `.proto` file. */
export function protoOf(value: unknown): string {
  const { schema, records } = inferProtobuf(value);
  return protoText(schema.messages, (index, { name }) => (isDate(records[index]!.fields.get(name)!) ? 'ms since 1970' : undefined));
}

function isDate(shape: Shape): boolean {
  return (shape.kind === 'list' ? shape.items : shape)?.kinds.has('date') === true;
}
