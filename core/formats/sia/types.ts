// Types of blocks by their first byte: the package's table. A family has five consecutive types with lengths or numbers
// of 1, 2, 4, 8 and 16 bytes, the first of which is named; the sixth, with an N, has the size of its length or number
// before it.

export const NULL = 0;
export const UNDEFINED = 1;
export const UINT8 = 2;
export const UINT16 = 3;
export const UINT32 = 4;
export const UINTN = 7;
export const INT8 = 8;
export const INT16 = 9;
export const INT32 = 10;
export const INTN = 13;
export const FLOAT8 = 14;
export const FLOAT64 = 17;
export const FLOATN = 19;
export const RECORD = 20;
export const REF8 = 21;
export const REFN = 26;
export const UTFZ = 27;
export const STRING8 = 28;
export const STRINGN = 33;
export const BIN8 = 34;
export const BINN = 39;
export const TRUE = 40;
export const FALSE = 41;
export const DATE32 = 42;
export const DATE64 = 43;
export const CONSTRUCTOR8 = 44;
export const CONSTRUCTOR32 = 46;
export const ARRAY8 = 47;
export const ARRAY128 = 51;
export const OBJECT_START = 52;
export const OBJECT_END = 53;
export const SET_START = 54;
export const SET_END = 55;
export const MAP_START = 56;
export const MAP_END = 57;

/** By position in a family: the bytes of its length or number; 0 for the sixth. */
export const LENGTHS = [1, 2, 4, 8, 16, 0];
