import type { RecordOptions } from '../../writing/record-options.ts';

/** How MessagePack is read. The first value named is the default. */
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
  /** The form of a map: a plain object, whose keys that are not strings become strings, or a Map. Default `object`. */
  maps?: 'object' | 'map';
  /**
   * The form of 64-bit integers: a number within ±(2⁵³ − 1) and a bigint beyond (`auto`), the nearest number, a
   * bigint, or decimal text. Default `auto`.
   */
  int64?: 'auto' | 'number' | 'bigint' | 'string';
  /**
   * The form of 32-bit floats: the number itself, or the shortest of about seven decimal digits that it stands for, as
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

/** A class of the application's, and how its instances are written as extensions. One of `pack` and `write` is there. */
export interface MessagePackClass<Value extends object = object> {
  /** Its instances, and those of classes that extend it. */
  readonly class: abstract new (...parameters: never[]) => Value;
  /** The extension type, from −128 to 127; the specification reserves the negative ones. Needed by `pack`. */
  readonly type?: number;
  /** Makes the bytes of the extension. */
  pack?(value: Value): Uint8Array;
  /**
   * Makes the value to be written in the instance's place; with a `type`, behind a fixext 1 of that type whose byte is 0
   * (`valueExtensions` of the decoder). The instance itself is written as a plain object.
   */
  write?(value: Value): unknown;
}

/** How MessagePack is written. The first value named is the default. */
export interface MessagePackWriteOptions extends RecordOptions {
  /**
   * Writes what MessagePack has nothing for as msgpackr's extensions: undefined, Set, RegExp, Error, typed arrays,
   * ArrayBuffer, DataView, integers of more than 64 bits, invalid Dates. `false` refuses these, but for ArrayBuffer,
   * DataView and Uint8ClampedArray, which are binaries then. Default true.
   */
  msgpackr?: boolean;
  /**
   * Objects that are in several places are written once and referred to, also from inside themselves, as msgpackr's
   * structured clones. Default false: they are written in each place, and one inside itself is an error.
   */
  references?: boolean;
  /** Gathers strings of 4 to 4,095 characters behind the values, so that msgpackr reads them faster. Default false. */
  bundleStrings?: boolean;
  /** The value is an array, whose items are written one after the other, without an array around them. Default false. */
  sequence?: boolean;
  /**
   * Which numbers with a fraction are written as 32-bit floats: none (`never`); those that are such floats (`exact`);
   * those of at most about seven decimal digits, which a reader with `float32: 'decimal'` reads as they are (`decimal`);
   * all up to 2³², at a loss (`always`). Default `never`.
   */
  float32?: 'never' | 'exact' | 'decimal' | 'always';
  /**
   * What safe integers past 32 bits are written as: 64-bit integers, or 64-bit floats, which msgpackr reads as numbers
   * whatever its settings. Default `integer`; `float` with `records`, `references` or `bundleStrings`.
   */
  int64?: 'integer' | 'float';
  /**
   * What a bigint of more than 64 bits is written as: msgpackr's extension, the nearest float, or decimal text. Default
   * `extension`, and an error where `msgpackr` is false.
   */
  largeBigints?: 'extension' | 'float' | 'text';
  /** What undefined is written as. Default `extension`, and an error where `msgpackr` is false. */
  undefined?: 'extension' | 'nil';
  /** Properties of objects that are written as maps are left out where they have one of these values. Default none. */
  skipValues?: readonly unknown[];
  /** Keys of plain objects that are decimal integers are written as integers. Default false. */
  numericKeys?: boolean;
  /** How many bytes the head of a plain object's map takes: as few as there can be, or always three. Default `smallest`. */
  mapSize?: 'smallest' | 'uint16';
  /** How exact the timestamps of Dates are: to the millisecond, or to the second, in four bytes. Default `milliseconds`. */
  timestamps?: 'milliseconds' | 'seconds';
  /** Gives the value to be written for an invalid Date. */
  onInvalidDate?: (date: Date) => unknown;
  /** Gives the value to be written for a function. Without it functions are an error. */
  writeFunction?: (value: Function) => unknown;
  /** Calls `toJSON` of instances of classes that have it, and writes what it returns. Default true. */
  toJSON?: boolean;
  /** How instances of the application's classes are written; the first that fits is taken. */
  extensions?: readonly MessagePackClass[];
}
