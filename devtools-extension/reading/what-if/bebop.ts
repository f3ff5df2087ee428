import { BebopView } from 'bebop';
import * as t from '../../../worker/formats/bebop/schema.ts';
import type { BebopSchema, RecordSchema } from '../../../worker/formats/bebop/schema.ts';
import { asRecord, bytesOf, fieldsOf, inferShape, isOptional, itemsOf, type RecordShape, type Shape, Unfit, wholeOf } from './shape.ts';

/** Fields of a message: their indices are bytes, of which 0 ends it. */
const MOST_FIELDS = 255;

/**
 * A value in Bebop (https://docs.bebop.sh/reference/wire-format), by a schema made up for it: records that all have the
 * same fields are structs, others messages.
 */
export function encodeBebop(value: unknown): { bytes: Uint8Array; schema: BebopSchema; value: unknown } {
  const root = asRecord(value);
  const { records } = inferShape(root);
  const types = new t.Tables();
  const made: RecordSchema[] = records.map(({ index }) => ({ name: `Record${index}`, fields: [] }));
  types.records.push(...made);
  for (const record of records) {
    const fields = fieldsOf(record);
    if (isMessage(record) && fields.length > MOST_FIELDS) throw new Unfit(`a record has more than the ${MOST_FIELDS} fields of a message`);
    made[record.index]!.fields = fields.map(([name, field], at) => ({ name, type: typeOf(types, field), index: isMessage(record) ? at + 1 : 0 }));
  }
  const rootName = made[0]!.name;
  const schema = types.finish(new Map([[rootName, types.type(isMessage(records[0]!) ? t.MESSAGE : t.STRUCT, 0)]]), rootName);
  const view = BebopView.getInstance();
  view.startWriting();
  writeRecord(view, records[0]!, root);
  return { bytes: Uint8Array.from(view.toArray()), schema, value: root };
}

function isMessage(record: RecordShape): boolean {
  return [...record.fields.values()].some((field) => isOptional(record, field));
}

function typeOf(types: t.Tables, shape: Shape): number {
  switch (shape.kind) {
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
    case 'list': {
      const items = itemsOf(shape);
      return types.array(items ? typeOf(types, items) : types.type(t.BOOL));
    }
    case 'record':
      return types.type(isMessage(shape.record!) ? t.MESSAGE : t.STRUCT, shape.record!.index);
    default:
      return types.type(t.BOOL);
  }
}

function writeRecord(view: BebopView, record: RecordShape, value: Record<string, unknown>): void {
  const fields = fieldsOf(record);
  if (!isMessage(record)) {
    for (const [key, field] of fields) write(view, field, value[key]);
    return;
  }
  const start = view.reserveMessageLength();
  for (const [at, [key, field]] of fields.entries()) {
    const item = Object.hasOwn(value, key) ? value[key] : undefined;
    if (item === null || item === undefined) continue;
    view.writeByte(at + 1);
    write(view, field, item);
  }
  view.writeByte(0);
  view.fillMessageLength(start, view.length - start - 4);
}

function write(view: BebopView, shape: Shape, value: unknown): void {
  switch (shape.kind) {
    case 'integer':
      return shape.isSmall ? view.writeInt32(Number(value)) : view.writeInt64(wholeOf(value));
    case 'double':
      return view.writeFloat64(Number(value));
    case 'string':
      return view.writeString(value as string);
    case 'date':
      wholeOf(value);
      return view.writeDate(value as Date);
    case 'bytes':
      return view.writeBytes(bytesOf(value));
    case 'list':
      view.writeUint32((value as unknown[]).length);
      for (const item of value as unknown[]) write(view, shape.items!, item);
      return;
    case 'record':
      return writeRecord(view, shape.record!, value as Record<string, unknown>);
    default:
      return view.writeByte(value ? 1 : 0);
  }
}
