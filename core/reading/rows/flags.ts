/**
 * What of a format's options decides how a sink reads rows (`RowRequest.flags`). The kernels' AssemblyScript shares this file,
 * which imports nothing.
 */

/** JSON: an integer that a double does not hold exactly is left to the reader. MessagePack: 64-bit integers are bigints. */
export const ROWS_BIGINTS = 1;
/** JSON: rows follow one another with white space, not commas, between them. BSON: they have no type and key before them. */
export const ROWS_SEQUENCE = 2;
/** Floats of 32 bits are numbers as they are; otherwise they are left to the reader. */
export const ROWS_FLOAT32 = 4;
/** Integers of 64 bits are numbers where a double holds them exactly; otherwise they are left to the reader. */
export const ROWS_INT64 = 8;
/** Sia: constructors with the code 1 are dates. */
export const ROWS_DATES = 16;
