/** How BSON is read. The first value named is the default. */
export interface BsonOptions {
  /**
   * The form of values that JSON does not have.
   *
   * - `plain`: what JavaScript has. ObjectId, Decimal128 and symbol are text, a date is a Date, a regular expression a
   *   RegExp, binary a Uint8Array, a UUID text, a vector of int8 or float32 an Int8Array or Float32Array. What
   *   JavaScript has not is the object that Extended JSON has for it: `{ $timestamp: { t, i } }`,
   *   `{ $code, $scope }`, `{ $minKey: 1 }`, `{ $maxKey: 1 }`; a DBPointer is `{ $ref, $id }`.
   * - `relaxed`, `canonical`: the objects of MongoDB Extended JSON v2 in the form of that name.
   * - `classes`: the values that the bson package's `deserialize` gives, made by a `revive`
   *   (`createRevive(await import('bson'))` makes one); a BsonValue where there is none. Documents with `$ref` and `$id`
   *   stay documents.
   *
   * Default `plain`.
   */
  types?: 'plain' | 'relaxed' | 'canonical' | 'classes';
  /**
   * The form of 64-bit integers if `types` is `plain` or `classes`: a number within ±(2⁵³ − 1) and beyond a bigint
   * (`plain`) or a Long (`classes`), the nearest number, a bigint, or decimal text. Default `auto`.
   */
  int64?: 'auto' | 'number' | 'bigint' | 'string';
  /**
   * Where `types` is `classes`: whether numbers, symbols and regular expressions are JavaScript's own, or classes too
   * (Double, Int32, Long, BSONSymbol, BSONRegExp), as with the bson package's options of this name and `bsonRegExp`.
   * Default true.
   */
  promoteValues?: boolean;
  /**
   * The form of the option `s` of a regular expression: the flag `g`, as the bson package writes and reads it, or the
   * flag `s` (dot matches all), which it means by the specification. Default `global`.
   */
  regExpS?: 'global' | 'dotAll';
  /** The input is any number of documents one after the other; the result is an array of them. Default false. */
  sequence?: boolean;
}

/** How BSON is written. The first value named is the default. */
export interface BsonWriteOptions {
  /**
   * What plain objects are. `plain`: documents, whatever their keys are. `relaxed`, `canonical`: documents, but for the
   * objects of MongoDB Extended JSON v2, which are written as what they stand for; a number that is an integer of 64 bits
   * is then one. Values of the bson package's classes and BsonValues are understood with either. Default `plain`.
   */
  types?: 'plain' | 'relaxed' | 'canonical';
  /**
   * What safe integers past 32 bits are written as: doubles, as the bson package writes them, or 64-bit integers. Default
   * `float`.
   */
  int64?: 'float' | 'integer';
  /**
   * The form of a property that is undefined: undefined (an element type that is deprecated), null, or nothing. Items of
   * lists are null where it is `skip`. Default `undefined`.
   */
  undefined?: 'undefined' | 'null' | 'skip';
  /**
   * Which flag of a regular expression is its option `s`: `g`, as the bson package writes and reads it, or `s`. The other
   * one is refused. Default `global`.
   */
  regExpS?: 'global' | 'dotAll';
  /** The value is an array, whose documents are written one after the other. Default false. */
  sequence?: boolean;
}
