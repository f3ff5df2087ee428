/** How MessagePack is read. What is left out has the value named first. */
export interface MessagePackOptions {
  /**
   * Understands msgpackr's extensions: records, structured clones (references, Set, RegExp, Error, typed arrays,
   * ArrayBuffer), bundled strings, undefined and integers of any size. They take the extension types 0, 66, 98, 101,
   * 105, 112, 114, 115, 116 and 120 in the exact forms that msgpackr writes; `false` leaves these types to the
   * application. Default true.
   */
  msgpackr?: boolean;
  /**
   * The record structures that the writer shares with its readers (msgpackr's `structures`): lists of keys by number.
   * The first 32 have ids of one byte, the others of two.
   */
  structures?: readonly (readonly string[] | null | undefined)[];
  /** What a map becomes: a plain object, whose keys that are not strings become strings, or a Map. Default `object`. */
  maps?: 'object' | 'map';
  /**
   * What 64-bit integers become: a number within ±(2⁵³ − 1) and a bigint beyond (`auto`), the nearest number, a
   * bigint, or decimal text. Default `auto`.
   */
  int64?: 'auto' | 'number' | 'bigint' | 'string';
  /**
   * What 32-bit floats become: the number itself, or the shortest of about seven decimal digits that it stands for, as
   * msgpackr reads them with `useFloat32: DECIMAL_ROUND` or `DECIMAL_FIT`. Default `exact`.
   */
  float32?: 'exact' | 'decimal';
  /** The input is any number of values one after the other; the result is an array of them. Default false. */
  sequence?: boolean;
  /**
   * Extension types whose content is the value that follows and not bytes of their own (written by msgpackr for an
   * extension with `write`).
   */
  valueExtensions?: readonly number[];
}
