/**
 * The class of a built-in object of the language or the platform, in any realm: `Date`, `Map`, `Error` (for every
 * error), `Object` (for every other class without a tag of its own).
 */
export function classOf(value: object): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}

/** True for a Date of any realm. */
export function isDate(value: unknown): value is Date {
  return value instanceof Date || isForeign(value, 'Date');
}

/** True for a Map of any realm. */
export function isMap(value: unknown): value is Map<unknown, unknown> {
  return value instanceof Map || isForeign(value, 'Map');
}

/** True for a Set of any realm. */
export function isSet(value: unknown): value is Set<unknown> {
  return value instanceof Set || isForeign(value, 'Set');
}

/** True for a Uint8Array of any realm. */
export function isUint8Array(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && classOf(value) === 'Uint8Array';
}

/** True for a buffer of any realm, also a shared one. */
export function isBuffer(value: unknown): value is ArrayBufferLike {
  return isForeign(value, 'ArrayBuffer') || isForeign(value, 'SharedArrayBuffer');
}

/** True for an object whose class has this name. Plain objects of this realm take no call of the engine. */
function isForeign(value: unknown, className: string): boolean {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) !== Object.prototype && classOf(value) === className;
}
