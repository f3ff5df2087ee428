import protobuf, { type ProtobufOptions } from '../../../core/formats/protobuf/index.ts';
import { Bytes, Dice, randomMessage } from '../../unit/core/formats/protobuf/random.ts';

const PROTO = `
  syntax = "proto2";
  import "google/protobuf/any.proto"; import "google/protobuf/struct.proto"; import "google/protobuf/timestamp.proto";
  import "google/protobuf/duration.proto"; import "google/protobuf/field_mask.proto"; import "google/protobuf/wrappers.proto";
  message M {
    optional int32 a = 1; optional sint64 b = 2; optional double c = 3; optional string d = 4; optional bytes e = 5;
    repeated int32 list = 6; repeated fixed64 packed = 7 [packed = true]; repeated string texts = 8;
    optional M inner = 9; repeated M inners = 10; map<string, M> by_name = 11; map<int64, Colour> colours = 12;
    oneof choice { bool yes = 13; M message = 14; } optional group Pair = 15 { required int32 left = 1; repeated Pair right = 16; }
    optional Colour colour = 17; repeated Colour all = 18;
    optional google.protobuf.Timestamp when = 20; optional google.protobuf.Duration period = 21;
    optional google.protobuf.FieldMask mask = 22; optional google.protobuf.Any any = 23; optional google.protobuf.Struct struct = 24;
    repeated google.protobuf.Value values = 25; optional google.protobuf.StringValue text = 26;
  }
  enum Colour { RED = 1; GREEN = 2; }`;

/** The schema of the inputs. */
export const schema = await protobuf.compileSchema!({ proto: PROTO, message: 'M' });

/** Options for decoding mutated inputs, used in turn. */
export const options: readonly ProtobufOptions[] = [
  {},
  { wellKnownTypes: 'value', enums: 'name', oneofs: true, defaults: 'none' },
  { unknown: 'keep', maps: 'map', int64: 'string', defaults: 'all', partial: true },
  { sequence: true, int64: 'bigint', names: 'json' },
  { schemaless: true },
  { schemaless: true, sequence: true },
];

/** Valid inputs of every kind. */
export function seeds(): Uint8Array[] {
  const messages = Array.from({ length: 40 }, (_, seed) =>
    Uint8Array.from(randomMessage(new Dice(seed), schema!, schema!.root, { orderly: seed % 2 === 0, unknown: seed % 4 > 1 })),
  ).filter(({ length }) => length < 2000);
  const sequence = new Bytes();
  for (const message of messages.slice(0, 10)) sequence.delimited(message);
  return [...messages, Uint8Array.from(sequence.list)];
}
