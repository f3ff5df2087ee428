import type { ExtraKeysOption } from '../../writing/extra-keys.ts';

/** Options for reading js-binary. The first value of each is the default. */
export interface JsBinaryOptions {
  /**
   * Form of a `uint` or `int` beyond ±(2⁵³ − 1): a bigint (`auto`), or the nearest number, as in the package, which
   * never writes such integers. Default `auto`.
   */
  int64?: 'auto' | 'number' | undefined;
  /** Reads any number of consecutive values; the result is an array of them. Default false. */
  sequence?: boolean | undefined;
}

/** Options for writing js-binary. The first value of each is the default. */
export interface JsBinaryWriteOptions extends ExtraKeysOption {
  /** Writes the items of an array, which are values of the type, one after another. Default false. */
  sequence?: boolean | undefined;
}
