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
