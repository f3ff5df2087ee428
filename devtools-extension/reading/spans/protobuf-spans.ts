import { DecodeError, LimitError } from '../../../core/errors.ts';
import { isMessage, PLAIN_TEXT, textKind } from '../../../core/formats/protobuf/schemaless/guess.ts';
import * as type from '../../../core/formats/protobuf/schema/schema.ts';
import type { FieldSchema, ProtobufSchema } from '../../../core/formats/protobuf/schema/schema.ts';
import type { Sink } from '../../../core/reading/sink.ts';
import { validateUtf8 } from '../../../core/bytes/text/text.ts';
import { bigVarintAt, isLikelyFloat, type Varint } from '../../values/numbers-in-bytes.ts';
import { isAny, messageOfUrl } from '../../describe/with-schema/protobuf-types.ts';

const DEPTH = 200;

/** An open message or group. */
interface Level {
  end: number;
  /** Group number; 0 for a message. */
  group: number;
  /** Index of the message type; −1 if unknown. */
  type: number;
  /** Type of the message in an Any, once its URL was read; −1 for another message. */
  any: number;
}

/**
 * Sends the fields of a message in byte order with their ranges. `ProtobufReader` merges repeated fields instead. A field is named as in the schema, otherwise by its number, and so is a value that does not have the declared type. The message in an Any is read with its type if the schema has it. Without a schema, the wire type determines a value's type, and bytes that parse as a message are read as one.
 *
 *     tag varint = number << 3 | wire type,  value
 */
export function walkProtobuf(
  bytes: Uint8Array,
  sink: Sink,
  schema: ProtobufSchema | undefined,
  { sequence = false }: { sequence?: boolean } = {},
): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const fields = schema?.messages.map((message) => new Map(message.fields.map((field) => [field.number, field])));
  const levels: Level[] = [];
  const rootType = schema ? schema.root : -1;
  let at = 0;
  sink.window(bytes, view, 0);
  if (sequence) sink.beginArray(-1, 0, 0);
  else open(rootType, bytes.length, 0, 0, 0);

  while (at < bytes.length || levels.length > 0) {
    const level = levels.at(-1);
    if (!level) {
      const length = varint(at, bytes.length);
      const end = length.next + Number(length.value);
      if (end > bytes.length) fail('truncated', 'the input ends inside a message', bytes.length);
      open(rootType, end, 0, at, length.next);
      at = length.next;
    } else if (at >= level.end) {
      if (level.group > 0) fail('truncated', 'the input ends inside a group', at);
      close(at);
      if (levels.length === 0 && !sequence) break;
    } else {
      readField(level);
    }
  }
  if (sequence) sink.endArray(at);

  function readField(level: Level): void {
    const start = at;
    const { value: tag, next } = varint(at, level.end);
    if (tag < 8n) fail('malformed', 'invalid field number 0', at);
    if (tag > 0xffffffffn) fail('malformed', 'tag exceeds 32 bits', at);
    const number = Number(tag >> 3n);
    const wire = Number(tag & 7n);
    const field = fields?.[level.type]?.get(number);
    if (wire === type.EGROUP) {
      if (level.group !== number) fail('malformed', 'end of a group that did not start', at);
      at = next;
      close(at);
      return;
    }
    const known = field && fits(field, wire, next, level.end) ? field : undefined;
    sink.keyText(known?.name ?? String(number), start, next);
    switch (wire) {
      case type.VARINT: {
        const found = varint(next, level.end);
        sendVarint(found.value, known?.type ?? 0, next, found.next);
        at = found.next;
        break;
      }
      case type.I64:
      case type.I32: {
        const size = wire === type.I64 ? 8 : 4;
        if (next + size > level.end) fail('truncated', 'number extends past its message', next);
        sendFixed(known?.type ?? 0, next, size);
        at = next + size;
        break;
      }
      case type.LEN: {
        const length = varint(next, level.end);
        const end = length.next + Number(length.value);
        if (end > level.end) fail('truncated', 'field extends past its message', next);
        sendBytes(known, next, length.next, end, level);
        break;
      }
      case type.SGROUP:
        open(known ? known.ref : -1, level.end, number, next, next);
        at = next;
        break;
      default:
        fail('malformed', `unknown wire type ${wire}`, start);
    }
  }

  /** True if a value has the declared type. One that does not is shown by its number, as without a schema. */
  function fits(field: FieldSchema, wire: number, at: number, limit: number): boolean {
    const isPacked = wire === type.LEN && field.repeated && type.isPackable(field.type);
    if (type.WIRE[field.type] !== wire && !isPacked) return false;
    if (wire !== type.LEN) return true;
    const { value, next: from } = varint(at, limit);
    const end = from + Number(value);
    // A value that is cut off is reported as such.
    if (end > limit) return true;
    if (isPacked)
      return type.WIRE[field.type] === type.VARINT ? endsVarint(from, end) : (end - from) % (type.WIRE[field.type] === type.I64 ? 8 : 4) === 0;
    if (field.type === type.STRING) return !field.utf8 || validateUtf8(bytes, from, end) < 0;
    return field.type !== type.MESSAGE || isMessage(bytes, from, end);
  }

  function endsVarint(from: number, end: number): boolean {
    return from === end || bytes[end - 1]! < 0x80;
  }

  function sendBytes(field: FieldSchema | undefined, start: number, from: number, end: number, level: Level): void {
    at = end;
    if (field?.type === type.MESSAGE) {
      open(field.ref, end, 0, start, from);
      at = from;
    } else if (field?.type === type.STRING) {
      if (field.number === 1 && schema && isAny(schema, level.type))
        level.any = messageOfUrl(schema, new TextDecoder().decode(bytes.subarray(from, end)));
      sink.string(start, from, end);
    } else if (field?.type === type.BYTES && level.any >= 0 && isMessage(bytes, from, end)) {
      open(level.any, end, 0, start, from);
      at = from;
    } else if (field && field.type !== type.BYTES && field.type !== type.GROUP) {
      sendPacked(field.type, start, from, end);
    } else if (field || from === end) {
      if (field) sink.binary(0, start, from, end);
      else sink.string(start, from, end);
    } else if (textKind(bytes, from, end) === PLAIN_TEXT) {
      sink.string(start, from, end);
    } else if (levels.length < DEPTH && isMessage(bytes, from, end)) {
      open(-1, end, 0, start, from);
      at = from;
    } else if (validateUtf8(bytes, from, end) < 0 && level.type < 0 && isPrintable(from, end)) {
      sink.string(start, from, end);
    } else {
      sink.binary(0, start, from, end);
    }
  }

  function sendPacked(kind: number, start: number, from: number, end: number): void {
    sink.beginArray(-1, start, from);
    const wire = type.WIRE[kind]!;
    let place = from;
    while (place < end) {
      if (wire === type.VARINT) {
        const found = varint(place, end);
        sendVarint(found.value, kind, place, found.next);
        place = found.next;
      } else {
        const size = wire === type.I64 ? 8 : 4;
        if (place + size > end) fail('malformed', 'packed list ends inside a number', place);
        sendFixed(kind, place, size);
        place += size;
      }
    }
    sink.endArray(end);
  }

  function sendVarint(value: bigint, kind: number, start: number, end: number): void {
    let meant = value;
    if (kind === type.BOOL) return sink.boolean(value !== 0n, start, end);
    if (kind === type.SINT32) meant = zigzag(BigInt.asUintN(32, value));
    else if (kind === type.SINT64) meant = zigzag(BigInt.asUintN(64, value));
    else if (kind === type.INT32 || kind === type.ENUM) meant = BigInt.asIntN(32, value);
    else if (kind === type.UINT32) meant = BigInt.asUintN(32, value);
    else if (kind === type.INT64 || kind === 0) meant = BigInt.asIntN(64, value);
    else meant = BigInt.asUintN(64, value);
    return sendInteger(meant, start, end);
  }

  function sendFixed(kind: number, start: number, size: number): void {
    const end = start + size;
    if (size === 8) {
      const double = view.getFloat64(start, true);
      if (kind === type.DOUBLE || (kind === 0 && isLikelyFloat(double))) sink.float(double, start, end);
      else sendInteger(kind === type.SFIXED64 ? view.getBigInt64(start, true) : view.getBigUint64(start, true), start, end);
      return;
    }
    const float = view.getFloat32(start, true);
    if (kind === type.FLOAT || (kind === 0 && isLikelyFloat(float))) sink.float(float, start, end);
    else sink.integer(kind === type.SFIXED32 ? view.getInt32(start, true) : view.getUint32(start, true), start, end);
  }

  function sendInteger(value: bigint, start: number, end: number): void {
    const near = Number(value);
    if (Number.isSafeInteger(near)) sink.integer(near, start, end);
    else sink.bigint(value, start, end);
  }

  function open(message: number, end: number, group: number, start: number, from: number): void {
    if (levels.length >= DEPTH) throw new LimitError('depth', `depth limit exceeded (${DEPTH})`, { format: 'protobuf', offset: start });
    sink.beginObject(-1, start, from);
    levels.push({ end, group, type: message, any: -1 });
  }

  function close(end: number): void {
    levels.pop();
    sink.endObject(end);
  }

  function varint(start: number, end: number): Varint<bigint> {
    const found = bigVarintAt(bytes, start, end);
    if (found) return found;
    return end - start < 10 ? fail('truncated', 'the input ends inside a varint', end) : fail('malformed', 'varint exceeds 10 bytes', start);
  }

  function isPrintable(from: number, end: number): boolean {
    for (let place = from; place < end; place += 1) {
      const byte = bytes[place]!;
      if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) return false;
    }
    return true;
  }

  function fail(code: 'truncated' | 'malformed', reason: string, offset: number): never {
    throw new DecodeError(code, reason, { format: 'protobuf', offset });
  }
}

/** Signed value of a zigzag-encoded one (https://protobuf.dev/programming-guides/encoding/#signed-ints). */
function zigzag(value: bigint): bigint {
  return (value >> 1n) ^ -(value & 1n);
}
