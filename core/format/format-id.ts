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

/**
 * Other forms of one of these formats, which a call or a schema names: neither a media type nor the first bytes tell them. Each has a
 * folder in `core/formats` as well.
 */
export const NAMED_FORM_IDS = ['protojson'] as const;

/** The id of a format in options, events and errors. */
export type FormatId = (typeof FORMAT_IDS)[number] | (typeof NAMED_FORM_IDS)[number];
