import { ExtData } from '@msgpack/msgpack';

/** Converts a value to the one that msgpackr writes, which has no −0. */
export function asWritten(value: unknown): unknown {
  return likeOurs(value, (number) => number + 0);
}

/**
 * Converts a library's result to ours: bytes as separate plain Uint8Arrays, and errors without the property `cause` if it is
 * undefined. Keeps shared references.
 */
export function likeOurs(value: unknown, number = (given: number): number => given, seen = new Map<unknown, unknown>()): unknown {
  if (typeof value === 'number') return number(value);
  if (typeof value !== 'object' || value === null) return value;
  if (seen.has(value)) return seen.get(value);
  const keep = <T>(made: T): T => {
    seen.set(value, made);
    return made;
  };
  if (value instanceof Uint8Array) return keep(new Uint8Array(value));
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer || value instanceof Date || value instanceof RegExp) return keep(value);
  if (value instanceof ExtData) return keep(new ExtData(value.type, new Uint8Array(value.data as Uint8Array)));
  if (value instanceof Error) {
    if (value.cause === undefined) delete value.cause;
    return keep(value);
  }
  if (value instanceof Set) {
    const set = keep(new Set());
    for (const item of value) set.add(likeOurs(item, number, seen));
    return set;
  }
  if (value instanceof Map) {
    const map = keep(new Map());
    for (const [key, item] of value) map.set(likeOurs(key, number, seen), likeOurs(item, number, seen));
    return map;
  }
  if (Array.isArray(value)) {
    const array: unknown[] = keep([]);
    for (const item of value) array.push(likeOurs(item, number, seen));
    return array;
  }
  const object: Record<string, unknown> = keep({});
  for (const [key, item] of Object.entries(value)) object[key] = likeOurs(item, number, seen);
  return object;
}
