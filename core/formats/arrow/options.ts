import { COUNT, LIST } from '../../option-kinds.ts';
import { INT64, type OptionTable } from '../../option-table.ts';

/** Options for reading Apache Arrow. The first value listed is the default. */
export interface ArrowOptions {
  /**
   * Form of 64-bit integers: a number within ±(2⁵³ − 1) and a bigint beyond (`auto`), the nearest number, a bigint, or
   * decimal text. Default `auto`.
   */
  int64?: 'auto' | 'number' | 'bigint' | 'string' | undefined;
  /**
   * Form of dates and timestamps: a Date, truncated to milliseconds, or the stored number. A timestamp without a time
   * zone becomes a Date whose UTC time is the local one. Times of day, durations and intervals of months are always
   * the stored numbers. Default `date`.
   */
  timestamps?: 'date' | 'number' | undefined;
  /** Form of decimals: exact text such as `-12.50`, or the nearest number. Default `string`. */
  decimals?: 'string' | 'number' | undefined;
  /** Form of a map whose keys are text: a plain object or a Map. A map with other keys is always a Map. Default `object`. */
  maps?: 'object' | 'map' | undefined;
  /**
   * Indices of the first record batch to read, and of the one after the last: `[0, 1]` reads the first. The others are not
   * opened, so that reading a few batches of a file in memory takes little time. Default: all.
   */
  recordBatches?: readonly [from: number, to: number] | undefined;
}

/** Values of the options for reading. */
export const READ_OPTIONS: OptionTable<ArrowOptions> = {
  int64: INT64,
  timestamps: ['date', 'number'],
  decimals: ['string', 'number'],
  maps: ['object', 'map'],
  recordBatches: LIST,
};

/**
 * Options for writing Apache Arrow. The value is a list of records; their keys become columns, whose types are those of
 * the values: integers of 32 bits, floats, integers of 64 bits for bigints, text, booleans, timestamps in milliseconds
 * for Dates, bytes for Uint8Arrays, lists, structs, and maps for Maps. Null, undefined and absent values are null. All
 * values of a column must have one type; of a list whose length is not known, the first batch decides.
 */
export interface ArrowWriteOptions {
  /** A stream, or a file with a footer, which can be read from any batch on. Default `stream`. */
  framing?: 'stream' | 'file' | undefined;
  /** Rows of each record batch but the last. Default 65,536. */
  batchRows?: number | undefined;
}

/** Values of the options for writing. */
export const WRITE_OPTIONS: OptionTable<ArrowWriteOptions> = {
  framing: ['stream', 'file'],
  batchRows: COUNT,
};
