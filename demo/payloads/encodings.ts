import type { FormatChoice, FormatId, SchemaDefinition } from 'unspool';
import avroSchema from '../server/schemas/trips.avsc?raw';
import bebopSchema from '../server/schemas/trips.bop?raw';
import jsbinarySchema from '../server/schemas/trips.jsbinary.json?raw';
import protoSchema from '../server/schemas/trips.proto?raw';

/** Schemas of the trips, by encoding. */
export const SCHEMAS: Record<string, SchemaDefinition> = {
  avro: { format: 'avro', schema: JSON.parse(avroSchema) as object },
  bebop: { format: 'bebop', schema: { bop: bebopSchema, record: 'Trips' } },
  jsbinary: { format: 'jsbinary', schema: JSON.parse(jsbinarySchema) as object },
  protobuf: { format: 'protobuf', schema: { proto: protoSchema, message: 'unspool.demo.Trips' } },
};

interface EncodingInfo {
  label: string;
  /** One sentence about it. */
  note: string;
  /** Short name for addresses: narrow lists of requests show nine letters. */
  name: string;
  format: FormatId;
}

/** Encodings of the trips, by their name on the payload server. */
export const ENCODING_TABLE = {
  json: { label: 'JSON', note: 'Text; every row repeats its keys.', name: 'json', format: 'json' },
  messagepack: {
    label: 'MessagePack',
    note: 'Binary; every row is a map that repeats its keys.',
    name: 'msgpack',
    format: 'messagepack',
  },
  'messagepack-records': {
    label: 'MessagePack records',
    note: 'msgpackr’s record extension: the keys are written once.',
    name: 'records',
    format: 'messagepack',
  },
  'messagepack-records-bundled': {
    label: 'Records, bundled strings',
    note: 'Records, with the strings of many rows stored together.',
    name: 'bundled',
    format: 'messagepack',
  },
  cbor: {
    label: 'CBOR',
    note: 'Binary, RFC 8949; every row is a map that repeats its keys.',
    name: 'cbor',
    format: 'cbor',
  },
  avro: {
    label: 'Avro',
    note: 'Binary with a schema; the payload contains neither keys nor types.',
    name: 'avro',
    format: 'avro',
  },
  protobuf: {
    label: 'Protocol Buffers',
    note: 'Binary with a schema; a number replaces each key.',
    name: 'protobuf',
    format: 'protobuf',
  },
  bson: { label: 'BSON', note: 'MongoDB’s binary JSON; every row repeats its keys.', name: 'bson', format: 'bson' },
  bebop: { label: 'Bebop', note: 'Binary with a schema; fields have a fixed width.', name: 'bebop', format: 'bebop' },
  sia: { label: 'Sia', note: 'Self-describing binary; every row repeats its keys.', name: 'sia', format: 'sia' },
  jsbinary: {
    label: 'js-binary',
    note: 'Binary with a type that is a JavaScript literal.',
    name: 'jsbinary',
    format: 'jsbinary',
  },
} as const satisfies Record<string, EncodingInfo>;

export type AnyEncoding = keyof typeof ENCODING_TABLE;

/** Choices for a list of encodings. */
export function choicesOf<Id extends AnyEncoding>(...ids: Id[]): { value: Id; label: string; note: string }[] {
  return ids.map((value) => ({ value, label: ENCODING_TABLE[value].label, note: ENCODING_TABLE[value].note }));
}

/** Options for decoding an encoding with a decoder that has the schemas. */
export function decodeOptionsOf(encoding: AnyEncoding): FormatChoice {
  const { format } = ENCODING_TABLE[encoding];
  return encoding in SCHEMAS ? { schema: encoding } : { format };
}
