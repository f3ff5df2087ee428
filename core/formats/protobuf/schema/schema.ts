/** Type of a field: its number in descriptor.proto (`FieldDescriptorProto.Type`). */
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

/** Names of the types in a `.proto` text. */
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

/** Wire type of each field type. */
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

/** True if a field type may be packed: any but strings, bytes, messages and groups. */
export function isPackable(type: number): boolean {
  return WIRE[type] !== LEN && WIRE[type] !== SGROUP;
}

/**
 * Whether a field that is missing on the wire differs from one with the default value. `optional` is a proto3
 * `optional` field.
 */
export type Presence = 'explicit' | 'optional' | 'implicit' | 'required';

/** Default of a field, unless it is zero or empty. An enum's default is its number. */
export type DefaultValue = number | bigint | boolean | string | Uint8Array;

/** One field. Plain data. */
export interface FieldSchema {
  /** As in the `.proto`; for an extension, its full name in brackets, as in JSON. */
  name: string;
  /** Name in the JSON mapping: `json_name` or lower camel case. */
  jsonName: string;
  number: number;
  /** `GROUP` also stands for a message field with delimited encoding. */
  type: number;
  /** Index of the message or enum type; −1 for a scalar. */
  ref: number;
  /** A map is a repeated field of an entry message. */
  repeated: boolean;
  presence: Presence;
  /** Index in the message's `oneofs`, −1 if in none. The synthetic oneof of a proto3 `optional` does not count. */
  oneof: number;
  default: DefaultValue | undefined;
  /** True if the list is written packed (`packed`, `features.repeated_field_encoding`); both forms are read. */
  packed: boolean;
  /** True for a string that must be UTF-8 (`features.utf8_validation`). */
  utf8: boolean;
}

/** One message type. Plain data. */
export interface MessageSchema {
  /** Full name. */
  name: string;
  /** In declaration order, followed by the extensions. */
  fields: FieldSchema[];
  oneofs: string[];
  /** True for the entry of a map: its fields are the key and the value. */
  mapEntry: boolean;
}

/** One enum type. Plain data. */
export interface EnumSchema {
  name: string;
  /** True if an unnamed number counts as an unknown field. */
  closed: boolean;
  /** The first name of each number; the first pair is the default. */
  names: string[];
  numbers: number[];
}

/** Result of `compileSchema`: every type in the given files. Plain data. */
export interface ProtobufSchema {
  /** Index of the payload's message. */
  root: number;
  messages: MessageSchema[];
  enums: EnumSchema[];
}
