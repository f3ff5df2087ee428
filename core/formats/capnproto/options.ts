import type { ExtraKeysOption } from '../../writing/extra-keys.ts';

/** How Cap'n Proto messages are read. The first value named is the default. */
export interface CapnProtoOptions {
  /**
   * Whether messages are packed (https://capnproto.org/encoding.html#packing). `auto`: unless the segment table adds up
   * to the input as it is. Offsets in errors count the bytes that were unpacked. Default `auto`.
   */
  packed?: boolean | 'auto';
  /** The input is one segment, without the table that comes before segments in files and streams. Default false. */
  flat?: boolean;
  /**
   * The form of 64-bit integers: a number within ±(2⁵³ − 1) and a bigint beyond (`auto`), the nearest number, a
   * bigint, or decimal text. Default `auto`.
   */
  int64?: 'auto' | 'number' | 'bigint' | 'string';
  /** The form of enums: their number, or their name if they have one. Default `number`. */
  enums?: 'number' | 'name';
  /**
   * The form of null pointers (https://capnproto.org/language.html#default-values). Scalars are always there.
   *
   * - `implicit`: the default that the schema gives them, else an empty text, data or list, which is what they mean.
   *   Structs without a default, capabilities and untyped pointers are absent.
   * - `all`: the same, but the last are null.
   * - `none`: absent, as `capnp decode` writes them.
   *
   * Default `implicit`.
   */
  defaults?: 'implicit' | 'all' | 'none';
  /** The input is any number of messages one after the other; the result is an array. Default false. */
  sequence?: boolean;
}

/**
 * How Cap'n Proto messages are written: one segment, with its table before it. What is left out has the value named first.
 * Scalars that are undefined have their default, pointers that are undefined or null are null. Of a union at most one member may be there. Integers of 64 bits are taken as numbers, bigints and decimal
 * text, enums as numbers and names, lists as arrays, typed arrays and Sets. Void is null. Capabilities and untyped pointers
 * can only be null.
 */
export interface CapnProtoWriteOptions extends ExtraKeysOption {
  /** Packs messages (https://capnproto.org/encoding.html#packing). Default false. */
  packed?: boolean;
  /** Leaves out the table that comes before segments in files and streams. Default false. */
  flat?: boolean;
  /** The value is an array of messages, which are written one after the other. Default false. */
  sequence?: boolean;
}

/** A schema as the user gives it. */
export interface CapnProtoSchemaInput {
  /** The output of `capnp compile -o-`: a CodeGeneratorRequest, which may be packed. */
  request: Uint8Array | ArrayBuffer;
  /** The struct that a payload is, `Outer.Inner` where it is in another; with its file, `a.capnp:Name`, where needed. */
  struct: string;
}
