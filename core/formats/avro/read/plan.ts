import type { Constants } from '../../../reading/constants.ts';

/**
 * The reader's program for one schema, or for a writer's and a reader's schema: instructions of four words.
 *
 *     operation, field of the enclosing record (−1: none), a, b
 *
 * The instructions of a record, or of the items of an array or map, are consecutive; the instructions they call are
 * elsewhere.
 */
export const WORDS = 4;

/** Operations: the type they read, and the meaning of `a` and `b`. */
export const NULL = 0;
export const BOOLEAN = 1;
export const INT = 2;
export const LONG = 3;
export const FLOAT = 4;
export const DOUBLE = 5;
export const STRING = 6;
export const BYTES = 7;
/** a: size in bytes. */
export const FIXED = 8;
/** a: position of its constants in `list`; b: their number. */
export const ENUM = 9;
/** a: position of its branches' instructions in `list`; b: their number. */
export const UNION = 10;
/** a: the record. */
export const RECORD = 11;
export const END_RECORD = 12;
/** a: position of the items' instructions in `bodies`, which begin with a BLOCK. */
export const ARRAY = 13;
export const MAP = 14;
/**
 * The head of a block of items. a: `ARRAY_BLOCK`, `MAP_BLOCK` or `SKIP_BLOCK`, bits, and from `ITEM_RECORD` on 1 + the record of
 * the items, 0 if they have none; b: 1 if items take no bytes.
 */
export const BLOCK = 15;
/** The end of an item. a: instructions of the next item; b: those of the next block. */
export const NEXT = 16;
export const KEY = 17;
/** Between data at the root. a: instructions of one datum. */
export const ROOT = 18;

/** a: `MILLIS`, `MICROS` or `NANOS` of the schema. */
export const AS_INSTANT = 19;

/** The operations below are rare and executed by `runOther`, except ITEM and END_ITEM. */
export const AS_DATE = 20;
/** A long or an int. a: 1 if it becomes a 32-bit float. */
export const AS_FLOAT = 21;
/** a: the scale; b: size of a fixed, −1 for bytes. */
export const AS_DECIMAL = 22;
/** a: the record of its parts. */
export const AS_DURATION = 23;
export const AS_UUID = 24;
/** A writer's branch or symbol that the reader's schema cannot represent. a: the message. */
export const FAIL = 25;

/** A value without bytes. a: its index in `values`. */
export const CONSTANT = 26;
/** a: instructions of the contents; b: 0 for an array, 1 for a map. */
export const CONSTANT_LIST = 27;
/** a: 0 for an array, 1 for a map; b: 1 + the record of the items that an empty array would have, 0 if they have none. */
export const END_CONSTANT = 28;
/** a: the index of the key in `values`. */
export const CONSTANT_KEY = 29;

/** Fields of the writer that the reader's record lacks. */
export const SKIP_VARINT = 30;
/** a: size in bytes. */
export const SKIP_FIXED = 31;
export const SKIP_STRING = 32;
/** a: instructions of the value, which end with RETURN. */
export const SKIP_CALL = 33;
export const RETURN = 34;
/** The remaining bytes of a skipped value longer than the window. */
export const SKIP_REST = 35;
/** A resolved enum: `list` has constants or, as negative numbers, messages for symbols that cannot be read. */
export const ENUM_OR_FAIL = 36;

/** A record that is an item; its fields follow. a: the record. The first block opens one stack frame for all items. */
export const ITEM = 37;
/** a: instructions of the next item; b: those of the next block. */
export const END_ITEM = 38;

export const ARRAY_BLOCK = 0;
export const MAP_BLOCK = 1;
export const SKIP_BLOCK = 2;
/**
 * Bits of a block of records: set for the first block, whose instruction is followed by that for later blocks, and
 * for later blocks.
 */
export const FIRST_OF_RECORDS = 4;
export const MORE_RECORDS = 8;
/** Number of the bits before the record. */
export const ITEM_RECORD = 4;

/** A program and its tables. */
export interface Plan {
  readonly code: Int32Array;
  readonly list: Int32Array;
  /**
   * By record: the position of its fields' instructions, its keys, the number of its values, and the cost of those that
   * take no bytes: 1 for each, and 1 for 16 characters or bytes of a default.
   */
  readonly bodies: Int32Array;
  readonly keys: readonly (readonly string[])[];
  readonly counts: Int32Array;
  readonly free: Int32Array;
  /** Symbols of enums. */
  readonly constants: Constants;
  readonly values: readonly Constant[];
  readonly messages: readonly string[];
  /** Start of the program, and position of the SKIP_REST instruction. */
  readonly start: number;
  readonly rest: number;
  /** The record of data; −1 if they have none. */
  readonly record: number;
  /** True if data take no bytes. */
  readonly empty: boolean;
}

/** A value from the schema rather than from the payload. */
export type Constant = null | boolean | number | bigint | string | Uint8Array | Date | FloatConstant;

/** A floating-point number, which may be integral. */
interface FloatConstant {
  float: number;
}
