import type { ExtraKeysOption } from '../../writing/extra-keys.ts';

/** How Avro is read. The first value named is the default. */
export interface AvroOptions {
  /**
   * How the data are framed: as a plain datum, a single object with the fingerprint of its schema, or a container. Left
   * out, the first bytes tell: `Obj 01` begins a container; C3 01 and the fingerprint of a schema that is known begin a
   * single object.
   */
  framing?: 'datum' | 'object' | 'container' | undefined;
  /**
   * The input is any number of data, or of single objects, one after the other; the result is an array. A container is
   * one always. Default false.
   */
  sequence?: boolean;
  /**
   * The form of the value of a union: the value itself (`plain`); an object with the name of its type as the one key,
   * unless it is null (`wrapped`); or the latter only for unions with types that JavaScript does not tell apart: two of
   * numbers, of string and enums, of bytes and fixeds, or of records and map (`auto`). As `wrapUnions` of avsc. Default
   * `auto`.
   */
  unions?: 'auto' | 'plain' | 'wrapped';
  /** The form of a map: a plain object or a Map. Default `object`. */
  maps?: 'object' | 'map';
  /**
   * The form of longs: a number within ±(2⁵³ − 1) and a bigint beyond (`auto`), the nearest number, a bigint, or
   * decimal text. Default `auto`.
   */
  int64?: 'auto' | 'number' | 'bigint' | 'string';
  /**
   * Gives logical types as what they mean (https://avro.apache.org/docs/1.12.0/specification/#logical-types): dates and
   * timestamps as Date, a duration as `{ months, days, milliseconds }`, a UUID as text, a decimal as `decimals` says.
   * Times of day are numbers all the same. `false` gives the underlying values. Default true.
   */
  logicalTypes?: boolean;
  /**
   * The form of dates and timestamps: a Date, which leaves out what is smaller than a millisecond, or the number that is
   * written. A local timestamp is a Date whose UTC time is the local one. Default `date`.
   */
  timestamps?: 'date' | 'number';
  /** The form of decimals: exact text such as `-12.50`, the nearest number, or their bytes. Default `string`. */
  decimals?: 'string' | 'number' | 'bytes';
}

/**
 * How Avro is written. The first value named is the default. Longs are taken as numbers and bigints; dates and
 * timestamps as Dates and as the numbers that are written; decimals as text, numbers, bigints and bytes; maps as plain
 * objects and Maps; arrays as arrays, typed arrays and Sets.
 */
export interface AvroWriteOptions extends ExtraKeysOption {
  /**
   * How the data are framed: as a plain datum, a single object with the fingerprint of its schema, or a container, whose
   * value is the array of its data. Default `datum`.
   */
  framing?: 'datum' | 'object' | 'container' | undefined;
  /** The value is an array of data, or of single objects, that are written one after the other. Default false. */
  sequence?: boolean;
  /**
   * What stands for the value of a union: the value itself, which is written as the first type that can hold it
   * (`plain`); an object with the name of its type as the one key, unless it is null (`wrapped`); or the latter only for
   * unions with types that JavaScript does not tell apart (`auto`), as in `AvroOptions.unions`. Default `auto`.
   */
  unions?: 'auto' | 'plain' | 'wrapped';
  /** With `string`, longs may be decimal text too. Default `auto`. */
  int64?: 'auto' | 'number' | 'bigint' | 'string';
  /** Takes values of logical types as what they mean; with `false` they must be those underneath. Default true. */
  logicalTypes?: boolean;
  /**
   * How the blocks of a container are compressed: `null`, `deflate`, `snappy`, or another name, such as `zstandard`, along
   * with `compress`. Default `null`.
   */
  codec?: string;
  /** Compresses a block of a container, in place of what is built in. */
  compress?: ((block: Uint8Array) => Uint8Array) | undefined;
  /** A container's block ends when its data have so many bytes. Default 65,536. */
  blockBytes?: number;
  /** The 16 bytes that end each block of a container. Default random. */
  syncMarker?: Uint8Array | undefined;
  /** Further metadata of a container, by name; text is written as UTF-8. */
  metadata?: Readonly<Record<string, string | Uint8Array>> | undefined;
}

/** An Avro schema: its JSON, parsed or as text. */
export type AvroSchemaJson =
  | string
  | readonly unknown[]
  | { readonly type: unknown }
  | { readonly type: unknown; readonly [attribute: string]: unknown };

/**
 * A schema as the user gives it. A single schema is the writer's, and for a container the reader's.
 * `reader` is what data are to be read as (https://avro.apache.org/docs/1.12.0/specification/#schema-resolution);
 * `registered` are schemas that single objects may name by their fingerprints.
 */
export type AvroSchemaInput = AvroSchemaJson | { writer?: AvroSchemaJson; reader?: AvroSchemaJson; registered?: readonly AvroSchemaJson[] };
