import * as t from '../../../core/formats/bebop/schema/schema.ts';
import type { BebopSchema } from '../../../core/formats/bebop/schema/schema.ts';
import { recordNames } from './names.ts';
import { asRecord, fieldsOf, inferShape, isOptional, itemsOf, type RecordShape, type Shape, UnsupportedError } from './shape.ts';

/** Maximum number of fields in a message: their indices are bytes, and 0 ends it. */
const MAX_FIELDS = 255;

/** Infers a schema for a value: records with identical fields become structs, others messages. */
export function inferBebop(value: unknown): { schema: BebopSchema; value: unknown } {
  const record = asRecord(value);
  const { root, records } = inferShape(record);
  const names = recordNames(root, records);
  const types = new t.Tables();
  for (const { index } of records) types.records.push({ name: names[index]!, fields: [] });
  for (const one of records) {
    const fields = fieldsOf(one);
    const isNumbered = isMessage(one);
    if (isNumbered && fields.length > MAX_FIELDS) throw new UnsupportedError(`a record has more than ${MAX_FIELDS} fields, the limit of a message`);
    types.records[one.index]!.fields = fields.map(([name, field], at) => ({ name, type: typeOf(types, field), index: isNumbered ? at + 1 : 0 }));
  }
  const type = types.type(isMessage(records[0]!) ? t.MESSAGE : t.STRUCT, 0);
  return { schema: types.finish(new Map([[names[0]!, type]]), names[0]!), value: record };
}

function isMessage(record: RecordShape): boolean {
  return [...record.fields.values()].some((field) => isOptional(record, field));
}

function typeOf(types: t.Tables, shape: Shape | undefined): number {
  switch (shape?.kind) {
    case 'integer':
      return types.type(shape.isSmall ? t.INT32 : t.INT64);
    case 'double':
      return types.type(t.FLOAT64);
    case 'string':
      return types.type(t.STRING);
    case 'date':
      return types.type(t.DATE);
    case 'bytes':
      return types.array(types.type(t.BYTE));
    case 'list':
      return types.array(typeOf(types, itemsOf(shape)));
    case 'record':
      return types.type(isMessage(shape.record!) ? t.MESSAGE : t.STRUCT, shape.record!.index);
    default:
      return types.type(t.BOOL);
  }
}
