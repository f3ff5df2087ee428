import { FLAG, INT64, type OptionTable } from '../../option-table.ts';
/** Options for reading BSON. The first value of each is the default. */
export interface BsonOptions {
  /**
   * Form of values that JSON lacks.
   *
   * - `plain`: JavaScript's own types. ObjectId, Decimal128 and symbol become strings, a date a Date, a regular expression
   *   a RegExp, binary a Uint8Array, a UUID a string, a vector of int8 or float32 an Int8Array or Float32Array. Types that
   *   JavaScript lacks become objects of Extended JSON: `{ $timestamp: { t, i } }`, `{ $code, $scope }`, `{ $minKey: 1 }`,
   *   `{ $maxKey: 1 }`; a DBPointer becomes `{ $ref, $id }`.
   * - `relaxed`, `canonical`: the objects of MongoDB Extended JSON v2 in that form.
   * - `classes`: the values that the bson package's `deserialize` returns, made by a `reviveTag` (see
   *   `createReviveTag(await import('bson'))`), or BsonValues without one. Documents with `$ref` and `$id` stay documents.
   *
   * Default `plain`.
   */
  types?: 'plain' | 'relaxed' | 'canonical' | 'classes' | undefined;
  /**
   * Form of 64-bit integers if `types` is `plain` or `classes`. `auto`: a number within ±(2⁵³ − 1), and beyond a bigint
   * (`plain`) or a Long (`classes`). `number`: the nearest number. `bigint`: a bigint. `string`: decimal text. Default
   * `auto`.
   */
  int64?: 'auto' | 'number' | 'bigint' | 'string' | undefined;
  /**
   * If `types` is `classes`: whether numbers, symbols and regular expressions become JavaScript's own types, or classes
   * too (Double, Int32, Long, BSONSymbol, BSONRegExp), as with the bson package's options of this name and
   * `bsonRegExp`. Default true.
   */
  promoteValues?: boolean | undefined;
  /**
   * Form of a regular expression's option `s`: the flag `g`, as the bson package writes and reads it, or the flag `s`
   * (dot matches all), as in the specification. Default `global`.
   */
  regExpS?: 'global' | 'dotAll' | undefined;
  /** Reads any number of consecutive documents; the result is an array of them. Default false. */
  sequence?: boolean | undefined;
}

/** Options for writing BSON. The first value of each is the default. */
export interface BsonWriteOptions {
  /**
   * Meaning of plain objects. `plain`: documents, with any keys. `relaxed`, `canonical`: documents, except the objects
   * of MongoDB Extended JSON v2, which are written as the values that they stand for; integers of up to 64 bits are
   * then written as integers. Instances of the bson package's classes and BsonValues are accepted with any setting.
   * Default `plain`.
   */
  types?: 'plain' | 'relaxed' | 'canonical' | undefined;
  /**
   * Form of safe integers past 32 bits: doubles, as the bson package writes them, or 64-bit integers. Default `float`.
   */
  int64?: 'float' | 'integer' | undefined;
  /**
   * Form of a property that is undefined: undefined (a deprecated element type), null, or omitted (`skip`). With
   * `skip`, undefined items of arrays become null. Default `undefined`.
   */
  undefined?: 'undefined' | 'null' | 'skip' | undefined;
  /**
   * The flag that is written as a regular expression's option `s`: `g`, as the bson package writes and reads it, or
   * `s`. The other one is rejected. Default `global`.
   */
  regExpS?: 'global' | 'dotAll' | undefined;
  /** Writes the documents of an array one after another. Default false. */
  sequence?: boolean | undefined;
}

/** Values of the options for reading. */
export const READ_OPTIONS: OptionTable<BsonOptions> = {
  types: ['plain', 'relaxed', 'canonical', 'classes'],
  int64: INT64,
  promoteValues: FLAG,
  regExpS: ['global', 'dotAll'],
  sequence: FLAG,
};

/** Values of the options for writing. */
export const WRITE_OPTIONS: OptionTable<BsonWriteOptions> = {
  types: ['plain', 'relaxed', 'canonical'],
  int64: ['float', 'integer'],
  undefined: ['undefined', 'null', 'skip'],
  regExpS: ['global', 'dotAll'],
  sequence: FLAG,
};
