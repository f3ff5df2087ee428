import type { OptionTable } from '../option-table.ts';
import type { FormatId } from '../format/format-id.ts';
import type { WriteOptions } from './registry.ts';
// Written by `scripts/generate/formats.mjs` up to the line "// End".
import { WRITE_OPTIONS as json } from './json/options.ts';
import { WRITE_OPTIONS as messagepack } from './messagepack/options.ts';
import { WRITE_OPTIONS as cbor } from './cbor/options.ts';
import { WRITE_OPTIONS as avro } from './avro/options.ts';
import { WRITE_OPTIONS as protobuf } from './protobuf/options.ts';
import { WRITE_OPTIONS as flatbuffers } from './flatbuffers/options.ts';
import { WRITE_OPTIONS as capnproto } from './capnproto/options.ts';
import { WRITE_OPTIONS as bebop } from './bebop/options.ts';
import { WRITE_OPTIONS as bson } from './bson/options.ts';
import { WRITE_OPTIONS as sia } from './sia/options.ts';
import { WRITE_OPTIONS as jsbinary } from './jsbinary/options.ts';
import { WRITE_OPTIONS as arrow } from './arrow/options.ts';
import { WRITE_OPTIONS as protojson } from './protojson/options.ts';

/** The values of the options for writing, by format. */
export const WRITING: { readonly [Id in FormatId]: OptionTable<WriteOptions[Id]> } = {
  json,
  messagepack,
  cbor,
  avro,
  protobuf,
  flatbuffers,
  capnproto,
  bebop,
  bson,
  sia,
  jsbinary,
  arrow,
  protojson,
};
// End
