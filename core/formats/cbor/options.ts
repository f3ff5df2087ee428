import { FUNCTION, LIST } from '../../option-kinds.ts';
import { FLAG, INT64, type OptionTable } from '../../option-table.ts';
import { RECORD_OPTIONS, type RecordOptions } from '../../writing/record-ids.ts';
import type { PackedValues } from './tags/packed.ts';

/** Options for reading CBOR. The first value of each is the default. */
export interface CborOptions {
  /**
   * Form of a map (major type 5). `auto`: a plain object if its first key is a text string, in which case all keys must
   * be text strings, and otherwise a Map. `object`: a plain object; keys that are numbers, booleans, null or undefined
   * become strings. `map`: a Map. Default `auto`.
   */
  maps?: 'auto' | 'object' | 'map' | undefined;
  /**
   * Form of integers of 8 bytes: `auto` is a number within ±(2⁵³ − 1) and a bigint beyond, `number` the nearest number,
   * `bigint` a bigint, `string` decimal text. Bignums (tags 2 and 3) are bigints with `auto`. Default `auto`.
   */
  int64?: 'auto' | 'number' | 'bigint' | 'string' | undefined;
  /**
   * Form of 32-bit floats: the exact value, or the shortest decimal number of about seven digits that it stands for, as
   * cbor-x reads them with `useFloat32: DECIMAL_ROUND` or `DECIMAL_FIT`. Default `exact`.
   */
  float32?: 'exact' | 'decimal' | undefined;
  /**
   * Form of decimal fractions and bigfloats (tags 4 and 5, RFC 8949 section 3.4.4): the nearest number, or a CborTag
   * with `[exponent, mantissa]`, which is not checked. Default `number`.
   */
  decimals?: 'number' | 'tag' | undefined;
  /**
   * Form of embedded CBOR (tag 24, RFC 8949 section 3.4.5.1): a CborTag with its bytes, or the value that they encode.
   * Default `tag`.
   */
  embedded?: 'tag' | 'value' | undefined;
  /**
   * Reads the tags that cbor-x writes: records (0xdffe to 0xffff and 105), packed values (51, 6 and simple values up to
   * 15), bundled strings (0xdff9, 14, 15), shared and cyclic values (28, 29), Map (259), RegExp and Error (27). `false`
   * leaves these to the application, as CborTag. Default true.
   */
  cborx?: boolean | undefined;
  /** The record structures that the writer shares with its readers (cbor-x's `structures`): lists of keys by number. */
  structures?: readonly (readonly string[] | null | undefined)[] | undefined;
  /**
   * The packed values that the writer shares with its readers (cbor-x's `sharedValues`). If it also has `pack`, start
   * the list with 16 empty entries.
   */
  packedValues?: PackedValues | undefined;
  /** Reads any number of consecutive values (RFC 8742); the result is an array of them. Default false. */
  sequence?: boolean | undefined;
  /**
   * Rejects input that is not deterministically encoded: shortest forms, definite lengths, and keys in the order of
   * their bytes (`bytewise`, RFC 8949 section 4.2.1) or of their length first (`length-first`, section 4.2.3). The
   * complete input is checked before any of it is read. Default: not checked.
   */
  deterministic?: 'bytewise' | 'length-first' | false | undefined;
}

/**
 * A class of the application, and how its instances are written: the result of `encode`, inside a tag if one is given.
 */
export interface CborClass<Value extends object = object> {
  /** The class. Instances of subclasses are included. */
  readonly class: abstract new (...parameters: never[]) => Value;
  readonly tag?: number | bigint | undefined;
  /** Returns the value to write. If it returns the instance itself, that is written as a plain object. */
  encode(value: Value): unknown;
}

/** Options for writing CBOR. The first value of each is the default. */
export interface CborWriteOptions extends RecordOptions {
  /**
   * Writes deterministically (RFC 8949 section 4.2): shortest forms, and keys in the order of their bytes (`bytewise`,
   * section 4.2.1) or of their length first (`length-first`, section 4.2.3). Default: keys in the order of their
   * properties.
   */
  deterministic?: 'bytewise' | 'length-first' | false | undefined;
  /**
   * Writes values that CBOR itself lacks as cbor-x does: tag 259 before a Map, RegExp and Error (27). With `false`, Maps
   * have no tag, as COSE and other standards want them, a RegExp has tag 21066, and an Error is rejected. Default true;
   * false with `deterministic`.
   */
  cborx?: boolean | undefined;
  /**
   * Writes an object that occurs several times once, and references to it elsewhere, also from inside itself (tags 28
   * and 29). Default false: it is written each time, and a cycle is an error.
   */
  references?: boolean | undefined;
  /**
   * Stores strings of 4 to 1,023 characters together after the values, so that cbor-x reads them faster. Default false.
   */
  bundleStrings?: boolean | undefined;
  /** The packed values shared with readers, as in the decoder: a string among them is written as its number. */
  packedValues?: PackedValues | undefined;
  /** Writes the items of an array one after another, without the array around them (RFC 8742). Default false. */
  sequence?: boolean | undefined;
  /** Writes tag 55799 first (RFC 8949 section 3.4.6), which identifies CBOR. Default false. */
  selfDescribed?: boolean | undefined;
  /**
   * Size of floats: the smallest of 16, 32 or 64 bits without loss (`shortest`); 32 bits without loss, or else 64
   * (`exact`); 32 bits for up to about seven decimal digits, which a reader with `float32: 'decimal'` restores
   * (`decimal`); 32 bits for all numbers with a fraction up to 2³², with loss (`always`); 64 bits (`never`). Default
   * `shortest`.
   */
  float32?: 'shortest' | 'exact' | 'decimal' | 'always' | 'never' | undefined;
  /**
   * Form of safe integers past 32 bits: integers, or floats, which cbor-x reads as numbers with any settings. Default
   * `integer`; `float` with `records`, `references` or `bundleStrings`.
   */
  int64?: 'integer' | 'float' | undefined;
  /**
   * Form of a bigint of more than 64 bits: a bignum (tags 2 and 3), the nearest float, or decimal text. Default
   * `bignum`.
   */
  largeBigints?: 'bignum' | 'float' | 'text' | undefined;
  /**
   * Form of a Date: seconds since 1970 (tag 1; an integer of up to 32 bits, or else a float), or text (tag 0, RFC
   * 3339). Default `seconds`.
   */
  dates?: 'seconds' | 'text' | undefined;
  /** Omits properties with one of these values from objects written as maps. Default none. */
  skipValues?: readonly unknown[] | undefined;
  /** Writes keys of plain objects that are decimal integers as integers. Default false. */
  numericKeys?: boolean | undefined;
  /** Returns the value to write for an invalid Date. Default: tag 1 with NaN. */
  onInvalidDate?: ((date: Date) => unknown) | undefined;
  /** Returns the value to write for a function. Default: functions are an error. */
  writeFunction?: ((value: Function) => unknown) | undefined;
  /**
   * Calls `toJSON` of class instances that have it, and writes the result. Instances of built-in classes, such as Map, Set and
   * Error, and of those that extend them, keep their form. Default true.
   */
  toJSON?: boolean | undefined;
  /** Classes of the application with their encoding; the first match is used. */
  extensions?: readonly CborClass[] | undefined;
}

/** Values of the options for reading. */
export const READ_OPTIONS: OptionTable<CborOptions> = {
  maps: ['auto', 'object', 'map'],
  int64: INT64,
  float32: ['exact', 'decimal'],
  decimals: ['number', 'tag'],
  embedded: ['tag', 'value'],
  cborx: FLAG,
  structures: LIST,
  packedValues: LIST,
  sequence: FLAG,
  deterministic: ['bytewise', 'length-first', false],
};

/** Values of the options for writing. */
export const WRITE_OPTIONS: OptionTable<CborWriteOptions> = {
  ...RECORD_OPTIONS,
  deterministic: ['bytewise', 'length-first', false],
  cborx: FLAG,
  references: FLAG,
  bundleStrings: FLAG,
  packedValues: LIST,
  sequence: FLAG,
  selfDescribed: FLAG,
  float32: ['shortest', 'exact', 'decimal', 'always', 'never'],
  int64: ['integer', 'float'],
  largeBigints: ['bignum', 'float', 'text'],
  dates: ['seconds', 'text'],
  skipValues: LIST,
  numericKeys: FLAG,
  onInvalidDate: FUNCTION,
  writeFunction: FUNCTION,
  toJSON: FLAG,
  extensions: LIST,
};
