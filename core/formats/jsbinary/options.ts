import type { ExtraKeysOption } from '../../writing/extra-keys.ts';

/** How js-binary is read. The first value named is the default. */
export interface JsBinaryOptions {
  /**
   * The form of a `uint` or `int` beyond ±(2⁵³ − 1): a bigint (`auto`), or the nearest number, as in the package,
   * which writes none. Default `auto`.
   */
  int64?: 'auto' | 'number';
  /** The input is any number of values one after the other; the result is an array of them. Default false. */
  sequence?: boolean;
}

/** How js-binary is written. What is left out has the value named first. */
export interface JsBinaryWriteOptions extends ExtraKeysOption {
  /** The value is an array, whose items are values of the type and written one after the other. Default false. */
  sequence?: boolean;
}
