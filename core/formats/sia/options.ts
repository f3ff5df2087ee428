import { LIST } from '../../option-kinds.ts';
import { FLAG, INT64, type OptionTable } from '../../option-table.ts';
/** Options for reading Sia. The first value of each is the default. */
export interface SiaOptions {
  /**
   * Form of integers of 64 bits and more: `auto` is a number within ±(2⁵³ − 1) and a bigint beyond, `number` the
   * nearest number, `bigint` a bigint, `string` decimal text. Default `auto`.
   */
  int64?: 'auto' | 'number' | 'bigint' | 'string' | undefined;
  /**
   * Reads constructors with the codes 0 and 1 as RegExp and Date, as in the package's own list. `false` leaves these
   * codes to the application. Default true.
   */
  builtins?: boolean | undefined;
  /** Reads any number of consecutive values; the result is an array of them. Default false. */
  sequence?: boolean | undefined;
}

/** A class of the application, and how its instances are written: an entry of the sializer package without `build`. */
export interface SiaClass<Value extends object = object> {
  /** The class. Instances of subclasses are included. */
  readonly class: abstract new (...parameters: never[]) => Value;
  /** From 0 to 2³² − 1. The package itself uses 0 for RegExp and 1 for Date. */
  readonly code: number;
  /** The arguments from which a reader makes the value. */
  args(value: Value): readonly unknown[];
}

/** Options for writing Sia. The first value of each is the default. */
export interface SiaWriteOptions {
  /** Classes of the application, which take precedence over built-in ones. */
  constructors?: readonly SiaClass[] | undefined;
  /**
   * Writes RegExp and Date as constructors with the codes 0 and 1, as the package does. With `false`, a Date is a block
   * of its own, which the package does not read, and a RegExp is rejected. Default true.
   */
  builtins?: boolean | undefined;
  /**
   * Form of safe integers past 32 bits: floats, as the package writes them, or 64-bit integers, which it does not read.
   * Default `float`.
   */
  int64?: 'float' | 'integer' | undefined;
  /** Writes the items of an array one after another, without the array around them. Default false. */
  sequence?: boolean | undefined;
}

/** Values of the options for reading. */
export const READ_OPTIONS: OptionTable<SiaOptions> = {
  int64: INT64,
  builtins: FLAG,
  sequence: FLAG,
};

/** Values of the options for writing. */
export const WRITE_OPTIONS: OptionTable<SiaWriteOptions> = {
  constructors: LIST,
  builtins: FLAG,
  int64: ['float', 'integer'],
  sequence: FLAG,
};
