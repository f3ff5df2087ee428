/** A field's type, by its number in descriptor.proto (`FieldDescriptorProto.Type`). */
export const DOUBLE = 1;
export const FLOAT = 2;
export const INT64 = 3;
export const UINT64 = 4;
export const INT32 = 5;
export const FIXED64 = 6;
export const FIXED32 = 7;
export const BOOL = 8;
export const STRING = 9;
export const GROUP = 10;
export const MESSAGE = 11;
export const BYTES = 12;
export const UINT32 = 13;
export const ENUM = 14;
export const SFIXED32 = 15;
export const SFIXED64 = 16;
export const SINT32 = 17;
export const SINT64 = 18;

/** By type its name in a `.proto` text. */
export const TYPE_NAMES: readonly string[] = [
  '',
  'double',
  'float',
  'int64',
  'uint64',
  'int32',
  'fixed64',
  'fixed32',
  'bool',
  'string',
  'group',
  'message',
  'bytes',
  'uint32',
  'enum',
  'sfixed32',
  'sfixed64',
  'sint32',
  'sint64',
];

/** Wire types (https://protobuf.dev/programming-guides/encoding/#structure). */
export const VARINT = 0;
export const I64 = 1;
export const LEN = 2;
export const SGROUP = 3;
export const EGROUP = 4;
export const I32 = 5;

/** By field type its wire type. */
export const WIRE = Uint8Array.of(
  0,
  I64,
  I32,
  VARINT,
  VARINT,
  VARINT,
  I64,
  I32,
  VARINT,
  LEN,
  SGROUP,
  LEN,
  LEN,
  VARINT,
  VARINT,
  I32,
  I64,
  VARINT,
  VARINT,
);

/** Whether a field type may be packed: every one that is not a string, bytes, a message or a group. */
export function isPackable(type: number): boolean {
  return WIRE[type] !== LEN && WIRE[type] !== SGROUP;
}

/** Whether a field that is not on the wire differs from one with the default value. `optional`: as proto3 has the word. */
export type Presence = 'explicit' | 'optional' | 'implicit' | 'required';

/** The default of a field, where it is not zero or empty. An enum's is its number. */
export type DefaultValue = number | bigint | boolean | string | Uint8Array;

/** One field. Plain data. */
export interface FieldSchema {
  /** As in the `.proto`; of an extension its full name in brackets, as in JSON. */
  name: string;
  /** The JSON mapping's name: `json_name` or lower camel case. */
  jsonName: string;
  number: number;
  /** `GROUP` is also a message field of the delimited encoding. */
  type: number;
  /** Index of the message or enum type; −1 where the type is a scalar. */
  ref: number;
  /** A map is a repeated field of an entry message. */
  repeated: boolean;
  presence: Presence;
  /** Index in the message's `oneofs`, −1 where it is in none; the oneof of a proto3 `optional` does not count. */
  oneof: number;
  default: DefaultValue | undefined;
  /** A list is written packed (`packed`, `features.repeated_field_encoding`); it is read either way. */
  packed: boolean;
  /** It is a string that must be UTF-8 (`features.utf8_validation`). */
  utf8: boolean;
}

/** One message type. Plain data. */
export interface MessageSchema {
  /** The full name. */
  name: string;
  /** In the order of their declaration, then the extensions. */
  fields: FieldSchema[];
  oneofs: string[];
  /** The entry of a map: its fields are the key and the value. */
  mapEntry: boolean;
}

/** One enum type. Plain data. */
export interface EnumSchema {
  name: string;
  /** A number that it does not name is an unknown field. */
  closed: boolean;
  /** Of several names for one number the first; the first pair is the default. */
  names: string[];
  numbers: number[];
}

/** What `compileSchema` returns: every type of the files given. Plain data. */
export interface ProtobufSchema {
  /** Index of the message that a payload is. */
  root: number;
  messages: MessageSchema[];
  enums: EnumSchema[];
}
