/** A type, by its number in schema.capnp (`Type`). */
export const VOID = 0;
export const BOOL = 1;
export const INT8 = 2;
export const INT16 = 3;
export const INT32 = 4;
export const INT64 = 5;
export const UINT8 = 6;
export const UINT16 = 7;
export const UINT32 = 8;
export const UINT64 = 9;
export const FLOAT32 = 10;
export const FLOAT64 = 11;
export const TEXT = 12;
export const DATA = 13;
export const LIST = 14;
export const ENUM = 15;
export const STRUCT = 16;
export const INTERFACE = 17;
export const ANY_POINTER = 18;
/** A field that is a group: its fields are in the struct around it. */
export const GROUP = 19;

/** By type its bits in a struct's data section, 0 for what is nothing or a pointer. */
export const BITS = Uint8Array.of(0, 1, 8, 16, 32, 64, 8, 16, 32, 64, 32, 64, 0, 0, 0, 16, 0, 0, 0, 0);

export function isPointer(type: number): boolean {
  return type >= TEXT && type !== ENUM && type !== GROUP;
}

/** The discriminant of a field that is in no union. */
export const NO_UNION = 0xffff;

/** One type. Plain data. */
export interface TypeSchema {
  type: number;
  /** Index of the struct or enum; of a list that of its items' type, in `types`; −1 for none. */
  ref: number;
}

/** One field. Plain data. */
export interface FieldSchema {
  name: string;
  /** Index in `types`. */
  type: number;
  /** In its own size from the start of the data section, or among the pointers. */
  offset: number;
  /** What the union's discriminant is where this is the member. */
  discriminant: number;
  /** The bits of the default, which what is in the data section is the difference from: the low and the high 32. */
  low: number;
  high: number;
  /** Of a pointer with a default, where in the request that is: the pointer's position and segment; −1 for none. */
  at: number;
  segment: number;
}

/** One struct type or group. Plain data. */
export interface StructSchema {
  name: string;
  /** In the order in which they are declared. */
  fields: FieldSchema[];
  /** Whether it has a union of its own, and where the discriminant is, in units of 16 bits. */
  union: boolean;
  discriminantOffset: number;
}

/** What `compileSchema` returns. Plain data. */
export interface CapnProtoSchema {
  /** Index of the struct that a payload is. */
  root: number;
  types: TypeSchema[];
  structs: StructSchema[];
  enums: { name: string; names: string[] }[];
  /** The request, in which the defaults of pointers are; empty where there are none. */
  request: Uint8Array;
}
