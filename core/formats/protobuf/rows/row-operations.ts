/**
 * Operations of a row kernel on a field of a message (`RowSteps`). Each field takes two steps: the first has the
 * operation, the column, the treatment of a missing field and the operands; the second has the tag. The kernel's
 * AssemblyScript shares this file, so it imports nothing.
 */

/** Varints. */
export const FIELD_INT32 = 0;
export const FIELD_UINT32 = 1;
export const FIELD_SINT32 = 2;
export const FIELD_INT64 = 3;
export const FIELD_UINT64 = 4;
export const FIELD_SINT64 = 5;
export const FIELD_BOOL = 6;
/**
 * An enum by name. b: the first symbol. The second operand of the second step: the number of symbols, whose values
 * count from 0.
 */
export const FIELD_ENUM = 7;
/** Four and eight bytes. */
export const FIELD_FLOAT = 8;
export const FIELD_FIXED32 = 9;
export const FIELD_SFIXED32 = 10;
export const FIELD_DOUBLE = 11;
export const FIELD_FIXED64 = 12;
export const FIELD_SFIXED64 = 13;
/** Length-delimited. b: the empty symbol. */
export const FIELD_STRING = 14;
/** Any other type, which no kernel reads. */
export const FIELD_OTHER = 15;

/** Value of a missing field: none, or zero, false, the first name, the empty string. */
export const MISSING_ABSENT = 0;
export const MISSING_DEFAULT = 1;
