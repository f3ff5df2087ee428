/** How Sia is read. The first value named is the default. */
export interface SiaOptions {
  /**
   * The form of integers of 64 bits and more: a number within ±(2⁵³ − 1) and a bigint beyond (`auto`), the nearest
   * number, a bigint, or decimal text. Default `auto`.
   */
  int64?: 'auto' | 'number' | 'bigint' | 'string';
  /**
   * The constructors with the codes 0 and 1 are RegExp and Date, as the package's own list has them. `false` leaves these
   * codes to the application. Default true.
   */
  builtins?: boolean;
  /** The input is any number of values one after the other; the result is an array of them. Default false. */
  sequence?: boolean;
}

/** A class of the application's, and how its instances are written: the sializer package's entries without `build`. */
export interface SiaClass<Value extends object = object> {
  /** Its instances, and those of classes that extend it. */
  readonly class: abstract new (...parameters: never[]) => Value;
  /** From 0 to 2³² − 1. The package itself has 0 for RegExp and 1 for Date. */
  readonly code: number;
  /** The arguments that a reader makes the value of. */
  args(value: Value): readonly unknown[];
}

/** How Sia is written. What is left out has the value named first. */
export interface SiaWriteOptions {
  /** Classes of the application's, which come before those that are built in. */
  constructors?: readonly SiaClass[];
  /**
   * Writes RegExp and Date as constructors with the codes 0 and 1, as the package does. With `false` a Date is a block of its
   * own, which the package does not read, and a RegExp is refused. Default true.
   */
  builtins?: boolean;
  /**
   * What safe integers past 32 bits are written as: floats, as the package writes them, or 64-bit integers, which it does not
   * read. Default `float`.
   */
  int64?: 'float' | 'integer';
  /** The value is an array, whose items are written one after the other, without an array around them. Default false. */
  sequence?: boolean;
}
