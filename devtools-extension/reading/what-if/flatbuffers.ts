import { Builder } from 'flatbuffers';
import * as t from '../../../worker/formats/flatbuffers/schema.ts';
import type { FieldSchema, FlatBuffersSchema } from '../../../worker/formats/flatbuffers/schema.ts';
import { asRecord, bytesOf, fieldsOf, inferShape, isOptional, itemsOf, type RecordShape, type Shape, Unfit, wholeOf, wrapLists } from './shape.ts';

/**
 * A value as a FlatBuffer (https://flatbuffers.dev/internals), by a schema made up for it: a table for the records at
 * each place. Scalars that not every record has are optional ones.
 */
export function encodeFlatBuffer(value: unknown): { bytes: Uint8Array; schema: FlatBuffersSchema; value: unknown } {
  const root = wrapLists(asRecord(value)) as Record<string, unknown>;
  const { records } = inferShape(root);
  const schema: FlatBuffersSchema = {
    root: 0,
    identifier: '',
    objects: records.map((record) => ({
      name: `Record${record.index}`,
      struct: false,
      size: 0,
      fields: fieldsOf(record).map(([key, field], id) => fieldOf(key, field, id, isOptional(record, field))),
    })),
    enums: [],
  };
  const builder = new Builder(1024);
  builder.finish(writeTable(builder, records[0]!, root));
  return { bytes: Uint8Array.from(builder.asUint8Array()), schema, value: root };
}

function fieldOf(name: string, shape: Shape, id: number, optional: boolean): FieldSchema {
  const [type, element, ref] = typeOf(shape);
  return {
    name,
    id,
    type,
    element,
    ref,
    length: 0,
    offset: 0,
    default: type === t.LONG ? 0n : 0,
    optional: optional && t.isScalar(type),
    required: false,
    key: false,
    deprecated: false,
    far: false,
    nested: -1,
  };
}

function typeOf(shape: Shape | undefined): [type: number, element: number, ref: number] {
  switch (shape?.kind) {
    case 'integer':
      return [shape.isSmall ? t.INT : t.LONG, 0, -1];
    case 'date':
      return [t.LONG, 0, -1];
    case 'double':
      return [t.DOUBLE, 0, -1];
    case 'string':
      return [t.STRING, 0, -1];
    case 'bytes':
      return [t.VECTOR, t.UBYTE, -1];
    case 'record':
      return [t.OBJ, 0, shape.record!.index];
    case 'list': {
      const [element, , ref] = typeOf(itemsOf(shape));
      if (element === t.VECTOR) throw new Unfit(`a list of bytes, at ${shape.path}`);
      return [t.VECTOR, element, ref];
    }
    default:
      return [t.BOOL, 0, -1];
  }
}

function writeTable(builder: Builder, record: RecordShape, value: Record<string, unknown>): number {
  const fields = fieldsOf(record).map(([key, shape]) => ({
    shape,
    item: Object.hasOwn(value, key) ? value[key] : undefined,
    or: isOptional(record, shape) ? null : 0,
  }));
  const isAbsent = (item: unknown): boolean => item === null || item === undefined;
  // What a table refers to is written before it.
  const offsets = fields.map(({ shape, item }) => (isAbsent(item) ? 0 : writeOutside(builder, shape, item)));
  builder.startObject(fields.length);
  for (const [id, { shape, item, or }] of fields.entries()) {
    if (isAbsent(item)) continue;
    switch (typeOf(shape)[0]) {
      case t.BOOL:
        builder.addFieldInt8(id, item ? 1 : 0, or);
        break;
      case t.INT:
        builder.addFieldInt32(id, Number(item), or);
        break;
      case t.LONG:
        builder.addFieldInt64(id, wholeOf(item), or === null ? null : 0n);
        break;
      case t.DOUBLE:
        builder.addFieldFloat64(id, Number(item), or);
        break;
      default:
        builder.addFieldOffset(id, offsets[id]!, 0);
    }
  }
  return builder.endObject();
}

function writeOutside(builder: Builder, shape: Shape, value: unknown): number {
  switch (shape.kind) {
    case 'string':
      return builder.createString(value as string);
    case 'bytes':
      return builder.createByteVector(bytesOf(value));
    case 'record':
      return writeTable(builder, shape.record!, value as Record<string, unknown>);
    case 'list':
      return writeVector(builder, shape, value as unknown[]);
    default:
      return 0;
  }
}

function writeVector(builder: Builder, shape: Shape, items: readonly unknown[]): number {
  const [, element] = typeOf(shape);
  const size = t.isScalar(element) ? t.SIZE[element]! : 4;
  const offsets = t.isScalar(element) ? [] : items.map((item) => writeOutside(builder, shape.items!, item));
  builder.startVector(size, items.length, size);
  for (let at = items.length - 1; at >= 0; at -= 1) {
    if (element === t.BOOL) builder.addInt8(items[at] ? 1 : 0);
    else if (element === t.INT) builder.addInt32(Number(items[at]));
    else if (element === t.LONG) builder.addInt64(wholeOf(items[at]));
    else if (element === t.DOUBLE) builder.addFloat64(Number(items[at]));
    else builder.addOffset(offsets[at]!);
  }
  return builder.endVector();
}
