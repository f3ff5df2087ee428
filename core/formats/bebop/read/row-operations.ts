/**
 * Operations of a row kernel for fields of a struct (`RowSteps`). The kernel's AssemblyScript shares this file, which
 * imports nothing.
 */
export const ROW_BOOL = 0;
export const ROW_BYTE = 1;
export const ROW_UINT16 = 2;
export const ROW_INT16 = 3;
export const ROW_UINT32 = 4;
export const ROW_INT32 = 5;
export const ROW_UINT64 = 6;
export const ROW_INT64 = 7;
export const ROW_FLOAT32 = 8;
export const ROW_FLOAT64 = 9;
/** Ticks of 100 ns since the year 1. */
export const ROW_DATE = 10;
/** A length of four bytes, and UTF-8. */
export const ROW_STRING = 11;
