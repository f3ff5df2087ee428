/** How JSON is read (RFC 8259). */
export interface JsonOptions {
  /**
   * What becomes of integers beyond ±(2^53 - 1): `number` rounds them as `JSON.parse` does, `bigint` keeps them
   * exactly. Numbers with a fraction or an exponent are doubles always. Default `number`.
   */
  bigints?: 'number' | 'bigint';
  /**
   * The input is any number of JSON texts, and the value the array of them: newline-delimited JSON, JSON text sequences
   * (RFC 7464). White space or a record separator (0x1e) stands between two values; after an array or object it may be
   * left out. Default false: exactly one value.
   */
  sequence?: boolean;
  /**
   * Reports strings and keys with escapes as text with their range in the input, for sinks that show where a value
   * lies. Default false: as unescaped bytes outside the input, which is faster.
   */
  ranges?: boolean;
}

/** How JSON is written (RFC 8259). With the defaults the text is the one that `JSON.stringify` gives. */
export interface JsonWriteOptions {
  /**
   * The form of a bigint: an EncodeError, as `JSON.stringify` throws; its digits as a number, which `bigints: 'bigint'` of
   * the decoder reads back; or decimal text. Default `error`.
   */
  bigints?: 'error' | 'number' | 'string';
  /**
   * The form of a Map: an object without keys, as in `JSON.stringify`; an object of its entries, whose keys must be strings
   * or numbers; or an array of `[key, value]`. Default `empty`.
   */
  maps?: 'empty' | 'object' | 'entries';
  /** The form of a Set: an object without keys, as in `JSON.stringify`, or an array. Default `empty`. */
  sets?: 'empty' | 'array';
  /**
   * The form of a Uint8Array or ArrayBuffer: what `JSON.stringify` gives, which for a Uint8Array is an object of its
   * indices; its bytes in base64 (RFC 4648 section 4) or base64url (section 5). Default `object`.
   */
  bytes?: 'object' | 'base64' | 'base64url';
  /** What a number becomes that JSON does not have (NaN, ±Infinity): null, as in `JSON.stringify`, or an EncodeError. Default `null`. */
  nonFinite?: 'null' | 'error';
  /**
   * Writes the items of an array as JSON texts, each followed by a line feed: newline-delimited JSON. Default false: one
   * text.
   */
  sequence?: boolean;
}
