import type { Constants } from '../../../reading/constants.ts';

/**
 * What the reader does for one schema, or for one writer's and one reader's: instructions of four words.
 *
 *     operation, field of the record around it (−1: none), a, b
 *
 * Those of a record, or of the items of an array or map, lie in a row; what they call lies elsewhere.
 */
export const WORDS = 4;

/** Operations: what they read, and what `a` and `b` are. */
export const NULL = 0;
export const BOOLEAN = 1;
export const INT = 2;
export const LONG = 3;
export const FLOAT = 4;
export const DOUBLE = 5;
export const STRING = 6;
export const BYTES = 7;
/** a: bytes. */
export const FIXED = 8;
/** a: where in `list` its constants are; b: how many. */
export const ENUM = 9;
/** a: where in `list` the instructions of its types are; b: how many. */
export const UNION = 10;
/** a: the record. */
export const RECORD = 11;
export const END_RECORD = 12;
/** a: where in `bodies` the instructions of the items are, the first of which is a BLOCK. */
export const ARRAY = 13;
export const MAP = 14;
/** The head of a block of items. a: `ARRAY_BLOCK` or another, and bits; b: 1 where items take no bytes. */
export const BLOCK = 15;
/** The end of an item. a: the next item's instructions; b: those of the next block. */
export const NEXT = 16;
export const KEY = 17;
/** Between the data at the root. a: the instructions of one. */
export const ROOT = 18;

/** a: `MILLIS`, `MICROS` or `NANOS` of the schema. */
export const AS_INSTANT = 19;

/** From here on the operations are rare, and carried out apart, but for those of items. */
export const AS_DATE = 20;
/** A long or an int. a: 1 where it becomes a 32-bit float. */
export const AS_FLOAT = 21;
/** a: the scale; b: bytes of a fixed, −1 where the length is told. */
export const AS_DECIMAL = 22;
/** a: the record of its parts. */
export const AS_DURATION = 23;
export const AS_UUID = 24;
/** What the writer's branch or symbol cannot be read as. a: the message. */
export const FAIL = 25;

/** A value that no bytes stand for. a: its index in `values`. */
export const CONSTANT = 26;
/** a: the instructions of the content; b: 0 for an array, 1 for a map. */
export const CONSTANT_LIST = 27;
/** a: 0 for an array, 1 for a map. */
export const END_CONSTANT = 28;
/** a: the index of the key in `values`. */
export const CONSTANT_KEY = 29;

/** What the reader has no place for. */
export const SKIP_VARINT = 30;
/** a: bytes. */
export const SKIP_FIXED = 31;
export const SKIP_STRING = 32;
/** a: its instructions, which end with RETURN. */
export const SKIP_CALL = 33;
export const RETURN = 34;
/** What is left of something longer than what there is. */
export const SKIP_REST = 35;
/** A resolved enum: `list` has the constants or, below 0, the message of what cannot be read. */
export const ENUM_OR_FAIL = 36;

/**
 * A record that is an item, whose fields follow. a: the record. The place of all of them on the stack is opened with the
 * first block.
 */
export const ITEM = 37;
/** a: the next item's instructions; b: those of the next block. */
export const END_ITEM = 38;

export const ARRAY_BLOCK = 0;
export const MAP_BLOCK = 1;
export const SKIP_BLOCK = 2;
/** Bits of a block of records: the first, behind which the instruction for the others lies, and another. */
export const FIRST_OF_RECORDS = 4;
export const MORE_RECORDS = 8;

/** A program and its tables. */
export interface Plan {
  readonly code: Int32Array;
  readonly list: Int32Array;
  /** By record the instructions of its fields, its keys, and the values that it gives: its own, and those that take no bytes. */
  readonly bodies: Int32Array;
  readonly keys: readonly (readonly string[])[];
  readonly counts: Int32Array;
  readonly free: Int32Array;
  /** Symbols of enums. */
  readonly constants: Constants;
  readonly values: readonly Constant[];
  readonly messages: readonly string[];
  /** Where the program begins, and the instruction SKIP_REST. */
  readonly start: number;
  readonly rest: number;
  /** Data take no bytes. */
  readonly empty: boolean;
}

/** A value that is not in the payload. */
export type Constant = null | boolean | number | bigint | string | Uint8Array | Date | FloatConstant;

/** A number of a floating-point type, which may be integral. */
export interface FloatConstant {
  float: number;
}
