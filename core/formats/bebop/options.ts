import { FLAG, INT64, type OptionTable } from '../../option-table.ts';
import type { ExtraKeysOption } from '../../writing/extra-keys.ts';

/** Options for reading Bebop. The first value of each is the default. */
export interface BebopOptions {
  /**
   * Form of 64-bit integers: `auto` is a number within ±(2⁵³ − 1) and a bigint beyond, `number` the nearest number,
   * `bigint` a bigint as in the library's own objects, `string` decimal text. Default `auto`.
   */
  int64?: 'auto' | 'number' | 'bigint' | 'string' | undefined;
  /**
   * Form of enums: their number, or their name if they have one. For `flags`, the names of all bits, separated by
   * spaces. Default `number`.
   */
  enums?: 'number' | 'name' | undefined;
  /** Form of a map: a Map, or a plain object, whose keys are strings. Default `map`. */
  maps?: 'map' | 'object' | undefined;
  /** Reads any number of consecutive records; the result is an array. Default false. */
  sequence?: boolean | undefined;
}

/**
 * Options for writing Bebop. The first value of each is the default. 64-bit integers may be numbers, bigints or decimal
 * text; enums numbers or names; maps Maps or plain objects; arrays arrays, typed arrays or Sets.
 */
export interface BebopWriteOptions extends ExtraKeysOption {
  /** Writes the records of an array one after another. Default false. */
  sequence?: boolean | undefined;
}

/** A schema as the user gives it. */
export interface BebopSchemaInput {
  /** A `.bop` text, or the binary schema that bebopc makes of one (`BEBOP_SCHEMA` in the code it generates). */
  bop: string | Uint8Array | ArrayBuffer;
  /** The struct, message or union of a payload. */
  record: string;
  /** The texts that a text imports, by their paths. */
  imports?: Readonly<Record<string, string>> | undefined;
}

/** Values of the options for reading. */
export const READ_OPTIONS: OptionTable<BebopOptions> = {
  int64: INT64,
  enums: ['number', 'name'],
  maps: ['map', 'object'],
  sequence: FLAG,
};

/** Values of the options for writing. */
export const WRITE_OPTIONS: OptionTable<BebopWriteOptions> = {
  sequence: FLAG,
  extraKeys: ['error', 'skip'],
};
