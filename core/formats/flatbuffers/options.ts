import { FLAG, INT64, type OptionTable } from '../../option-table.ts';
import type { ExtraKeysOption } from '../../writing/extra-keys.ts';

/** Options for reading FlatBuffers. The first value listed is the default. */
export interface FlatBuffersOptions {
  /**
   * Form of 64-bit integers: a number within ±(2⁵³ − 1) and a bigint beyond (`auto`), the nearest number, a bigint,
   * or decimal text. Default `auto`.
   */
  int64?: 'auto' | 'number' | 'bigint' | 'string' | undefined;
  /**
   * Form of enums and union types: the number, or the name if there is one. For `bit_flags`, the names of all bits
   * that are set, separated by spaces. Default `number`.
   */
  enums?: 'number' | 'name' | undefined;
  /**
   * Form of fields that are missing from the payload (https://flatbuffers.dev/schema/#default-values).
   *
   * - `implicit`: scalars have the schema's default; other fields are absent.
   * - `all`: other fields, and scalars whose default is null, are null.
   * - `none`: missing fields are absent, except keys, as in the output of `flatc --json`.
   *
   * Deprecated fields stay absent. Default `implicit`.
   */
  defaults?: 'implicit' | 'all' | 'none' | undefined;
  /**
   * Form of numeric vectors: an array; a Uint8Array for vectors of `ubyte` (`bytes`); or a typed array for every
   * vector except those of enums and booleans (`typed`). Default `array`.
   */
  vectors?: 'array' | 'bytes' | 'typed' | undefined;
  /** Form of a vector with the attribute `nested_flatbuffer`: the value it contains, or bytes. Default `value`. */
  nested?: 'value' | 'bytes' | undefined;
  /** Whether payloads must have the schema's file identifier, if the schema has one for their table. Default `check`. */
  identifier?: 'check' | 'ignore' | undefined;
  /** The buffer is preceded by its length, as 32 bits. Default false. */
  sizePrefixed?: boolean | undefined;
  /** The input is a sequence of buffers, each preceded by its length; the result is an array. Default false. */
  sequence?: boolean | undefined;
}

/**
 * Options for writing FlatBuffers. The first value listed is the default. Undefined and null fields are absent, and
 * so are scalars equal to their default. A union's type is a number or name under `name_type`. 64-bit integers may be
 * numbers, bigints or decimal text; enums, numbers or names; vectors, arrays, typed arrays or Sets; nested buffers,
 * their value or bytes. Vectors of tables or structs with a `key` are sorted by it.
 */
export interface FlatBuffersWriteOptions extends ExtraKeysOption {
  /** Whether to write the file identifier, if the schema has one for the table. Default `write`. */
  identifier?: 'write' | 'ignore' | undefined;
  /** Writes the buffer's length before it, as 32 bits. Default false. */
  sizePrefixed?: boolean | undefined;
  /** The value is an array of buffers; each is written after its length. Default false. */
  sequence?: boolean | undefined;
}

/** A schema as given by the user. */
export type FlatBuffersSchemaInput =
  /**
   * An `.fbs` text, the full name of the payload's table (default: the `root_type`), and the included texts by their paths, as
   * written or from the folder of the file that includes them.
   */
  | { fbs: string; root?: string | undefined; imports?: Readonly<Record<string, string>> | undefined }
  | {
      /** Output of `flatc --schema --binary --bfbs-builtins`. Without the last option, it lacks nested buffers and bit flags. */
      bfbs: Uint8Array | ArrayBuffer;
      /** Name of the payload's table, with its namespace. Default: the file's root type. */
      table?: string | undefined;
    };

/** Values of the options for reading. */
export const READ_OPTIONS: OptionTable<FlatBuffersOptions> = {
  int64: INT64,
  enums: ['number', 'name'],
  defaults: ['implicit', 'all', 'none'],
  vectors: ['array', 'bytes', 'typed'],
  nested: ['value', 'bytes'],
  identifier: ['check', 'ignore'],
  sizePrefixed: FLAG,
  sequence: FLAG,
};

/** Values of the options for writing. */
export const WRITE_OPTIONS: OptionTable<FlatBuffersWriteOptions> = {
  identifier: ['write', 'ignore'],
  sizePrefixed: FLAG,
  sequence: FLAG,
  extraKeys: ['error', 'skip'],
};
