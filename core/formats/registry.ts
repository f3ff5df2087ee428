import * as avro from './avro/about.ts';
import type { AvroOptions, AvroSchemaInput } from './avro/options.ts';
import * as bebop from './bebop/about.ts';
import type { BebopOptions, BebopSchemaInput } from './bebop/options.ts';
import * as bson from './bson/about.ts';
import type { BsonOptions } from './bson/options.ts';
import * as capnproto from './capnproto/about.ts';
import type { CapnProtoOptions, CapnProtoSchemaInput } from './capnproto/options.ts';
import * as cbor from './cbor/about.ts';
import type { CborOptions } from './cbor/options.ts';
import * as flatbuffers from './flatbuffers/about.ts';
import type { FlatBuffersOptions, FlatBuffersSchemaInput } from './flatbuffers/options.ts';
import * as jsbinary from './jsbinary/about.ts';
import type { JsBinaryOptions } from './jsbinary/options.ts';
import * as json from './json/about.ts';
import type { JsonOptions } from './json/options.ts';
import * as messagepack from './messagepack/about.ts';
import type { MessagePackOptions } from './messagepack/options.ts';
import * as protobuf from './protobuf/about.ts';
import type { ProtobufOptions, ProtobufSchemaInput } from './protobuf/options.ts';
import * as sia from './sia/about.ts';
import type { SiaOptions } from './sia/options.ts';
import type { FormatAbout, FormatFacts } from './facts.ts';

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

/** The schema input of each format that takes one, by its id. */
export interface FormatSchemas {
  avro: AvroSchemaInput;
  protobuf: ProtobufSchemaInput;
  flatbuffers: FlatBuffersSchemaInput;
  capnproto: CapnProtoSchemaInput;
  bebop: BebopSchemaInput;
  /** The literal that the package's `Type` takes. */
  jsbinary: string | object;
}

/** The id of a format in options, events and errors. */
export type FormatId = keyof FormatOptions;

/** Facts about a format that are available before its code is loaded. */
export type FormatEntry = FormatFacts<FormatId>;

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
];

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
};

/** The entry of a format id; undefined for unknown ids. */
export function formatEntry(id: string): FormatEntry | undefined {
  return FORMATS.find((entry) => entry.id === id);
}
