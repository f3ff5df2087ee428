import * as t from '../../../core/formats/capnproto/schema/schema.ts';
import type { CapnProtoSchema, FieldSchema, StructSchema } from '../../../core/formats/capnproto/schema/schema.ts';
import { asRecord, fieldsOf, inferShape, itemsOf, type RecordShape, type Shape } from './shape.ts';

/** Infers a schema for a value, with a struct for the records at each path. Numbers have no null: a missing one reads as 0. */
export function inferCapnProto(value: unknown): { schema: CapnProtoSchema; value: unknown } {
  const root = asRecord(value);
  const schema: CapnProtoSchema = { root: 0, types: [], structs: [], enums: [], request: new Uint8Array(0) };
  schema.structs = inferShape(root).records.map((record) => structOf(record, schema));
  return { schema, value: root };
}

function structOf(record: RecordShape, schema: CapnProtoSchema): StructSchema {
  const fields = fieldsOf(record).map(([name, shape]): FieldSchema => ({
    name,
    type: typeOf(shape, schema),
    offset: 0,
    discriminant: t.NO_UNION,
    low: 0,
    high: 0,
    at: -1,
    segment: -1,
  }));
  const bitsOf = (field: FieldSchema): number => t.BITS[schema.types[field.type]!.type]!;
  let bits = 0;
  let pointers = 0;
  // Places large fields first, so that no padding is needed.
  for (const field of fields.toSorted((a, b) => bitsOf(b) - bitsOf(a))) {
    const size = bitsOf(field);
    if (size === 0) field.offset = pointers++;
    else field.offset = bits / size;
    bits += size;
  }
  return { name: `Record${record.index}`, fields, union: false, discriminantOffset: 0 };
}

function typeOf(shape: Shape | undefined, schema: CapnProtoSchema): number {
  const add = (type: number, ref = -1): number => {
    const known = schema.types.findIndex((item) => item.type === type && item.ref === ref);
    return known >= 0 ? known : schema.types.push({ type, ref }) - 1;
  };
  switch (shape?.kind) {
    case 'integer':
      return add(shape.isSmall ? t.INT32 : t.INT64);
    case 'date':
      return add(t.INT64);
    case 'double':
      return add(t.FLOAT64);
    case 'string':
      return add(t.TEXT);
    case 'bytes':
      return add(t.DATA);
    case 'list':
      return add(t.LIST, typeOf(itemsOf(shape), schema));
    case 'record':
      return add(t.STRUCT, shape.record!.index);
    default:
      return add(t.BOOL);
  }
}
