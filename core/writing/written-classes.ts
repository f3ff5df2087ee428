import { classOf } from '../values/class-of.ts';
import { thrown } from './thrown.ts';

const FROM_ENTRIES = ': pass Object.fromEntries(…)';

/** Classes whose instances have no keys and are not empty either, with what to do: no format can represent them. */
const OPAQUE: Readonly<Record<string, string>> = {
  Promise: ': await it',
  FormData: FROM_ENTRIES,
  URLSearchParams: FROM_ENTRIES,
  Headers: FROM_ENTRIES,
  Blob: ': pass its bytes',
  File: ': pass its bytes',
  WeakMap: '',
  WeakSet: '',
  WeakRef: '',
  Generator: '',
  AsyncGenerator: '',
  ReadableStream: '',
  Window: '',
};

/** True if a class's instances have nothing that could be written. */
export function isOpaque(className: string): boolean {
  return Object.hasOwn(OPAQUE, className);
}

/** The reason of the error for an object of such a class. */
export function opaqueReason(className: string): string {
  return `a ${className}${OPAQUE[className]}`;
}

const BOXED: Readonly<Record<string, object>> = {
  Number: Number.prototype,
  String: String.prototype,
  Boolean: Boolean.prototype,
  BigInt: BigInt.prototype,
};

/** True if objects of a class wrap a primitive, which `valueOf` returns. */
export function isBoxed(className: string): boolean {
  return Object.hasOwn(BOXED, className);
}

/** Unwraps a primitive object (ECMA-262, SerializeJSONProperty); returns other values unchanged. */
export function primitiveOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const name = classOf(value);
  if (!isBoxed(name)) return value;
  let own: unknown;
  try {
    own = BOXED[name]!.valueOf.call(value);
  } catch {
    // It only has the name of one.
    return value;
  }
  // oxlint-disable-next-line typescript/no-base-to-string -- As in the engine.
  return name === 'Number' ? Number(value) : name === 'String' ? String(value) : own;
}

/** An object with its own JSON representation. */
export interface HasToJson {
  toJSON(key: string): unknown;
}

/** True if an object has its own JSON representation. */
export function hasToJson(value: object): value is HasToJson {
  return typeof (value as Partial<HasToJson>).toJSON === 'function';
}

/** The bytes of a view or a buffer, not copied. */
export function bytesOf(value: ArrayBufferView | ArrayBufferLike): Uint8Array {
  return ArrayBuffer.isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : new Uint8Array(value);
}

/** An object's own keys, without those that have one of the values to skip. */
export function keysOf(value: object, skipValues: readonly unknown[] | undefined): string[] {
  const keys = Object.keys(value);
  return skipValues === undefined ? keys : keys.filter((key) => !skipValues.includes((value as Record<string, unknown>)[key]));
}

/** True if a script has added enumerable keys to Object.prototype, which `for … in` then finds in every object. */
export function objectsInheritKeys(): boolean {
  let inherited: string | undefined;
  for (const key in EMPTY) inherited = key;
  return inherited !== undefined;
}

const EMPTY: object = {};

/** The parts of an Error that are written, as strings whatever their type. Throws an EncodeError if a getter throws. */
export function errorParts(error: Error): { name: string; message: string; cause: unknown } {
  return { name: textOf(error, 'name', 'Error'), message: textOf(error, 'message'), cause: propertyOf(error, 'cause') };
}

/** A property of a built-in object, converted to a string. Throws an EncodeError if reading it throws. */
export function textOf(value: object, key: string, absent = ''): string {
  return propertyOf(value, key, (given) => (given === undefined ? absent : String(given as string)));
}

function propertyOf<T>(value: object, key: string, convert: (given: unknown) => T = (given) => given as T): T {
  try {
    return convert((value as Record<string, unknown>)[key]);
  } catch (error) {
    throw thrown(error, undefined, { path: [key] });
  }
}
