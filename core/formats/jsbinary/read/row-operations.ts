/**
 * Operations of a row kernel for fields of an object (`RowSteps`); a: 1 if the field is optional. The kernel's
 * AssemblyScript shares this file, which imports nothing.
 */
export const ROW_UINT = 0;
export const ROW_INT = 1;
export const ROW_DATE = 2;
export const ROW_FLOAT = 3;
export const ROW_BOOLEAN = 4;
export const ROW_STRING = 5;
