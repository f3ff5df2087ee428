/** The formats, in the order of their preference. Each has a folder in `core/formats`. */
export const FORMAT_IDS = [
  'json',
  'messagepack',
  'cbor',
  'avro',
  'protobuf',
  'flatbuffers',
  'capnproto',
  'bebop',
  'bson',
  'sia',
  'jsbinary',
  'arrow',
] as const;

/** The id of a format in options, events and errors. */
export type FormatId = (typeof FORMAT_IDS)[number];
