/** Types, by their numbers in schema.capnp (`Type`). */
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
/** A group: its fields are stored in the enclosing struct. */
export const GROUP = 19;

/** Bits of each type in a struct's data section, 0 for void and pointers. */
export const BITS = Uint8Array.of(0, 1, 8, 16, 32, 64, 8, 16, 32, 64, 32, 64, 0, 0, 0, 16, 0, 0, 0, 0);

export function isPointer(type: number): boolean {
  return type >= TEXT && type !== ENUM && type !== GROUP;
}

/** Discriminant of a field outside unions. */
export const NO_UNION = 0xffff;

/** One type. Plain data. */
export interface TypeSchema {
  type: number;
  /** Index of the struct or enum; for a list, index of the items' type in `types`; −1 for none. */
  ref: number;
}

/** One field. Plain data. */
export interface FieldSchema {
  name: string;
  /** Index in `types`. */
  type: number;
  /** Offset from the start of the data section in units of its size, or index among the pointers. */
  offset: number;
  /** Discriminant of the union when this member is set. */
  discriminant: number;
  /** Low and high 32 bits of the default; the data section stores the difference from it. */
  low: number;
  high: number;
  /** Position and segment of a pointer's default in the request; −1 for none. */
  at: number;
  segment: number;
}

/** One struct type or group. Plain data. */
export interface StructSchema {
  name: string;
  /** In declaration order. */
  fields: FieldSchema[];
  /** Whether it has a union of its own, and the position of the discriminant in units of 16 bits. */
  union: boolean;
  discriminantOffset: number;
}

/** Result of `compileSchema`. Plain data. */
export interface CapnProtoSchema {
  /** Index of the payload's struct. */
  root: number;
  types: TypeSchema[];
  structs: StructSchema[];
  enums: { name: string; names: string[] }[];
  /** The request, which contains the defaults of pointers; empty if no pointer has one. */
  request: Uint8Array;
}
