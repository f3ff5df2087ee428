import type { RecordOptions } from '../../writing/record-options.ts';
import type { PackedValues } from './tags/packed.ts';

/** How CBOR is read. The first value named is the default. */
export interface CborOptions {
  /**
   * The form of a map (major type 5). `auto`: a plain object where its first key is a text string, which the other keys
   * then must be too, a Map elsewhere. `object`: a plain object, whose keys that are numbers, booleans, null or undefined
   * become strings. `map`: a Map. Default `auto`.
   */
  maps?: 'auto' | 'object' | 'map';
  /**
   * The form of integers of 8 bytes: a number within ±(2⁵³ − 1) and a bigint beyond (`auto`), the nearest number, a
   * bigint, or decimal text. Bignums (tags 2 and 3) are bigints with `auto`. Default `auto`.
   */
  int64?: 'auto' | 'number' | 'bigint' | 'string';
  /**
   * The form of 32-bit floats: the number itself, or the shortest of about seven decimal digits that it stands for, as
   * cbor-x reads them with `useFloat32: DECIMAL_ROUND` or `DECIMAL_FIT`. Default `exact`.
   */
  float32?: 'exact' | 'decimal';
  /**
   * What decimal fractions and bigfloats (tags 4 and 5, RFC 8949 section 3.4.4) become: the nearest number, or a CborTag
   * with `[exponent, mantissa]`, which is not checked. Default `number`.
   */
  decimals?: 'number' | 'tag';
  /**
   * What embedded CBOR (tag 24, RFC 8949 section 3.4.5.1) becomes: a CborTag with its bytes, or the value that they
   * encode. Default `tag`.
   */
  embedded?: 'tag' | 'value';
  /**
   * Understands the tags that cbor-x writes: records (0xdffe to 0xffff and 105), packed values (51, 6 and simple values
   * up to 15), bundled strings (0xdff9, 14, 15), shared and cyclic values (28, 29), Map (259), RegExp and Error (27).
   * `false` leaves these to the application, as CborTag. Default true.
   */
  cborx?: boolean;
  /** The record structures that the writer shares with its readers (cbor-x's `structures`): lists of keys by number. */
  structures?: readonly (readonly string[] | null | undefined)[];
  /**
   * The packed values that the writer shares with its readers (cbor-x's `sharedValues`). Where it also has `pack`, 16
   * empty places come first.
   */
  packedValues?: PackedValues;
  /** The input is any number of values one after the other (RFC 8742); the result is an array of them. Default false. */
  sequence?: boolean;
  /**
   * Rejects what is not deterministically encoded: shortest forms, definite lengths, and keys in the order of their bytes
   * (`bytewise`, RFC 8949 section 4.2.1) or of their length first (`length-first`, section 4.2.3). The whole input is
   * checked before any of it is read. Default: not checked.
   */
  deterministic?: 'bytewise' | 'length-first' | false;
}

/** A class of the application's, and how its instances are written: as a tag around what `encode` returns, or as that alone. */
export interface CborClass<Value extends object = object> {
  /** Its instances, and those of classes that extend it. */
  readonly class: abstract new (...parameters: never[]) => Value;
  readonly tag?: number | bigint;
  /** Makes the value to be written. The instance itself is written as a plain object. */
  encode(value: Value): unknown;
}

/** How CBOR is written. The first value named is the default. */
export interface CborWriteOptions extends RecordOptions {
  /**
   * Writes deterministically (RFC 8949 section 4.2): shortest forms, and keys in the order of their bytes (`bytewise`,
   * section 4.2.1) or of their length first (`length-first`, section 4.2.3). Default: keys as they come.
   */
  deterministic?: 'bytewise' | 'length-first' | false;
  /**
   * Writes what CBOR itself has nothing for as cbor-x does: tag 259 before a Map that would be read as a plain object, RegExp
   * and Error (27). With `false`, Maps have no tag, a RegExp has tag 21066, and an Error is refused. Default true; false where
   * `deterministic` is set.
   */
  cborx?: boolean;
  /**
   * Objects that are in several places are written once and referred to, also from inside themselves (tags 28 and 29).
   * Default false: they are written in each place, and one inside itself is an error.
   */
  references?: boolean;
  /** Gathers strings of 4 to 1,023 characters behind the values, so that cbor-x reads them faster. Default false. */
  bundleStrings?: boolean;
  /** The packed values shared with readers, as the decoder has them: a string that is among them is written as its number. */
  packedValues?: PackedValues;
  /** The value is an array, whose items are written one after the other, without an array around them (RFC 8742). Default false. */
  sequence?: boolean;
  /** Writes tag 55799 first (RFC 8949 section 3.4.6), which tells that it is CBOR. Default false. */
  selfDescribed?: boolean;
  /**
   * How floats are written: in 16, 32 or 64 bits, the fewest that hold them (`shortest`); in 32 or 64 (`exact`); in 32 up
   * to about seven decimal digits, which a reader with `float32: 'decimal'` reads as they are (`decimal`); numbers with a
   * fraction up to 2³² in 32, at a loss (`always`); in 64 (`never`). Default `shortest`.
   */
  float32?: 'shortest' | 'exact' | 'decimal' | 'always' | 'never';
  /**
   * What safe integers past 32 bits are written as: integers, or floats, which cbor-x reads as numbers whatever its
   * settings. Default `integer`; `float` with `records`, `references` or `bundleStrings`.
   */
  int64?: 'integer' | 'float';
  /** What a bigint of more than 64 bits is written as: a bignum (tags 2 and 3), the nearest float, or decimal text. Default `bignum`. */
  largeBigints?: 'bignum' | 'float' | 'text';
  /**
   * What a Date is written as: seconds since 1970 (tag 1; an integer of up to 32 bits, or else a float), or text (tag 0, RFC
   * 3339). Default `seconds`.
   */
  dates?: 'seconds' | 'text';
  /** Properties of objects that are written as maps are left out where they have one of these values. Default none. */
  skipValues?: readonly unknown[];
  /** Keys of plain objects that are decimal integers are written as integers. Default false. */
  numericKeys?: boolean;
  /** Gives the value to be written for an invalid Date. Without it, that is tag 1 around NaN. */
  onInvalidDate?: (date: Date) => unknown;
  /** Gives the value to be written for a function. Without it functions are an error. */
  writeFunction?: (value: Function) => unknown;
  /** Calls `toJSON` of instances of classes that have it, and writes what it returns. Default true. */
  toJSON?: boolean;
  /** How instances of the application's classes are written; the first that fits is taken. */
  extensions?: readonly CborClass[];
}
