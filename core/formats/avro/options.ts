import { COUNT, FUNCTION, OBJECT, TEXT } from '../../option-kinds.ts';
import { FLAG, INT64, type OptionTable } from '../../option-table.ts';
import type { ExtraKeysOption } from '../../writing/extra-keys.ts';

/** Options for reading Avro. The first value listed is the default. */
export interface AvroOptions {
  /**
   * Framing of the data: a plain datum, a single object with the fingerprint of its schema, or a container. By
   * default, the first bytes decide: `Obj 01` begins a container; C3 01 and the fingerprint of a known schema begin a
   * single object.
   */
  framing?: 'datum' | 'object' | 'container' | undefined;
  /**
   * The input is a sequence of data or of single objects; the result is an array. A container always is a sequence.
   * Default false.
   */
  sequence?: boolean | undefined;
  /**
   * Form of a union's value: the value itself (`plain`); an object with the name of its type as the only key, unless
   * it is null (`wrapped`); or wrapped only in unions with types that JavaScript cannot tell apart (`auto`): two of
   * numbers, of string and enums, of bytes and fixeds, or of records and map. Same as `wrapUnions` of avsc. Default
   * `auto`.
   */
  unions?: 'auto' | 'plain' | 'wrapped' | undefined;
  /** Form of a map: a plain object or a Map. Default `object`. */
  maps?: 'object' | 'map' | undefined;
  /**
   * Form of longs: a number within ±(2⁵³ − 1) and a bigint beyond (`auto`), the nearest number, a bigint, or decimal
   * text. Default `auto`.
   */
  int64?: 'auto' | 'number' | 'bigint' | 'string' | undefined;
  /**
   * Converts logical types (https://avro.apache.org/docs/1.12.0/specification/#logical-types): dates and timestamps
   * to Dates, a duration to `{ months, days, milliseconds }`, a UUID to text, a decimal to the form in `decimals`.
   * Times of day stay numbers. `false` returns the underlying values. Default true.
   */
  logicalTypes?: boolean | undefined;
  /**
   * Form of dates and timestamps: a Date, truncated to milliseconds, or the stored number. A local timestamp becomes
   * a Date whose UTC time is the local one. Default `date`.
   */
  timestamps?: 'date' | 'number' | undefined;
  /** Form of decimals: exact text such as `-12.50`, the nearest number, or their bytes. Default `string`. */
  decimals?: 'string' | 'number' | 'bytes' | undefined;
}

/**
 * Options for writing Avro. The first value listed is the default. Longs may be numbers or bigints; dates and
 * timestamps, Dates or the stored numbers; decimals, text, numbers, bigints or bytes; maps, plain objects or Maps;
 * arrays, arrays, typed arrays or Sets.
 */
export interface AvroWriteOptions extends ExtraKeysOption {
  /**
   * Framing of the data: a plain datum, a single object with the fingerprint of its schema, or a container, whose
   * value is the array of its data, or an iterator, a stream or an async iterable of them. Default `datum`.
   */
  framing?: 'datum' | 'object' | 'container' | undefined;
  /** The value is an array of data or of single objects, written one after another. Default false. */
  sequence?: boolean | undefined;
  /**
   * Form of a union's value: the value itself, which is written as the first type that can hold it (`plain`); an
   * object with the name of its type as the only key, unless it is null (`wrapped`); or wrapped only in unions with
   * types that JavaScript cannot tell apart (`auto`, see `AvroOptions.unions`). Default `auto`.
   */
  unions?: 'auto' | 'plain' | 'wrapped' | undefined;
  /** `string` also accepts decimal text for longs. Default `auto`. */
  int64?: 'auto' | 'number' | 'bigint' | 'string' | undefined;
  /**
   * Accepts converted values of logical types, as the reader returns them; `false` accepts only the underlying
   * values. Default true.
   */
  logicalTypes?: boolean | undefined;
  /**
   * Compression of a container's blocks: `null`, `deflate`, `snappy`, or another name, such as `zstandard`, together
   * with `compress`. Default `null`.
   */
  codec?: string | undefined;
  /** Compresses a block of a container; replaces the built-in codec. */
  compress?: ((block: Uint8Array) => Uint8Array) | undefined;
  /** A container's block ends once its data have this many bytes. Default 65,536. */
  blockBytes?: number | undefined;
  /** The 16 bytes that end each block of a container. Default random. */
  syncMarker?: Uint8Array | undefined;
  /** Additional metadata of a container, by name; text is written as UTF-8. */
  metadata?: Readonly<Record<string, string | Uint8Array>> | undefined;
}

/** An Avro schema as JSON, parsed or as text. */
export type AvroSchemaJson =
  | string
  | readonly unknown[]
  | { readonly type: unknown }
  | { readonly type: unknown; readonly [attribute: string]: unknown };

/**
 * A schema, alone or with others whose named types it uses. `references` may be in any order, may refer to each other, and may
 * repeat a type that has the same definition everywhere.
 */
export type AvroSchemaSource = AvroSchemaJson | { readonly schema: AvroSchemaJson; readonly references: readonly AvroSchemaJson[] };

/**
 * A schema as given by the user. A single schema is the writer's; for a container, it is the reader's. `reader` is
 * the schema to read data as (https://avro.apache.org/docs/1.12.0/specification/#schema-resolution); `registered` are
 * schemas that single objects may name by fingerprint.
 */
export type AvroSchemaInput =
  | AvroSchemaSource
  | { writer?: AvroSchemaSource | undefined; reader?: AvroSchemaSource | undefined; registered?: readonly AvroSchemaSource[] | undefined };

/** Values of the options for reading. */
export const READ_OPTIONS: OptionTable<AvroOptions> = {
  framing: ['datum', 'object', 'container'],
  sequence: FLAG,
  unions: ['auto', 'plain', 'wrapped'],
  maps: ['object', 'map'],
  int64: INT64,
  logicalTypes: FLAG,
  timestamps: ['date', 'number'],
  decimals: ['string', 'number', 'bytes'],
};

/** Values of the options for writing. */
export const WRITE_OPTIONS: OptionTable<AvroWriteOptions> = {
  framing: ['datum', 'object', 'container'],
  sequence: FLAG,
  unions: ['auto', 'plain', 'wrapped'],
  int64: INT64,
  logicalTypes: FLAG,
  codec: TEXT,
  compress: FUNCTION,
  blockBytes: COUNT,
  syncMarker: OBJECT,
  metadata: OBJECT,
  extraKeys: ['error', 'skip'],
};
