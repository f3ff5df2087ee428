import { FLAG, INT64, type OptionTable } from '../../option-table.ts';
import type { ExtraKeysOption } from '../../writing/extra-keys.ts';

/** Options for reading Protocol Buffers. The first value listed is the default. */
export interface ProtobufOptions {
  /** Names of fields: those of the JSON mapping (`json_name`, else lower camel case), or as in the `.proto`. Default `json`. */
  names?: 'json' | 'proto' | undefined;
  /**
   * Form of 64-bit integers: a number within ±(2⁵³ − 1) and a bigint beyond (`auto`), the nearest number, a bigint,
   * or decimal text. Default `auto`.
   */
  int64?: 'auto' | 'number' | 'bigint' | 'string' | undefined;
  /** Form of enums: the number, or the name if there is one. Default `number`. */
  enums?: 'number' | 'name' | undefined;
  /**
   * Form of fields that are missing from the payload (https://protobuf.dev/programming-guides/field_presence).
   *
   * - `implicit`: fields that do not track presence, lists and maps have their default; other fields are absent.
   * - `all`: every field has its default; messages are null. Members of a oneof and proto3 `optional` fields stay
   *   absent.
   * - `none`: missing fields are absent, and so are zero and empty values of fields that do not track presence.
   *
   * Default `implicit`.
   */
  defaults?: 'implicit' | 'all' | 'none' | undefined;
  /** Form of a `map`: a plain object with string keys, or a Map. Default `object`. */
  maps?: 'object' | 'map' | undefined;
  /** Adds a key for each oneof, named after it, whose value is the name of the member that is set. Default false. */
  oneofs?: boolean | undefined;
  /**
   * Whether to keep fields unknown to the schema, and numbers unknown to a closed enum, in the message's `$unknown`:
   * a list of `{ number, wireType, data }`. Default `drop`.
   */
  unknown?: 'drop' | 'keep' | undefined;
  /**
   * Form of the well-known types: ordinary messages, or their JSON equivalents. As values, a Timestamp is a Date, a
   * wrapper its value, a Struct an object, a Value any JSON value, an Any the message with its type as `@type`, a
   * Duration text such as `1.5s`, and a FieldMask its paths joined by commas. Default `message`.
   */
  wellKnownTypes?: 'message' | 'value' | undefined;
  /** Accepts messages that lack required fields. Default false. */
  partial?: boolean | undefined;
  /** The input is a sequence of messages, each preceded by its length as a varint; the result is an array. Default false. */
  sequence?: boolean | undefined;
  /**
   * Reads without a schema, for inspection: a message is a list of `{ field, wire, guess, value }`, where `guess`
   * names the assumed type if the wire type allows several. Default false.
   */
  schemaless?: boolean | undefined;
}

/**
 * Options for writing Protocol Buffers. The first value listed is the default. Fields are written in the order of
 * their numbers. Undefined and null fields are absent, and so are zero and empty values of fields that do not track
 * presence. 64-bit integers may be numbers, bigints or decimal text; enums, numbers or names; maps, plain objects or
 * Maps; a Timestamp may also be a Date.
 */
export interface ProtobufWriteOptions extends ExtraKeysOption {
  /**
   * Keys of a message: those of the JSON mapping (`json_name`, else lower camel case), or as in the `.proto`. Default
   * `json`.
   */
  names?: 'json' | 'proto' | undefined;
  /** Whether to write the fields in a message's `$unknown` (see `ProtobufOptions.unknown`) after the others. Default `keep`. */
  unknown?: 'keep' | 'drop' | undefined;
  /**
   * Form of the well-known types: ordinary messages, or their JSON equivalents (see
   * `ProtobufOptions.wellKnownTypes`). Default `message`.
   */
  wellKnownTypes?: 'message' | 'value' | undefined;
  /** Writes messages that lack required fields. Default false. */
  partial?: boolean | undefined;
  /** The value is an array of messages; each is written after its length as a varint. Default false. */
  sequence?: boolean | undefined;
}

/** A schema as given by the user. */
export type ProtobufSchemaInput =
  /** A `.proto` text, the full name of the payload's message, and the imported texts by path. */
  | {
      proto: string;
      message: string;
      imports?: Readonly<Record<string, string>> | undefined;
      /**
       * Refuses what protoc refuses although its meaning is plain: values of an enum with the same number without `allow_alias`, or that
       * option without such values; the field numbers 19000 to 19999; missing imports, and types of files that are not imported; in
       * proto3, `required`, defaults, and an enum that does not begin with 0; in proto2, fields without a label. Default false.
       */
      strict?: boolean | undefined;
    }
  /** A serialised FileDescriptorSet (`protoc --include_imports --descriptor_set_out`), and the name of the message. */
  | { descriptorSet: Uint8Array | ArrayBuffer; message: string }
  /** The descriptor of a message of protobuf-es 2, such as `TripSchema` of the code that it generates. */
  | { readonly kind: 'message'; readonly typeName: string; readonly file: object }
  /** A `Type` of protobuf.js, such as `root.lookupType('transit.v1.Trip')`. */
  | { readonly fullName: string; readonly root: { toJSON(): object } }
  /** A `Root` of protobuf.js or its JSON, `{ nested }`, and the name of the message. */
  | { readonly root: { toJSON(): object } | { readonly nested?: object | undefined }; readonly message: string };

/** Values of the options for reading. */
export const READ_OPTIONS: OptionTable<ProtobufOptions> = {
  names: ['json', 'proto'],
  int64: INT64,
  enums: ['number', 'name'],
  defaults: ['implicit', 'all', 'none'],
  maps: ['object', 'map'],
  oneofs: FLAG,
  unknown: ['drop', 'keep'],
  wellKnownTypes: ['message', 'value'],
  partial: FLAG,
  sequence: FLAG,
  schemaless: FLAG,
};

/** Values of the options for writing. */
export const WRITE_OPTIONS: OptionTable<ProtobufWriteOptions> = {
  names: ['json', 'proto'],
  unknown: ['keep', 'drop'],
  wellKnownTypes: ['message', 'value'],
  partial: FLAG,
  sequence: FLAG,
  extraKeys: ['error', 'skip'],
};
