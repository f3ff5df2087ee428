/**
 * Options of a format that affect how a sink reads rows (`RowRequest.flags`). The kernels' AssemblyScript shares this
 * file, which imports nothing.
 */

/**
 * JSON: integers that a double cannot represent exactly are left to the reader. MessagePack: 64-bit integers are
 * bigints.
 */
export const ROWS_BIGINTS = 1;
/** JSON: white space, not commas, separates rows. BSON: rows have no type and key before them. */
export const ROWS_SEQUENCE = 2;
/** 32-bit floats are numbers as they are; otherwise they are left to the reader. */
export const ROWS_FLOAT32 = 4;
/** 64-bit integers that a double represents exactly are numbers; otherwise they are left to the reader. */
export const ROWS_INT64 = 8;
/** Sia: constructors with the code 1 are dates. */
export const ROWS_DATES = 16;
