import type { BebopOptions, BebopSchemaInput } from './bebop/options.ts';
import type { BsonOptions } from './bson/options.ts';
import type { AvroOptions, AvroSchemaInput } from './avro/options.ts';
import type { CapnProtoOptions, CapnProtoSchemaInput } from './capnproto/options.ts';
import type { CborOptions } from './cbor/options.ts';
import type { FlatBuffersOptions, FlatBuffersSchemaInput } from './flatbuffers/options.ts';
import type { JsBinaryOptions } from './jsbinary/options.ts';
import type { JsonOptions } from './json/options.ts';
import type { MessagePackOptions } from './messagepack/options.ts';
import type { ProtobufOptions, ProtobufSchemaInput } from './protobuf/options.ts';
import type { SiaOptions } from './sia/options.ts';

/** The options of each format, by its id. */
export interface FormatOptions {
  json: JsonOptions;
  messagepack: MessagePackOptions;
  cbor: CborOptions;
  avro: AvroOptions;
  protobuf: ProtobufOptions;
  flatbuffers: FlatBuffersOptions;
  capnproto: CapnProtoOptions;
  bebop: BebopOptions;
  bson: BsonOptions;
  sia: SiaOptions;
  jsbinary: JsBinaryOptions;
}

/** What a schema is, by the id of its format; the others take none. */
export interface FormatSchemas {
  avro: AvroSchemaInput;
  protobuf: ProtobufSchemaInput;
  flatbuffers: FlatBuffersSchemaInput;
  capnproto: CapnProtoSchemaInput;
  bebop: BebopSchemaInput;
  /** The literal that the package's `Type` takes. */
  jsbinary: string | object;
}

/** The id by which a format is named in options, events and errors. */
export type FormatId = keyof FormatOptions;

/** What is known of a format without loading it. */
export interface FormatEntry {
  id: FormatId;
  /** Media types, the preferred first; a `+suffix` stands for any type that ends with it. */
  mediaTypes: readonly string[];
  /** Needs a schema: `mostly` where options may do without one, so that the reader asks for it. */
  schema: boolean | 'mostly';
  /**
   * How sure the first bytes make it, from 0 (cannot be) to 1 (a magic number). At most the first 64 bytes are given,
   * with the length of the whole input where it is known.
   */
  sniff(head: Uint8Array, length?: number): number;
}

export const FORMATS: readonly FormatEntry[] = [
  {
    id: 'json',
    mediaTypes: ['application/json', '+json', 'text/json', 'application/x-ndjson', 'application/jsonl'],
    schema: false,
    sniff: sniffJson,
  },
  {
    id: 'messagepack',
    mediaTypes: ['application/vnd.msgpack', 'application/msgpack', 'application/x-msgpack', '+msgpack'],
    schema: false,
    sniff: sniffMessagePack,
  },
  {
    id: 'cbor',
    mediaTypes: ['application/cbor', '+cbor', 'application/cbor-seq', '+cbor-seq'],
    schema: false,
    sniff: sniffCbor,
  },
  {
    id: 'avro',
    mediaTypes: [
      'application/avro', 'avro/binary', 'application/vnd.apache.avro+binary', 'application/vnd.apache.avro', 'application/x-avro', '+avro',
    ],
    // Containers have theirs.
    schema: false,
    sniff: sniffAvro,
  },
  {
    id: 'protobuf',
    mediaTypes: ['application/x-protobuf', 'application/protobuf', 'application/vnd.google.protobuf', '+protobuf', '+proto'],
    // The option `schemaless` does without.
    schema: 'mostly',
    // Any bytes may be a message, and only a schema tells of what.
    sniff: () => 0,
  },
  {
    id: 'flatbuffers',
    mediaTypes: ['application/x-flatbuffers', 'application/flatbuffers', '+flatbuffers'],
    schema: true,
    // Any bytes may be a buffer, and only a schema tells of what.
    sniff: () => 0,
  },
  {
    id: 'capnproto',
    mediaTypes: ['application/x-capnproto', 'application/capnproto', '+capnproto'],
    schema: true,
    // Any words may be a message, and only a schema tells of what.
    sniff: () => 0,
  },
  {
    id: 'bebop',
    mediaTypes: ['application/x-bebop', 'application/bebop', '+bebop'],
    schema: true,
    // Any bytes may be a record, and only a schema tells of what.
    sniff: () => 0,
  },
  {
    id: 'bson',
    mediaTypes: ['application/bson', 'application/x-bson', '+bson'],
    schema: false,
    sniff: sniffBson,
  },
  {
    id: 'sia',
    mediaTypes: ['application/x-sia', '+sia'],
    schema: false,
    sniff: sniffSia,
  },
  {
    id: 'jsbinary',
    mediaTypes: ['application/x-js-binary', '+js-binary'],
    schema: true,
    // Any bytes may be a value, and only the type tells of what.
    sniff: () => 0,
  },
];

/** White space, then a character that a JSON text can start with (RFC 8259 section 2). */
function sniffJson(head: Uint8Array): number {
  let at = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
  while (head[at] === 0x20 || head[at] === 0x0a || head[at] === 0x0d || head[at] === 0x09) at += 1;
  const first = head[at];
  if (first === undefined) return 0;
  if (first === 0x7b || first === 0x5b) return 0.9;
  return /^(?:"|-?\d|true|false|null)/.test(String.fromCharCode(...head.subarray(at, at + 5))) ? 0.5 : 0;
}

/** A map, array or record header; the bytes of plain text and 0xc1 are unlikely. */
function sniffMessagePack(head: Uint8Array): number {
  const first = head[0];
  if (first === undefined || first === 0xc1) return 0;
  if ((first >= 0x80 && first <= 0x9f) || (first >= 0xdc && first <= 0xdf)) return 0.7;
  if (first >= 0xc4 && first <= 0xdb) return 0.5;
  return 0.1;
}

/**
 * The tag of self-described CBOR (RFC 8949 section 3.4.6); a map whose first key is a text string; another map or an
 * array. The heads of small maps are those of strings in MessagePack, those of small arrays its maps.
 */
function sniffCbor(head: Uint8Array): number {
  const [first, second, third] = head;
  if (first === undefined) return 0;
  if (first === 0xd9 && second === 0xd9 && third === 0xf7) return 1;
  if ((first >= 0xa1 && first <= 0xb7) || first === 0xbf) return second !== undefined && second >> 5 === 3 ? 0.8 : 0.4;
  if (first >= 0xb8 && first <= 0xba) return 0.6;
  if ((first >= 0x80 && first <= 0x9a) || first === 0x9f || first === 0xa0) return 0.45;
  return 0.1;
}

/** The size of a document, then the type of its first element and a key that ends; the size may be that of the input. */
function sniffBson(head: Uint8Array, length?: number): number {
  const [a = 0, b = 0, c = 0, d = 0, type] = head;
  const size = a + b * 0x100 + c * 0x1_0000 + d * 0x100_0000;
  if (type === undefined || size < 5 || size > 0x7fff_ffff || (length !== undefined && size > length)) return 0;
  if (type === 0) return size === 5 && (length ?? 5) === 5 ? 0.95 : 0.1;
  if (type > 0x13 && type !== 0x7f && type !== 0xff) return 0;
  const end = head.indexOf(0, 5);
  if (end < 0 && head.length < 64) return 0;
  // Control characters are no part of a key that people choose.
  const key = head.subarray(5, end < 0 ? head.length : end);
  if (key.some((byte) => byte < 0x20)) return 0;
  return size === length ? 0.95 : end < 0 ? 0.3 : 0.75;
}

/** The start of an object and a string as its first key, perhaps in an array. */
function sniffSia(head: Uint8Array): number {
  const at = head[0] === 0x2f ? 2 : head[0] === 0x30 ? 3 : 0;
  if (head[at] === 0x34 && ((head[at + 1]! >= 0x1b && head[at + 1]! <= 0x1e) || head[at + 1] === 0x35)) return 0.8;
  return head[0]! <= 0x39 ? 0.05 : 0;
}

/** The magic of a container; other data are known by their schema alone. */
function sniffAvro([first, second, third, fourth]: Uint8Array): number {
  return first === 0x4f && second === 0x62 && third === 0x6a && fourth === 0x01 ? 1 : 0;
}

/** The entry of a format id; undefined where there is none. */
export function formatEntry(id: string): FormatEntry | undefined {
  return FORMATS.find((entry) => entry.id === id);
}
