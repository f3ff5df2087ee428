/** A type, by its number in reflection.fbs (`BaseType`). */
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
/** So many items as the schema says, in a struct. */
export const ARRAY = 17;
/** A vector with a length of 64 bits. */
export const VECTOR64 = 18;

/** By type the bytes of a scalar, 0 for the others. */
export const SIZE = Uint8Array.of(0, 1, 1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 0, 0, 0, 0, 0, 0);

export function isScalar(type: number): boolean {
  return type >= UTYPE && type <= DOUBLE;
}

/** One field of a table or struct. Plain data. */
export interface FieldSchema {
  name: string;
  id: number;
  type: number;
  /** The type of the items of a vector or array. */
  element: number;
  /** Index of the object or enum that the type or the items are of, −1 for none. */
  ref: number;
  /** Items of an array. */
  length: number;
  /** In a struct, how far from its start. */
  offset: number;
  /** Of a scalar in a table. A boolean's is 0 or 1. */
  default: number | bigint;
  /** A scalar without a default: absent or null. */
  optional: boolean;
  required: boolean;
  key: boolean;
  deprecated: boolean;
  /** Its offset has 64 bits. */
  far: boolean;
  /** Index of the object that is the root of the buffer in this vector of bytes, −1 for none. */
  nested: number;
}

/** A table or struct type. Plain data. */
export interface ObjectSchema {
  /** With its namespace. */
  name: string;
  struct: boolean;
  /** Of a struct. */
  size: number;
  /** In the order of their ids. */
  fields: FieldSchema[];
}

/** An enum type, or a union's types. Plain data. */
export interface EnumSchema {
  name: string;
  union: boolean;
  /** Its values are bits, of which any number may be set. */
  flags: boolean;
  names: string[];
  values: bigint[];
  /** Of a union: what each value stands for, `OBJ` with the object's index or `STRING`. */
  types: number[];
  refs: number[];
}

/** What `compileSchema` returns. Plain data. */
export interface FlatBuffersSchema {
  /** Index of the table that a payload is. */
  root: number;
  /** The file identifier that payloads have; empty for none. */
  identifier: string;
  objects: ObjectSchema[];
  enums: EnumSchema[];
}
