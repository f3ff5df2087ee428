/**
 * What a row kernel does for a field of a record (`RowSteps`). The kernel's AssemblyScript shares this file, which imports
 * nothing.
 */

/** Null, which takes no bytes; only types of a union are. */
export const ROW_NULL = 0;
export const ROW_BOOLEAN = 1;
export const ROW_INT = 2;
export const ROW_LONG = 3;
export const ROW_FLOAT = 4;
export const ROW_DOUBLE = 5;
export const ROW_STRING = 6;
/** a: the first symbol; b: how many. */
export const ROW_ENUM = 7;
/** a: the step of the first type; b: how many types. */
export const ROW_UNION = 8;
/** A long. a: how many of its units make a millisecond. */
export const ROW_INSTANT = 9;
/** An int: days since 1970. */
export const ROW_DATE = 10;
/** A long or an int that becomes a float, of 32 bits where `a` is 1. */
export const ROW_AS_FLOAT = 11;
/** What the reader's record does not have. `ROW_PASS_FIXED`: a: bytes. */
export const ROW_PASS_LONG = 12;
export const ROW_PASS_STRING = 13;
export const ROW_PASS_FIXED = 14;
