import type { MessageSchema } from './schema.ts';

/** Key of the unknown fields. No field name contains a dollar sign. */
export const UNKNOWN_KEY = '$unknown';

/**
 * Kinds of messages: an ordinary record, a message sent as the one value it holds, and well-known types sent as their
 * JSON equivalents.
 */
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

/** Kind of a message if well-known types are values. A type with a well-known name but other fields is ordinary. */
export function wellKnownKind({ name, fields }: MessageSchema): number {
  return fields.every(({ number }, index) => number === index + 1) ? (WELL_KNOWN.get(name) ?? PLAIN) : PLAIN;
}

/**
 * Unique keys of a message's fields, then of its oneofs and unknown fields if requested. If two fields share a JSON
 * name, the second keeps its name from the `.proto`.
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
  if (withOneofs) for (const name of oneofs) keys.push(add(name, `${name}_`));
  if (withUnknown) keys.push(UNKNOWN_KEY);
  return keys;
}
