/** Element types (https://bsonspec.org/spec.html). */
export const DOUBLE = 0x01;
export const STRING = 0x02;
export const DOCUMENT = 0x03;
export const ARRAY = 0x04;
export const BINARY = 0x05;
export const UNDEFINED = 0x06;
export const OBJECT_ID = 0x07;
export const BOOLEAN = 0x08;
export const DATE = 0x09;
export const NULL = 0x0a;
export const REGEXP = 0x0b;
export const DB_POINTER = 0x0c;
export const CODE = 0x0d;
export const SYMBOL = 0x0e;
export const CODE_WITH_SCOPE = 0x0f;
export const INT32 = 0x10;
export const TIMESTAMP = 0x11;
export const INT64 = 0x12;
export const DECIMAL128 = 0x13;
export const MAX_KEY = 0x7f;
export const MIN_KEY = 0xff;

/** Binary subtypes with special treatment. */
export const OLD_BINARY = 0x02;
export const UUID = 0x04;
export const VECTOR = 0x09;

/** Types without a size in `SIZES`. */
export const OTHER = 0xff;

/** By type: the bytes of its value, or of the head if more bytes follow. */
export const SIZES = new Uint8Array(256).fill(OTHER);
for (const [type, size] of [
  [DOUBLE, 8],
  [STRING, 4],
  [DOCUMENT, 4],
  [ARRAY, 4],
  [UNDEFINED, 0],
  [OBJECT_ID, 12],
  [BOOLEAN, 1],
  [DATE, 8],
  [NULL, 0],
  [INT32, 4],
  [TIMESTAMP, 8],
  [INT64, 8],
  [DECIMAL128, 16],
  [MAX_KEY, 0],
  [MIN_KEY, 0],
] as const) {
  SIZES[type] = size;
}
