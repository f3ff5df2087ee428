/** Roles of bytes in formats whose values may lie anywhere (see `Extents`). */
export const UNUSED = 0;
export const PAYLOAD = 1;
export const OFFSET = 2;
export const ROOT_OFFSET = 3;
export const VTABLE_OFFSET = 4;
export const VTABLE = 5;
export const LENGTH = 6;
export const TERMINATOR = 7;
export const PADDING = 8;
export const IDENTIFIER = 9;
export const SIZE_PREFIX = 10;
export const UNKNOWN = 11;
export const SEGMENT_TABLE = 12;
export const POINTER = 13;
export const FAR_POINTER = 14;
export const LANDING_PAD = 15;
export const TAG = 16;
export const DISCRIMINANT = 17;
export const NULL_POINTER = 18;
export const UNREAD = 19;
export const FIELD_TAG = 20;
export const REPLACED = 21;
export const COLUMNS = 22;
/** Role of the first kind of `BESIDE`; the others follow. */
export const FIRST_BESIDE = 23;

/** Label of each role, and the part of a value it counts as. */
export const ROLES: readonly (readonly [name: string, part: 'key' | 'type' | 'length' | 'payload' | 'padding'])[] = [
  ['unreferenced', 'padding'],
  ['payload', 'payload'],
  ['offset', 'key'],
  ['root offset', 'key'],
  ['vtable offset', 'type'],
  ['vtable', 'type'],
  ['length', 'length'],
  ['terminator', 'length'],
  ['padding', 'padding'],
  ['file identifier', 'type'],
  ['size prefix', 'length'],
  ['unknown field', 'padding'],
  ['segment table', 'length'],
  ['pointer', 'key'],
  ['far pointer', 'key'],
  ['landing pad', 'key'],
  ['tag', 'length'],
  ['discriminant', 'type'],
  ['null pointer', 'padding'],
  ['unread', 'padding'],
  ['key, tag', 'key'],
  ['replaced by a later value', 'padding'],
  ['schema, dictionaries and unused bits', 'length'],
  ['validity', 'length'],
  ['offsets', 'key'],
  ['index', 'key'],
  ['view', 'key'],
  ['type id', 'type'],
];
