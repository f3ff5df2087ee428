import type { ExtraKeysOption } from '../../writing/extra-keys.ts';

/** How FlatBuffers are read. The first value named is the default. */
export interface FlatBuffersOptions {
  /**
   * The form of 64-bit integers: a number within ±(2⁵³ − 1) and a bigint beyond (`auto`), the nearest number, a
   * bigint, or decimal text. Default `auto`.
   */
  int64?: 'auto' | 'number' | 'bigint' | 'string';
  /**
   * The form of enums, and the types of unions: their number, or their name if they have one. Of `bit_flags` the
   * names of all bits, with spaces between. Default `number`.
   */
  enums?: 'number' | 'name';
  /**
   * The form of fields that are not in the payload (https://flatbuffers.dev/schema/#default-values).
   *
   * - `implicit`: scalars have the default that the schema gives them, which is what they mean; the others are absent.
   * - `all`: the others, and scalars whose default is null, are null.
   * - `none`: absent, but for keys, as `flatc --json` writes them.
   *
   * Fields that are deprecated stay absent. Default `implicit`.
   */
  defaults?: 'implicit' | 'all' | 'none';
  /**
   * The form of vectors of numbers: an array; those of `ubyte` a Uint8Array (`bytes`); or all a typed array of their
   * kind (`typed`), but for enums and booleans. Default `array`.
   */
  vectors?: 'array' | 'bytes' | 'typed';
  /** The form of a vector with the attribute `nested_flatbuffer`: the value in it, or bytes like any other. Default `value`. */
  nested?: 'value' | 'bytes';
  /** Whether payloads must have the file identifier of the schema, where it has one for their table. Default `check`. */
  identifier?: 'check' | 'ignore';
  /** The buffer has its length before it, as 32 bits. Default false. */
  sizePrefixed?: boolean;
  /** The input is any number of buffers, each with its length before it; the result is an array. Default false. */
  sequence?: boolean;
}

/**
 * How FlatBuffers are written. What is left out has the value named first. Fields that are undefined or null are absent, and
 * so are scalars that equal their default. The type of a union is its number
 * or name under `name_type`. Integers of 64 bits are taken as numbers, bigints and decimal text, enums as numbers and names,
 * vectors as arrays, typed arrays and Sets, nested buffers as their value or as bytes.
 */
export interface FlatBuffersWriteOptions extends ExtraKeysOption {
  /** Whether the file identifier is written, where the schema has one for the table. Default `write`. */
  identifier?: 'write' | 'ignore';
  /** Writes the length of the buffer before it, as 32 bits. Default false. */
  sizePrefixed?: boolean;
  /** The value is an array of buffers, which are written with their length before each. Default false. */
  sequence?: boolean;
}

/** A schema as the user gives it. */
export interface FlatBuffersSchemaInput {
  /** The output of `flatc --schema --binary --bfbs-builtins`; without the last option, it lacks nested buffers and bit flags. */
  bfbs: Uint8Array | ArrayBuffer;
  /** The table that a payload is, with its namespace; the file's root type where it is left out. */
  table?: string;
}
