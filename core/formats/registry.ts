import type { FormatId } from '../format/format-id.ts';
import type { FormatAbout, FormatFacts, Sniff } from '../format/facts.ts';
// Written by `scripts/generate/formats.mjs` up to the line "// End".
import * as json from './json/about.ts';
import type { JsonOptions, JsonWriteOptions } from './json/options.ts';
import * as messagepack from './messagepack/about.ts';
import type { MessagePackOptions, MessagePackWriteOptions } from './messagepack/options.ts';
import * as cbor from './cbor/about.ts';
import type { CborOptions, CborWriteOptions } from './cbor/options.ts';
import * as avro from './avro/about.ts';
import type { AvroOptions, AvroSchemaInput, AvroWriteOptions } from './avro/options.ts';
import * as protobuf from './protobuf/about.ts';
import type { ProtobufOptions, ProtobufSchemaInput, ProtobufWriteOptions } from './protobuf/options.ts';
import * as flatbuffers from './flatbuffers/about.ts';
import type { FlatBuffersOptions, FlatBuffersSchemaInput, FlatBuffersWriteOptions } from './flatbuffers/options.ts';
import * as capnproto from './capnproto/about.ts';
import type { CapnProtoOptions, CapnProtoSchemaInput, CapnProtoWriteOptions } from './capnproto/options.ts';
import * as bebop from './bebop/about.ts';
import type { BebopOptions, BebopSchemaInput, BebopWriteOptions } from './bebop/options.ts';
import * as bson from './bson/about.ts';
import type { BsonOptions, BsonWriteOptions } from './bson/options.ts';
import * as sia from './sia/about.ts';
import type { SiaOptions, SiaWriteOptions } from './sia/options.ts';
import * as jsbinary from './jsbinary/about.ts';
import type { JsBinaryOptions, JsBinarySchemaInput, JsBinaryWriteOptions } from './jsbinary/options.ts';
import * as arrow from './arrow/about.ts';
import type { ArrowOptions, ArrowWriteOptions } from './arrow/options.ts';
import * as protojson from './protojson/about.ts';
import type { ProtoJsonOptions, ProtoJsonSchemaInput, ProtoJsonWriteOptions } from './protojson/options.ts';

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
  arrow: ArrowOptions;
  protojson: ProtoJsonOptions;
}

/** The write options of each format, by its id. */
export interface WriteOptions {
  json: JsonWriteOptions;
  messagepack: MessagePackWriteOptions;
  cbor: CborWriteOptions;
  avro: AvroWriteOptions;
  protobuf: ProtobufWriteOptions;
  flatbuffers: FlatBuffersWriteOptions;
  capnproto: CapnProtoWriteOptions;
  bebop: BebopWriteOptions;
  bson: BsonWriteOptions;
  sia: SiaWriteOptions;
  jsbinary: JsBinaryWriteOptions;
  arrow: ArrowWriteOptions;
  protojson: ProtoJsonWriteOptions;
}

/** The schema input of each format that takes one, by its id. */
export interface FormatSchemas {
  avro: AvroSchemaInput;
  protobuf: ProtobufSchemaInput;
  flatbuffers: FlatBuffersSchemaInput;
  capnproto: CapnProtoSchemaInput;
  bebop: BebopSchemaInput;
  jsbinary: JsBinarySchemaInput;
  protojson: ProtoJsonSchemaInput;
}

/** Formats that take a schema. */
export const WITH_SCHEMA: Readonly<Record<keyof FormatSchemas, true>> = {
  avro: true,
  protobuf: true,
  flatbuffers: true,
  capnproto: true,
  bebop: true,
  jsbinary: true,
  protojson: true,
};

export const FORMATS: readonly FormatEntry[] = [
  json.facts,
  messagepack.facts,
  cbor.facts,
  avro.facts,
  protobuf.facts,
  flatbuffers.facts,
  capnproto.facts,
  bebop.facts,
  bson.facts,
  sia.facts,
  jsbinary.facts,
  arrow.facts,
];

/** Other forms of these formats, which a call or a schema names. */
export const NAMED_FORMS: readonly FormatEntry[] = [protojson.facts];

/** Facts that tools need about each format. Bundles without such tools leave them out. */
export const ABOUT: Readonly<Record<FormatId, FormatAbout>> = {
  json: json.about,
  messagepack: messagepack.about,
  cbor: cbor.about,
  avro: avro.about,
  protobuf: protobuf.about,
  flatbuffers: flatbuffers.about,
  capnproto: capnproto.about,
  bebop: bebop.about,
  bson: bson.about,
  sia: sia.about,
  jsbinary: jsbinary.about,
  arrow: arrow.about,
  protojson: protojson.about,
};

/** Sniffers of formats that the first bytes identify. In other formats, any bytes may be valid. */
export const SNIFFERS: Readonly<Partial<Record<FormatId, Sniff>>> = {
  json: json.sniff,
  messagepack: messagepack.sniff,
  cbor: cbor.sniff,
  avro: avro.sniff,
  bson: bson.sniff,
  sia: sia.sniff,
  arrow: arrow.sniff,
};
// End

/** Facts about a format that are available before its code is loaded. */
export type FormatEntry = FormatFacts<FormatId>;

/** The entry of a format id; undefined for unknown ids. */
export function formatEntry(id: string): FormatEntry | undefined {
  return [...FORMATS, ...NAMED_FORMS].find((entry) => entry.id === id);
}
