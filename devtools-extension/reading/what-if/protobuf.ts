import * as t from '../../../worker/formats/protobuf/schema.ts';
import type { FieldSchema, ProtobufSchema } from '../../../worker/formats/protobuf/schema.ts';
import { Output, utf8 } from './output.ts';
import { asRecord, bytesOf, fieldsOf, inferShape, itemsOf, type RecordShape, type Shape, Unfit, wholeOf, wrapLists } from './shape.ts';

/**
 * A value as a Protocol Buffers message (https://protobuf.dev/programming-guides/encoding), by a schema made up for it:
 * a message for the records at each place, numbered fields in the order of their keys.
 */
export function encodeProtobuf(value: unknown): { bytes: Uint8Array; schema: ProtobufSchema; value: unknown } {
  const root = wrapLists(asRecord(value));
  const { records } = inferShape(root);
  const fields = records.map((record) => fieldsOf(record).map(([key, shape], at) => fieldOf(key, shape, at + 1)));
  const schema: ProtobufSchema = {
    root: 0,
    messages: fields.map((list, index) => ({ name: `Record${index}`, fields: list, oneofs: [], mapEntry: false })),
    enums: [],
  };
  return { bytes: write(fields, records[0]!, root as Record<string, unknown>).finish(), schema, value: root };
}

function fieldOf(name: string, shape: Shape, number: number): FieldSchema {
  const repeated = shape.kind === 'list';
  const one = repeated ? itemsOf(shape) : shape;
  return {
    name,
    jsonName: name,
    number,
    repeated,
    type: typeOf(one),
    ref: one?.record?.index ?? -1,
    presence: repeated ? 'implicit' : one?.record ? 'explicit' : 'optional',
    oneof: -1,
    default: undefined,
    packed: false,
    utf8: true,
  };
}

function typeOf(shape: Shape | undefined): number {
  switch (shape?.kind) {
    case 'integer':
      // Negative numbers take ten bytes where the schema does not expect them.
      return shape.least < 0 ? t.SINT64 : t.INT64;
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
      throw new Unfit(`a list in a list, at ${shape.path}`);
    default:
      return t.BOOL;
  }
}

function write(schema: FieldSchema[][], { index, fields }: RecordShape, record: Record<string, unknown>): Output {
  const output = new Output();
  for (const { name, number, type, repeated } of schema[index]!) {
    const item = Object.hasOwn(record, name) ? record[name] : undefined;
    if (item === null || item === undefined) continue;
    const items = repeated ? (item as unknown[]) : [item];
    const wire = t.WIRE[type]!;
    if (repeated && t.isPackable(type)) {
      if (items.length === 0) continue;
      const packed = new Output();
      for (const one of items) writeScalar(packed, type, one);
      writeBytes(output, number, packed.finish());
      continue;
    }
    const shape = fields.get(name)!;
    const inner = (repeated ? shape.items : shape)?.record;
    for (const one of items) {
      if (wire !== t.LEN) {
        output.varint(number * 8 + wire);
        writeScalar(output, type, one);
      } else {
        writeBytes(
          output,
          number,
          inner ? write(schema, inner, one as Record<string, unknown>).finish() : type === t.STRING ? utf8(one) : bytesOf(one),
        );
      }
    }
  }
  return output;
}

function writeBytes(output: Output, number: number, bytes: Uint8Array): void {
  output.varint(number * 8 + t.LEN);
  output.varint(bytes.length);
  output.all(bytes);
}

function writeScalar(output: Output, type: number, value: unknown): void {
  if (type === t.DOUBLE) output.double(value as number);
  else if (type === t.BOOL) output.byte(value ? 1 : 0);
  else if (type === t.SINT64) output.zigzag(wholeOf(value));
  else output.varint(wholeOf(value));
}
