/**
 * Operations of a row kernel on a field of a record (`RowSteps`). The kernel's AssemblyScript shares this file, so it
 * imports nothing.
 */

/** Null, which takes no bytes. Only for branches of a union. */
export const ROW_NULL = 0;
export const ROW_BOOLEAN = 1;
export const ROW_INT = 2;
export const ROW_LONG = 3;
export const ROW_FLOAT = 4;
export const ROW_DOUBLE = 5;
export const ROW_STRING = 6;
/** a: the first symbol; b: the number of symbols. */
export const ROW_ENUM = 7;
/** a: the step of the first branch; b: the number of branches. */
export const ROW_UNION = 8;
/** A long. a: units per millisecond. */
export const ROW_INSTANT = 9;
/** An int: days since 1970. */
export const ROW_DATE = 10;
/** A long or an int read as a float, of 32 bits if `a` is 1. */
export const ROW_AS_FLOAT = 11;
/** Fields that the reader's record lacks. `ROW_PASS_FIXED`: a: size in bytes. */
export const ROW_PASS_LONG = 12;
export const ROW_PASS_STRING = 13;
export const ROW_PASS_FIXED = 14;
