import type { MessageSchema } from './schema.ts';

/** The key of the unknown fields. No field's name has a dollar sign. */
export const UNKNOWN_KEY = '$unknown';

/** What is sent for a message: a record, the one value it holds, or what its well-known type stands for. */
export const PLAIN = 0;
export const UNWRAPPED = 1;
export const TIMESTAMP = 2;
export const DURATION = 3;
export const FIELD_MASK = 4;
export const ANY = 5;

const WELL_KNOWN = new Map(
  [
    ['Timestamp', TIMESTAMP],
    ['Duration', DURATION],
    ['FieldMask', FIELD_MASK],
    ['Any', ANY],
    ['Struct', UNWRAPPED],
    ['Value', UNWRAPPED],
    ['ListValue', UNWRAPPED],
    ['DoubleValue', UNWRAPPED],
    ['FloatValue', UNWRAPPED],
    ['Int64Value', UNWRAPPED],
    ['UInt64Value', UNWRAPPED],
    ['Int32Value', UNWRAPPED],
    ['UInt32Value', UNWRAPPED],
    ['BoolValue', UNWRAPPED],
    ['StringValue', UNWRAPPED],
    ['BytesValue', UNWRAPPED],
  ].map(([name, kind]) => [`google.protobuf.${name}`, kind as number]),
);

/** What a message is if well-known types are values. A type of that name whose fields are others is an ordinary one. */
export function wellKnownKind({ name, fields }: MessageSchema): number {
  return fields.every(({ number }, index) => number === index + 1) ? (WELL_KNOWN.get(name) ?? PLAIN) : PLAIN;
}

/**
 * The unique keys of a message's fields, then those of its oneofs and of the unknown fields where they are wanted: of two
 * fields with one JSON name, the second has the name in the `.proto`.
 */
export function keysOf({ fields, oneofs }: MessageSchema, names: 'proto' | 'json', withOneofs: boolean, withUnknown: boolean): string[] {
  const taken = new Set<string>();
  const add = (name: string, other: string): string => {
    let key = taken.has(name) ? other : name;
    while (taken.has(key)) key += '_';
    taken.add(key);
    return key;
  };
  const keys = fields.map(({ name, jsonName }) => add(names === 'json' ? jsonName : name, name));
  if (withOneofs) keys.push(...oneofs.map((name) => add(name, `${name}_`)));
  if (withUnknown) keys.push(UNKNOWN_KEY);
  return keys;
}
