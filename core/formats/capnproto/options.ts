import { FLAG, INT64, type OptionTable } from '../../option-table.ts';
import type { ExtraKeysOption } from '../../writing/extra-keys.ts';

/** Options for reading Cap'n Proto messages. The first value listed is the default. */
export interface CapnProtoOptions {
  /**
   * Whether messages are packed (https://capnproto.org/encoding.html#packing). `auto`: packed, unless the segment
   * table of the raw input adds up. Offsets in errors count unpacked bytes. Default `auto`.
   */
  packed?: boolean | 'auto' | undefined;
  /** The input is one segment, without the segment table used in files and streams. Default false. */
  flat?: boolean | undefined;
  /**
   * Form of 64-bit integers: a number within ±(2⁵³ − 1) and a bigint beyond (`auto`), the nearest number, a bigint,
   * or decimal text. Default `auto`.
   */
  int64?: 'auto' | 'number' | 'bigint' | 'string' | undefined;
  /** Form of enums: the number, or the name if there is one. Default `number`. */
  enums?: 'number' | 'name' | undefined;
  /**
   * Form of null pointers (https://capnproto.org/language.html#default-values). Scalars are always present.
   *
   * - `implicit`: the schema's default, else an empty text, data or list. Structs without a default, capabilities and
   *   untyped pointers are absent.
   * - `all`: the same, but structs without a default, capabilities and untyped pointers are null.
   * - `none`: absent, as in the output of `capnp decode`.
   *
   * The member of a union that is set is always present, as null where it would be absent.
   *
   * Default `implicit`.
   */
  defaults?: 'implicit' | 'all' | 'none' | undefined;
  /** The input is a sequence of messages; the result is an array. Default false. */
  sequence?: boolean | undefined;
}

/**
 * Options for writing Cap'n Proto messages, which have one segment, preceded by its table. The first value listed is
 * the default. Undefined scalars have their default; undefined and null pointers are null. At most one member of a
 * union may be present. 64-bit integers may be numbers, bigints or decimal text; enums, numbers or names; lists,
 * arrays, typed arrays or Sets. Void is null. Capabilities and untyped pointers can only be null.
 */
export interface CapnProtoWriteOptions extends ExtraKeysOption {
  /** Packs messages (https://capnproto.org/encoding.html#packing). Default false. */
  packed?: boolean | undefined;
  /** Omits the segment table used in files and streams. Default false. */
  flat?: boolean | undefined;
  /** The value is an array of messages, written one after another. Default false. */
  sequence?: boolean | undefined;
}

/** A schema as given by the user. */
export type CapnProtoSchemaInput = {
  /** Name of the payload's struct: `Outer.Inner` if it is nested, `a.capnp:Name` to specify the file. */
  struct: string;
} & (
  | {
      /** The text of a `.capnp` file. */
      capnp: string;
      /** The imported texts by their paths, as written or from the folder of the file that imports them; those that no field needs may be absent. */
      imports?: Readonly<Record<string, string>> | undefined;
    }
  | {
      /** Output of `capnp compile -o-`: a CodeGeneratorRequest, which may be packed. */
      request: Uint8Array | ArrayBuffer;
    }
);

/** Values of the options for reading. */
export const READ_OPTIONS: OptionTable<CapnProtoOptions> = {
  packed: [false, true, 'auto'],
  flat: FLAG,
  int64: INT64,
  enums: ['number', 'name'],
  defaults: ['implicit', 'all', 'none'],
  sequence: FLAG,
};

/** Values of the options for writing. */
export const WRITE_OPTIONS: OptionTable<CapnProtoWriteOptions> = {
  packed: FLAG,
  flat: FLAG,
  sequence: FLAG,
  extraKeys: ['error', 'skip'],
};
