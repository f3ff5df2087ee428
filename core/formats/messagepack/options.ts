import { FUNCTION, LIST } from '../../option-kinds.ts';
import { FLAG, INT64, type OptionTable } from '../../option-table.ts';
import { RECORD_OPTIONS, type RecordOptions } from '../../writing/record-ids.ts';

/** Options for reading MessagePack. The first value of each is the default. */
export interface MessagePackOptions {
  /**
   * Reads msgpackr's extensions: records, structured clones (references, Set, RegExp, Error, typed arrays,
   * ArrayBuffer), bundled strings, undefined and integers of any size. They use the extension types 0, 66, 98, 101,
   * 105, 112, 114, 115, 116 and 120 in the exact forms that msgpackr writes; `false` leaves these types to the
   * application. Default true.
   */
  msgpackr?: boolean | undefined;
  /**
   * The record structures that the writer shares with its readers (msgpackr's `structures`): lists of keys by number.
   * The first 32 have ids of one byte, the others of two.
   */
  structures?: readonly (readonly string[] | null | undefined)[] | undefined;
  /** Form of a map: a plain object, whose keys are converted to strings, or a Map. Default `object`. */
  maps?: 'object' | 'map' | undefined;
  /**
   * Form of 64-bit integers: `auto` is a number within ±(2⁵³ − 1) and a bigint beyond, `number` the nearest number,
   * `bigint` a bigint, `string` decimal text. Default `auto`.
   */
  int64?: 'auto' | 'number' | 'bigint' | 'string' | undefined;
  /**
   * Form of 32-bit floats: the exact value, or the shortest decimal number of about seven digits that it stands for, as
   * msgpackr reads them with `useFloat32: DECIMAL_ROUND` or `DECIMAL_FIT`. Default `exact`.
   */
  float32?: 'exact' | 'decimal' | undefined;
  /** Reads any number of consecutive values; the result is an array of them. Default false. */
  sequence?: boolean | undefined;
  /**
   * Extension types whose content is the value that follows, not bytes of their own. msgpackr writes them for
   * extensions with `write`.
   */
  valueExtensions?: readonly number[] | undefined;
}

/** A class of the application, and how its instances are written as extensions. Has either `pack` or `write`. */
export interface MessagePackClass<Value extends object = object> {
  /** The class. Instances of subclasses are included. */
  readonly class: abstract new (...parameters: never[]) => Value;
  /** The extension type, from −128 to 127; the specification reserves the negative ones. Required by `pack`. */
  readonly type?: number | undefined;
  /** Returns the bytes of the extension. */
  pack?(value: Value): Uint8Array;
  /**
   * Returns the value to write instead of the instance; with a `type`, after a fixext 1 of this type whose byte is 0
   * (`valueExtensions` of the decoder). If it returns the instance itself, that is written as a plain object.
   */
  write?(value: Value): unknown;
}

/** Options for writing MessagePack. The first value of each is the default. */
export interface MessagePackWriteOptions extends RecordOptions {
  /**
   * Writes values that MessagePack lacks as msgpackr's extensions: undefined, Set, RegExp, Error, typed arrays,
   * ArrayBuffer, DataView, integers of more than 64 bits, invalid Dates. `false` rejects these, except ArrayBuffer,
   * DataView and Uint8ClampedArray, which become binaries. Default true.
   */
  msgpackr?: boolean | undefined;
  /**
   * Writes an object that occurs several times once, and references to it elsewhere, also from inside itself, as
   * msgpackr's structured clones. Default false: it is written each time, and a cycle is an error.
   */
  references?: boolean | undefined;
  /**
   * Stores strings of 4 to 4,095 characters together after the values, so that msgpackr reads them faster. Default
   * false.
   */
  bundleStrings?: boolean | undefined;
  /** Writes the items of an array one after another, without the array around them. Default false. */
  sequence?: boolean | undefined;
  /**
   * Numbers with a fraction that are written as 32-bit floats: none (`never`); those that such a float represents
   * exactly (`exact`); those of at most about seven decimal digits, which a reader with `float32: 'decimal'` restores
   * (`decimal`); all up to 2³², with loss (`always`). Default `never`.
   */
  float32?: 'never' | 'exact' | 'decimal' | 'always' | undefined;
  /**
   * Form of safe integers past 32 bits: 64-bit integers, or 64-bit floats, which msgpackr reads as numbers with any
   * settings. Default `integer`; `float` with `records`, `references` or `bundleStrings`.
   */
  int64?: 'integer' | 'float' | undefined;
  /**
   * Form of a bigint of more than 64 bits: msgpackr's extension, the nearest float, or decimal text. Default
   * `extension`, and an error if `msgpackr` is false.
   */
  largeBigints?: 'extension' | 'float' | 'text' | undefined;
  /** Form of undefined. Default `extension`, and an error if `msgpackr` is false. */
  undefined?: 'extension' | 'nil' | undefined;
  /** Omits properties with one of these values from objects written as maps. Default none. */
  skipValues?: readonly unknown[] | undefined;
  /** Writes keys of plain objects that are decimal integers as integers. Default false. */
  numericKeys?: boolean | undefined;
  /** Size of the head of a plain object's map: as small as possible, or always three bytes. Default `smallest`. */
  mapSize?: 'smallest' | 'uint16' | undefined;
  /**
   * Precision of the timestamps of Dates: to the millisecond, or to the second, in four bytes. Default `milliseconds`.
   */
  timestamps?: 'milliseconds' | 'seconds' | undefined;
  /** Returns the value to write for an invalid Date. */
  onInvalidDate?: ((date: Date) => unknown) | undefined;
  /** Returns the value to write for a function. Default: functions are an error. */
  writeFunction?: ((value: Function) => unknown) | undefined;
  /**
   * Calls `toJSON` of class instances that have it, and writes the result. Instances of built-in classes, such as Map, Set and
   * Error, and of those that extend them, keep their form. Default true.
   */
  toJSON?: boolean | undefined;
  /** Classes of the application with their extensions; the first match is used. */
  extensions?: readonly MessagePackClass[] | undefined;
}

/** Values of the options for reading. */
export const READ_OPTIONS: OptionTable<MessagePackOptions> = {
  msgpackr: FLAG,
  structures: LIST,
  maps: ['object', 'map'],
  int64: INT64,
  float32: ['exact', 'decimal'],
  sequence: FLAG,
  valueExtensions: LIST,
};

/** Values of the options for writing. */
export const WRITE_OPTIONS: OptionTable<MessagePackWriteOptions> = {
  ...RECORD_OPTIONS,
  msgpackr: FLAG,
  references: FLAG,
  bundleStrings: FLAG,
  sequence: FLAG,
  float32: ['never', 'exact', 'decimal', 'always'],
  int64: ['integer', 'float'],
  largeBigints: ['extension', 'float', 'text'],
  undefined: ['extension', 'nil'],
  skipValues: LIST,
  numericKeys: FLAG,
  mapSize: ['smallest', 'uint16'],
  timestamps: ['milliseconds', 'seconds'],
  onInvalidDate: FUNCTION,
  writeFunction: FUNCTION,
  toJSON: FLAG,
  extensions: LIST,
};
