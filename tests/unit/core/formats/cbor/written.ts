/**
 * Copies a value to its form after a round trip: safe bigints are numbers, ArrayBuffers and DataViews are bytes, and plain
 * objects have the usual prototype. Keeps shared references.
 */
export function asRead(value: unknown, seen = new Map<unknown, unknown>()): unknown {
  if (typeof value === 'bigint') return BigInt.asIntN(54, value) === value ? Number(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (seen.has(value)) return seen.get(value);
  const keep = <T>(made: T): T => {
    seen.set(value, made);
    return made;
  };
  if (value instanceof ArrayBuffer) return keep(new Uint8Array(value));
  if (value instanceof DataView) return keep(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  if (value instanceof Uint8Array) return keep(new Uint8Array(value));
  if (ArrayBuffer.isView(value) || value instanceof Date || value instanceof RegExp || value instanceof URL) return keep(value);
  if (value instanceof Error) {
    if (value.cause === undefined) delete value.cause;
    return keep(value);
  }
  if (value instanceof Set) {
    const set = keep(new Set());
    for (const item of value) set.add(asRead(item, seen));
    return set;
  }
  if (value instanceof Map) {
    const map = keep(new Map());
    for (const [key, item] of value) map.set(asRead(key, seen), asRead(item, seen));
    return map;
  }
  if (Array.isArray(value)) {
    const array: unknown[] = keep([]);
    for (const item of value) array.push(asRead(item, seen));
    return array;
  }
  const object = keep(Object.create((Object.getPrototypeOf(value) as object | null) ?? Object.prototype) as Record<string, unknown>);
  for (const [key, item] of Object.entries(value)) object[key] = asRead(item, seen);
  return object;
}
