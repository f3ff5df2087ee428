import { FLAG, type OptionTable } from '../../option-table.ts';
/** Options for reading JSON (RFC 8259). */
export interface JsonOptions {
  /**
   * Integers beyond ±(2^53 - 1): `number` rounds them as `JSON.parse` does, `bigint` keeps them exactly. Numbers with a
   * fraction or an exponent are always doubles. Default `number`.
   */
  bigints?: 'number' | 'bigint' | undefined;
  /**
   * Reads any number of JSON texts into an array: newline-delimited JSON, JSON text sequences (RFC 7464). White space
   * or a record separator (0x1e) separates values; after an array or object it is optional. With record separators, white
   * space must follow a number, true, false or null, which may otherwise be cut. Default false: exactly one
   * value.
   */
  sequence?: boolean | undefined;
  /**
   * Reports strings and keys with escapes as text with their range in the input, for sinks that show value positions.
   * Default false: as unescaped bytes outside the input, which is faster.
   */
  ranges?: boolean | undefined;
}

/** Options for writing JSON (RFC 8259). With the defaults, the text equals that of `JSON.stringify`. */
export interface JsonWriteOptions {
  /**
   * Form of a bigint: `error` throws an EncodeError, where `JSON.stringify` throws a TypeError; `number` writes its
   * digits, which `bigints: 'bigint'` of the decoder reads back; `string` writes decimal text. Default `error`.
   */
  bigints?: 'error' | 'number' | 'string' | undefined;
  /**
   * Form of a Map: `empty` is an object without keys, as in `JSON.stringify`; `object` has its entries, whose keys must
   * be strings or numbers; `entries` is an array of `[key, value]`. Default `empty`.
   */
  maps?: 'empty' | 'object' | 'entries' | undefined;
  /** Form of a Set: an object without keys, as in `JSON.stringify`, or an array. Default `empty`. */
  sets?: 'empty' | 'array' | undefined;
  /**
   * Form of a buffer and of any view of one, such as a Uint8Array or Node's Buffer: as in `JSON.stringify`, which writes a
   * Uint8Array as an object of its indices, and calls the `toJSON` of a Buffer; or the bytes in base64 (RFC 4648 section 4)
   * or base64url (section 5). Default `object`.
   */
  bytes?: 'object' | 'base64' | 'base64url' | undefined;
  /**
   * Form of numbers that JSON lacks (NaN, ±Infinity): null, as in `JSON.stringify`, or an EncodeError. Default `null`.
   */
  nonFinite?: 'null' | 'error' | undefined;
  /**
   * Writes the items of an array as JSON texts, each followed by a line feed: newline-delimited JSON. Default false:
   * one text.
   */
  sequence?: boolean | undefined;
}

/** True if the text, or each item of a sequence, equals that of `JSON.stringify`. */
export function isPlain({ bigints = 'error', maps = 'empty', sets = 'empty', bytes = 'object', nonFinite = 'null' }: JsonWriteOptions): boolean {
  return bigints === 'error' && maps === 'empty' && sets === 'empty' && bytes === 'object' && nonFinite === 'null';
}

/** Values of the options for reading. */
export const READ_OPTIONS: OptionTable<JsonOptions> = {
  bigints: ['number', 'bigint'],
  sequence: FLAG,
  ranges: FLAG,
};

/** Values of the options for writing. */
export const WRITE_OPTIONS: OptionTable<JsonWriteOptions> = {
  bigints: ['error', 'number', 'string'],
  maps: ['empty', 'object', 'entries'],
  sets: ['empty', 'array'],
  bytes: ['object', 'base64', 'base64url'],
  nonFinite: ['null', 'error'],
  sequence: FLAG,
};
