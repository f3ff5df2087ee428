import { FLAG, type OptionTable } from '../../option-table.ts';
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

/** Values of the options for reading. */
export const READ_OPTIONS: OptionTable<JsBinaryOptions> = {
  int64: ['auto', 'number'],
  sequence: FLAG,
};

/** Values of the options for writing. */
export const WRITE_OPTIONS: OptionTable<JsBinaryWriteOptions> = {
  sequence: FLAG,
  extraKeys: ['error', 'skip'],
};

/** The literal that the package's `Type` takes. */
export type JsBinarySchemaInput = string | object;
