import type { ExtraKeysOption } from '../../writing/extra-keys.ts';

/** How Bebop is read. The first value named is the default. */
export interface BebopOptions {
  /**
   * The form of 64-bit integers: a number within ±(2⁵³ − 1) and a bigint beyond (`auto`), the nearest number, a
   * bigint as in the library's own objects, or decimal text. Default `auto`.
   */
  int64?: 'auto' | 'number' | 'bigint' | 'string';
  /**
   * The form of enums: their number, or their name if they have one. Of `flags` the names of all bits, with spaces
   * between. Default `number`.
   */
  enums?: 'number' | 'name';
  /** The form of a map: a Map, or a plain object, whose keys are strings. Default `map`. */
  maps?: 'map' | 'object';
  /** The input is any number of records one after the other; the result is an array. Default false. */
  sequence?: boolean;
}

/**
 * How Bebop is written. What is left out has the value named first. Integers of 64 bits are taken as numbers, bigints and
 * decimal text, enums as numbers and names, maps as Maps and plain objects, arrays as arrays, typed arrays and Sets.
 */
export interface BebopWriteOptions extends ExtraKeysOption {
  /** The value is an array of records, which are written one after the other. Default false. */
  sequence?: boolean;
}

/** A schema as the user gives it. */
export interface BebopSchemaInput {
  /** A `.bop` text, or the binary schema that bebopc makes of one (`BEBOP_SCHEMA` in the code it generates). */
  bop: string | Uint8Array | ArrayBuffer;
  /** The struct, message or union that a payload is. */
  record: string;
  /** The texts that a text imports, by their paths. */
  imports?: Readonly<Record<string, string>>;
}
