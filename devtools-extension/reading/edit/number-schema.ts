import { isMessage, PLAIN_TEXT, textKind } from '../../../core/formats/protobuf/schemaless/guess.ts';
import * as type from '../../../core/formats/protobuf/schema/schema.ts';
import type { FieldSchema, MessageSchema, ProtobufSchema } from '../../../core/formats/protobuf/schema/schema.ts';
import { isLikelyFloat, varintAt } from '../../values/numbers-in-bytes.ts';
import { fieldsOfMessage, type WireField } from '../found/wire.ts';

/** Deepest message that is taken apart; deeper ones stay bytes. */
const MAX_DEPTH = 50;

/**
 * A schema for editing messages without one: fields are named by their numbers, and have types that keep their bytes. Bytes
 * are text or a message if every value of the field is. Throws for bytes that are no message, or that contain groups.
 */
export function numberSchema(messages: readonly Uint8Array[]): ProtobufSchema {
  const all: MessageSchema[] = [];
  const add = (instances: readonly Uint8Array[], depth: number): number => {
    const own: MessageSchema = { name: `message ${all.length + 1}`, fields: [], oneofs: [], mapEntry: false };
    const index = all.push(own) - 1;
    const values = new Map<number, WireField[]>();
    const repeated = new Set<number>();
    for (const bytes of instances) {
      const fields = fieldsOfMessage(bytes);
      if (!fields) throw new Error('The body is not a Protocol Buffers message, or contains groups.');
      const seen = new Set<number>();
      for (const field of fields) {
        if (seen.has(field.number)) repeated.add(field.number);
        seen.add(field.number);
        values.set(field.number, [...(values.get(field.number) ?? []), field]);
      }
    }
    for (const [number, fields] of [...values].sort(([a], [b]) => a - b)) {
      const kind = kindOf(fields, depth);
      const ref =
        kind === type.MESSAGE
          ? add(
              fields.map(({ bytes }) => bytes!),
              depth + 1,
            )
          : -1;
      own.fields.push(fieldSchema(number, kind, ref, repeated.has(number)));
    }
    return index;
  };
  return { root: add(messages, 0), messages: all, enums: [] };
}

function fieldSchema(number: number, kind: number, ref: number, repeated: boolean): FieldSchema {
  const name = String(number);
  const presence = repeated ? 'implicit' : 'explicit';
  return { name, jsonName: name, number, type: kind, ref, repeated, presence, oneof: -1, default: undefined, packed: false, utf8: true };
}

/** Type that keeps all values of a field. */
function kindOf(fields: readonly WireField[], depth: number): number {
  const [{ number, wire }] = fields as [WireField];
  if (fields.some((field) => field.wire !== wire)) throw new Error(`Field ${number} has several wire types.`);
  switch (wire) {
    case type.VARINT:
      return type.INT64;
    case type.I64:
      return fields.every(({ bytes }) => isLikely(viewOf(bytes!).getFloat64(0, true))) ? type.DOUBLE : type.FIXED64;
    case type.I32:
      return fields.every(({ bytes }) => isLikely(viewOf(bytes!).getFloat32(0, true))) ? type.FLOAT : type.FIXED32;
    default:
      if (fields.every(({ bytes }) => textKind(bytes!, 0, bytes!.length) === PLAIN_TEXT)) return type.STRING;
      return depth < MAX_DEPTH && fields.every(({ bytes }) => isMessage(bytes!, 0, bytes!.length) && fieldsOfMessage(bytes!) !== undefined)
        ? type.MESSAGE
        : type.BYTES;
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** True for a plausible float, which keeps its bits when it is written again. */
function isLikely(value: number): boolean {
  return isLikelyFloat(value) && !Object.is(value, -0);
}

/** Messages of a sequence, each after its length as a varint. Throws if the last one is cut off. */
export function messagesIn(bytes: Uint8Array): Uint8Array[] {
  const found: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    const length = varintAt(bytes, at);
    if (!length) throw new Error('The body ends inside a length.');
    const end = length.next + length.value;
    if (end > bytes.length) throw new Error('The body ends inside a message.');
    found.push(bytes.subarray(length.next, end));
    at = end;
  }
  return found;
}
