import { expect } from 'vitest';
import { firstDifference } from './hex.ts';

/** Deeper values, and those with cycles, are left to `expect`. */
const MAX_DEPTH = 50;

/**
 * True for arrays, objects, bytes and dates that are exactly the same, with nothing but plain values in them. False says nothing: `expect`
 * then compares as usual, and lists what differs.
 */
export function isPlainlyEqual(a: unknown, b: unknown, depth = 0): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || depth > MAX_DEPTH) return false;
  const prototype: unknown = Object.getPrototypeOf(a);
  if (prototype !== Object.getPrototypeOf(b)) return false;
  if (ArrayBuffer.isView(a)) return ArrayBuffer.isView(b) && !(a instanceof DataView) && firstDifference(bytesOf(a), bytesOf(b)) < 0;
  if (a instanceof Date) return b instanceof Date && Object.is(a.getTime(), b.getTime()) && hasNoKeys(a) && hasNoKeys(b);
  const isArray = prototype === Array.prototype && Array.isArray(a) && Array.isArray(b);
  if (!isArray && prototype !== Object.prototype && prototype !== null) return false;
  const keys = Reflect.ownKeys(a);
  if (keys.length !== Reflect.ownKeys(b).length) return false;
  if (isArray) {
    // The keys of an array without holes are its items and `length`.
    if (a.length !== b.length || keys.length !== a.length + 1) return false;
    for (let at = 0; at < a.length; at += 1) if (!isPlainlyEqual(a[at], b[at], depth + 1)) return false;
    return true;
  }
  for (const key of keys) {
    if (!Object.hasOwn(b, key) || !isPlainlyEqual(a[key as never], b[key as never], depth + 1)) return false;
  }
  return true;
}

const hasNoKeys = (value: object): boolean => Reflect.ownKeys(value).length === 0;

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Set once for all files, which share `expect`. */
const IS_SET = Symbol.for('unspool.plain-equality');

/**
 * Spares `toEqual` and `toStrictEqual` the work where two values are plainly equal, which most are. They take many times longer: for a
 * `Uint8Array` they compare each byte as an item and once more as a property.
 */
if (!(IS_SET in globalThis)) {
  Object.defineProperty(globalThis, IS_SET, { value: true });
  expect.addEqualityTesters([(a, b) => (typeof a === 'object' && isPlainlyEqual(a, b) ? true : undefined)]);
}
