import { encodeAvro } from '../what-if/avro.ts';
import { asRecord, fieldsOf, inferShape, isOptional, itemsOf, type RecordShape, type Shape, Unfit, wrapLists } from '../what-if/shape.ts';
import { identifier, recordNames } from './names.ts';

/** A `.proto` for a value, with the numbers and types by which "what if" encodes it. */
export function protoOf(value: unknown): string {
  const { root, records } = inferShape(wrapLists(asRecord(value)));
  const names = recordNames(root, records);
  const messages = records.map((record) => {
    const taken = new Set<string>();
    const fields = fieldsOf(record).map(([key, shape], at) => {
      const name = identifier(key, taken);
      const isList = shape.kind === 'list';
      const one = isList ? itemsOf(shape) : shape;
      const label = isList ? 'repeated ' : one?.record ? '' : 'optional ';
      const renamed = name === key ? '' : ` [json_name = ${JSON.stringify(key)}]`;
      return `  ${label}${protoType(one, names)} ${name} = ${at + 1}${renamed};${one?.kind === 'date' ? ' // ms since 1970' : ''}`;
    });
    return `message ${names[record.index]} {\n${fields.join('\n')}\n}`;
  });
  return `syntax = "proto3";\n\n${messages.join('\n\n')}\n`;
}

function protoType(shape: Shape | undefined, names: readonly string[]): string {
  if (!shape) return 'bool';
  const { kind } = shape;
  switch (kind) {
    case 'integer':
      return shape.least < 0 ? 'sint64' : 'int64';
    case 'date':
      return 'int64';
    case 'list':
      throw new Unfit(`a list in a list, at ${shape.path}`);
    case 'record':
      return names[shape.record!.index]!;
    case undefined:
      return 'bool';
    default:
      return { boolean: 'bool', double: 'double', string: 'string', bytes: 'bytes' }[kind];
  }
}

/** An `.avsc` for a value. */
export async function avscOf(value: unknown): Promise<string> {
  return JSON.stringify((await encodeAvro(value)).json, undefined, 2);
}

/** A `.bop` for a value: records that all have the same fields are structs, others messages. */
export function bopOf(value: unknown): string {
  const { root, records } = inferShape(asRecord(value));
  const names = recordNames(root, records);
  // What is referred to may stand below.
  return `${records.map((record) => bopRecord(record, names)).join('\n\n')}\n`;
}

function bopRecord(record: RecordShape, names: readonly string[]): string {
  const taken = new Set<string>();
  const isMessage = [...record.fields.values()].some((field) => isOptional(record, field));
  const fields = fieldsOf(record).map(
    ([key, shape], at) => `  ${isMessage ? `${at + 1} -> ` : ''}${bopType(shape, names)} ${identifier(key, taken)};`,
  );
  return `${isMessage ? 'message' : 'struct'} ${names[record.index]} {\n${fields.join('\n')}\n}`;
}

function bopType(shape: Shape, names: readonly string[]): string {
  switch (shape.kind) {
    case 'integer':
      return shape.isSmall ? 'int32' : 'int64';
    case 'list': {
      const items = itemsOf(shape);
      return `${items ? bopType(items, names) : 'bool'}[]`;
    }
    case 'record':
      return names[shape.record!.index]!;
    case undefined:
      return 'bool';
    default:
      return { boolean: 'bool', double: 'float64', string: 'string', date: 'date', bytes: 'byte[]' }[shape.kind];
  }
}
