/** Types, by their numbers in reflection.fbs (`BaseType`). */
export const NONE = 0;
export const UTYPE = 1;
export const BOOL = 2;
export const BYTE = 3;
export const UBYTE = 4;
export const SHORT = 5;
export const USHORT = 6;
export const INT = 7;
export const UINT = 8;
export const LONG = 9;
export const ULONG = 10;
export const FLOAT = 11;
export const DOUBLE = 12;
export const STRING = 13;
export const VECTOR = 14;
/** A table or a struct. */
export const OBJ = 15;
export const UNION = 16;
/** A fixed number of items in a struct. */
export const ARRAY = 17;
/** A vector with a length of 64 bits. */
export const VECTOR64 = 18;

/** Size of each scalar type, 0 for other types. */
export const SIZE = Uint8Array.of(0, 1, 1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 0, 0, 0, 0, 0, 0);

export function isScalar(type: number): boolean {
  return type >= UTYPE && type <= DOUBLE;
}

/** One field of a table or struct. Plain data. */
export interface FieldSchema {
  name: string;
  id: number;
  type: number;
  /** Type of the items of a vector or array. */
  element: number;
  /** Index of the object or enum of the type or the items, −1 for none. */
  ref: number;
  /** Number of items of an array. */
  length: number;
  /** Offset in a struct. */
  offset: number;
  /** Default of a scalar in a table; 0 or 1 for a boolean. */
  default: number | bigint;
  /** True for a scalar without a default, which may be absent or null. */
  optional: boolean;
  required: boolean;
  key: boolean;
  deprecated: boolean;
  /** True if its offset has 64 bits. */
  far: boolean;
  /** Index of the root object of the buffer nested in this vector of bytes, −1 for none. */
  nested: number;
}

/** A field without a type or attributes. */
export const NO_FIELD: FieldSchema = {
  name: '',
  id: 0,
  type: NONE,
  element: NONE,
  ref: -1,
  length: 0,
  offset: 0,
  default: 0,
  optional: false,
  required: false,
  key: false,
  deprecated: false,
  far: false,
  nested: -1,
};

/** A table or struct type. Plain data. */
export interface ObjectSchema {
  /** Includes the namespace. */
  name: string;
  struct: boolean;
  /** Size of a struct. */
  size: number;
  /** In the order of their ids. */
  fields: FieldSchema[];
}

/** An enum type, or a union's types. Plain data. */
export interface EnumSchema {
  name: string;
  union: boolean;
  /** True if its values are bits, any of which may be set. */
  flags: boolean;
  names: string[];
  values: bigint[];
  /** For a union, the type of each value: `OBJ` with the object's index, or `STRING`. */
  types: number[];
  refs: number[];
}

/** Result of `compileSchema`. Plain data. */
export interface FlatBuffersSchema {
  /** Index of the payload's table. */
  root: number;
  /** File identifier of payloads, empty for none. */
  identifier: string;
  objects: ObjectSchema[];
  enums: EnumSchema[];
}
