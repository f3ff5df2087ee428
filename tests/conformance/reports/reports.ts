import { CBOR } from './cbor.ts';
import { ARROW, CAPNPROTO, FLATBUFFERS } from './columns.ts';
import { JSON_TEXT } from './json.ts';
import { MESSAGEPACK } from './messagepack.ts';
import type { Report } from './report.ts';
import { AVRO, BSON, PROTOBUF } from './schemas.ts';

/** Reports whose inputs are tried in Node and in the browsers, by what they are about. */
export const REPORTS: ReadonlyMap<string, readonly Report[]> = new Map([
  ['MessagePack', MESSAGEPACK],
  ['CBOR', CBOR],
  ['BSON', BSON],
  ['JSON, NDJSON and event streams', JSON_TEXT],
  ['Protocol Buffers', PROTOBUF],
  ['Avro', AVRO],
  ['Arrow', ARROW],
  ['FlatBuffers', FLATBUFFERS],
  ['Cap’n Proto', CAPNPROTO],
]);
