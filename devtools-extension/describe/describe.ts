import * as is from '../../core/sinks/spans/tree.ts';
import type { SpanTree } from '../../core/sinks/spans/tree.ts';
import { describeAvro, describeAvroKey, noteAvro } from './with-schema/avro.ts';
import { describeBebop, noteBebop } from './with-schema/bebop.ts';
import { describeBson } from './without-schema/bson.ts';
import { describeCapnProto, noteCapnProto } from './with-schema/capnproto.ts';
import { describeCbor } from './without-schema/cbor.ts';
import type { Description, Place } from './terms/description.ts';
import { describeFlatBuffers, noteFlatBuffers } from './with-schema/flatbuffers.ts';
import { describeJsBinary, noteJsBinary } from './with-schema/jsbinary.ts';
import { describeJson } from './without-schema/json.ts';
import { describeMessagePack } from './without-schema/messagepack.ts';
import { describeProtobuf, noteProtobuf } from './with-schema/protobuf.ts';
import { cborRecord, messagePackRecord, recordNote } from './without-schema/records.ts';
import { describeSia } from './without-schema/sia.ts';

type Describer = (place: Place) => Description;

const DESCRIBERS: Readonly<Record<string, Describer>> = {
  json: describeJson,
  messagepack: describeMessagePack,
  cbor: describeCbor,
  bson: describeBson,
  protobuf: describeProtobuf,
  sia: describeSia,
};

/** Describers for formats whose bytes carry no types: they use the schema of the body. */
const BY_SCHEMA: Readonly<Record<string, Describer>> = {
  avro: describeAvro,
  bebop: describeBebop,
  capnproto: describeCapnProto,
  flatbuffers: describeFlatBuffers,
  jsbinary: describeJsBinary,
};

/** Describes the encoding of a value. */
export function describe(format: string, tree: SpanTree, node: number): Description {
  const { values, ends, heads, kinds, schema } = tree.data;
  const at = values[node]!;
  const end = ends[node]!;
  const shell = tree.data.shell?.get(node);
  if (shell !== undefined) return { name: shell, type: 0, length: 0 };
  const describer = DESCRIBERS[format] ?? (schema === undefined ? undefined : BY_SCHEMA[format]);
  if (describer && node > 0) {
    const found = describer({ tree, node, bytes: tree.bytes, at, end });
    // A value derived from a tag has no bytes of its own.
    if (found.name === '') return { ...found, name: is.KIND_NAMES[kinds[node]!]! };
    if (found.type + found.length <= end - at) return found;
    return { ...found, type: Math.min(found.type, end - at), length: 0 };
  }
  const head = Math.min(heads[node]!, end - at);
  return { name: is.KIND_NAMES[kinds[node]!]!, type: kinds[node]! >= is.ARRAY ? head : 0, length: kinds[node]! >= is.ARRAY ? 0 : head };
}

const NOTES: Readonly<Record<string, (tree: SpanTree, node: number) => string>> = {
  avro: noteAvro,
  bebop: noteBebop,
  capnproto: noteCapnProto,
  flatbuffers: noteFlatBuffers,
  jsbinary: noteJsBinary,
  protobuf: noteProtobuf,
};

/** Note on a value: its field and type in the schema, or a record's keys and the position of their definition. May be empty. */
export function describeNote(format: string, tree: SpanTree, node: number): string {
  if (node === 0 || node >= tree.count) return '';
  if (format === 'messagepack') return recordNote(tree, node, messagePackRecord);
  if (format === 'cbor') return recordNote(tree, node, cborRecord);
  return tree.data.schema === undefined ? '' : (NOTES[format]?.(tree, node) ?? '');
}

/** Note without the enclosing message, for a row: `string name = 1` for Protocol Buffers. */
export function declaredText(format: string, note: string): string {
  return format === 'protobuf' ? note.slice(note.indexOf(': ') < 0 ? 0 : note.indexOf(': ') + 2) : note;
}

/** Describes the encoding of a value's key; empty without a key. */
export function describeKey(format: string, tree: SpanTree, node: number): string {
  const { starts, values, parents, kinds } = tree.data;
  const at = starts[node]!;
  if (at === values[node] || !tree.hasName(node)) return '';
  const place: Place = { tree, node, bytes: tree.bytes, at, end: values[node]! };
  switch (format) {
    case 'messagepack':
      return describeMessagePack(place).name;
    case 'cbor':
      return describeCbor(place).name;
    case 'sia':
      return describeSia(place).name;
    case 'protobuf':
      return 'tag';
    case 'avro':
      return kinds[parents[node]!] === is.OBJECT ? describeAvroKey(tree.bytes, at) : 'key';
    case 'bebop':
      return `index ${tree.bytes[at]}`;
    case 'jsbinary':
      return tree.bytes[at]! > 1 ? 'string' : 'optional, present';
    default:
      return 'key';
  }
}
