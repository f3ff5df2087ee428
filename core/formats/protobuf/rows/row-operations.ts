/**
 * What a row kernel does for a field of a message (`RowSteps`): two steps each, of which the first is its operation, column,
 * what stands for it where it is missing, and operands, the second its tag. The kernel's AssemblyScript shares this file,
 * which imports nothing.
 */

/** Varints. */
export const FIELD_INT32 = 0;
export const FIELD_UINT32 = 1;
export const FIELD_SINT32 = 2;
export const FIELD_INT64 = 3;
export const FIELD_UINT64 = 4;
export const FIELD_SINT64 = 5;
export const FIELD_BOOL = 6;
/** An enum by name. b: the first symbol; the second step's second operand: how many, from 0 on. */
export const FIELD_ENUM = 7;
/** Four and eight bytes. */
export const FIELD_FLOAT = 8;
export const FIELD_FIXED32 = 9;
export const FIELD_SFIXED32 = 10;
export const FIELD_DOUBLE = 11;
export const FIELD_FIXED64 = 12;
export const FIELD_SFIXED64 = 13;
/** With a length. b: the symbol that is empty. */
export const FIELD_STRING = 14;
/** What no kernel reads. */
export const FIELD_OTHER = 15;

/** What stands for a field that is missing: nothing, or zero, false, the first name, the empty string. */
export const MISSING_ABSENT = 0;
export const MISSING_DEFAULT = 1;
