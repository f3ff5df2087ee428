import * as t from '../../../core/formats/flatbuffers/schema/schema.ts';
import type { FieldSchema, FlatBuffersSchema } from '../../../core/formats/flatbuffers/schema/schema.ts';
import { asRecord, fieldsOf, inferShape, isOptional, itemsOf, type Shape, UnsupportedError, wrapLists } from './shape.ts';

/** Infers a schema for a value, with a table for the records at each path. Scalars that some records lack are optional. */
export function inferFlatBuffers(value: unknown): { schema: FlatBuffersSchema; value: unknown } {
  const wrapped = wrapLists(asRecord(value));
  const objects = inferShape(wrapped).records.map((record) => ({
    name: `Record${record.index}`,
    struct: false,
    size: 0,
    fields: fieldsOf(record).map(([key, field], id) => fieldOf(key, field, id, isOptional(record, field))),
  }));
  return { schema: { root: 0, identifier: '', objects, enums: [] }, value: wrapped };
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
      if (element === t.VECTOR) throw new UnsupportedError(`FlatBuffers cannot have a list of bytes, as at ${shape.path}`);
      return [t.VECTOR, element, ref];
    }
    default:
      return [t.BOOL, 0, -1];
  }
}
