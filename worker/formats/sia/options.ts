/** How Sia is read. What is left out has the value named first. */
export interface SiaOptions {
  /**
   * What integers of 64 bits and more become: a number within ±(2⁵³ − 1) and a bigint beyond (`auto`), the nearest
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
