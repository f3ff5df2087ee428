import type { ExtraKeysOption } from '../../writing/extra-keys.ts';

/** How Protocol Buffers are read. The first value named is the default. */
export interface ProtobufOptions {
  /** The names of fields: as in the `.proto`, or those of the JSON mapping (`json_name`, else lower camel case). Default `proto`. */
  names?: 'proto' | 'json';
  /**
   * The form of 64-bit integers: a number within ±(2⁵³ − 1) and a bigint beyond (`auto`), the nearest number, a
   * bigint, or decimal text. Default `auto`.
   */
  int64?: 'auto' | 'number' | 'bigint' | 'string';
  /** The form of enums: their number, or their name if they have one. Default `number`. */
  enums?: 'number' | 'name';
  /**
   * The form of fields that are not in the payload (https://protobuf.dev/programming-guides/field_presence).
   *
   * - `implicit`: those that do not track presence, lists and maps have their default, which is what they mean; the
   *   others are absent.
   * - `all`: all have their default, messages null. Members of a oneof and what proto3 calls `optional` stay absent.
   * - `none`: absent, and so are zero and empty values of fields that do not track presence.
   *
   * Default `implicit`.
   */
  defaults?: 'implicit' | 'all' | 'none';
  /** The form of a `map`: a plain object, whose keys are strings, or a Map. Default `object`. */
  maps?: 'object' | 'map';
  /** Adds each oneof under its own name: the name of the member that is there. Default false. */
  oneofs?: boolean;
  /**
   * Whether fields that the schema does not have, and numbers that a closed enum does not name, are kept: a message then
   * has them in `$unknown`, a list of `{ number, wireType, data }`. Default `drop`.
   */
  unknown?: 'drop' | 'keep';
  /**
   * The form of the well-known types: messages as any other, or what they stand for in JSON. A Timestamp is then a Date,
   * a wrapper its value, a Struct an object, a Value anything, an Any the message with its type as `@type`; a Duration
   * is text such as `1.5s`, a FieldMask its paths with commas between. Default `message`.
   */
  wellKnownTypes?: 'message' | 'value';
  /** Accepts messages that lack required fields. Default false. */
  partial?: boolean;
  /** The input is any number of messages, each with its length as a varint before it; the result is an array. Default false. */
  sequence?: boolean;
  /**
   * Reads without a schema, for people who look at bytes: a message is a list of `{ field, wire, guess, value }`, where
   * `guess` says what the value was taken for where the wire type leaves that open. Default false.
   */
  schemaless?: boolean;
}

/**
 * How Protocol Buffers are written. What is left out has the value named first. Fields are written in the order of their
 * numbers. Those that are undefined or null are absent, and so are zero and empty values of fields that do not track
 * presence. Integers of 64 bits are taken as numbers, bigints and decimal
 * text, enums as numbers and names, maps as plain objects and Maps, Timestamps as Dates too.
 */
export interface ProtobufWriteOptions extends ExtraKeysOption {
  /** The keys of a message: as in the `.proto`, or those of the JSON mapping (`json_name`, else lower camel case). Default `proto`. */
  names?: 'proto' | 'json';
  /** Whether the fields in a message's `$unknown`, as `ProtobufOptions.unknown` gives them, are written behind the others. Default `keep`. */
  unknown?: 'keep' | 'drop';
  /**
   * What stands for the well-known types: messages as any other, or what they stand for in JSON, as
   * `ProtobufOptions.wellKnownTypes` gives it. Default `message`.
   */
  wellKnownTypes?: 'message' | 'value';
  /** Writes messages that lack required fields. Default false. */
  partial?: boolean;
  /** The value is an array of messages, which are written with their length as a varint before each. Default false. */
  sequence?: boolean;
}

/** A schema as the user gives it. */
export type ProtobufSchemaInput =
  /** A `.proto` text, the full name of the message that a payload is, and the texts that it imports by their paths. */
  | { proto: string; message: string; imports?: Readonly<Record<string, string>> }
  /** A serialised FileDescriptorSet (`protoc --include_imports --descriptor_set_out`), and the name of the message. */
  | { descriptorSet: Uint8Array | ArrayBuffer; message: string };
