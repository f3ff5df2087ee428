import { thrown } from './thrown.ts';

/**
 * The class of an object that is built into the language or the platform, of this realm or another: `Date`, `Map`,
 * `Error` (of every error), `Object` (of every other class that does not name itself).
 */
export function classOf(value: object): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}

/** Classes whose instances have no keys, and yet are not empty: no format has anything for them. */
const OPAQUE: ReadonlySet<string> = new Set([
  'Promise',
  'WeakMap',
  'WeakSet',
  'WeakRef',
  'Blob',
  'File',
  'Generator',
  'AsyncGenerator',
  'ReadableStream',
  'Window',
]);

/** Whether nothing of a class's instances could be written but their name. */
export function isOpaque(className: string): boolean {
  return OPAQUE.has(className);
}

const BOXED: ReadonlySet<string> = new Set(['Number', 'String', 'Boolean', 'BigInt']);

/** Whether objects of a class stand for a value of another type, which `valueOf` gives. */
export function isBoxed(className: string): boolean {
  return BOXED.has(className);
}

const PROTOTYPES: Readonly<Record<string, object>> = {
  Number: Number.prototype,
  String: String.prototype,
  Boolean: Boolean.prototype,
  BigInt: BigInt.prototype,
};

/** The primitive that an object is around (ECMA-262, SerializeJSONProperty); other values as they are. */
export function primitiveOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const name = classOf(value);
  if (!isBoxed(name)) return value;
  let own: unknown;
  try {
    own = PROTOTYPES[name]!.valueOf.call(value);
  } catch {
    // It only has the name of one.
    return value;
  }
  // oxlint-disable-next-line typescript/no-base-to-string -- As the engine does.
  return name === 'Number' ? Number(value) : name === 'String' ? String(value) : own;
}

/** An object that says what JSON has in its place. */
export interface HasToJson {
  toJSON(key: string): unknown;
}

/** Whether an object says what JSON has in its place. */
export function hasToJson(value: object): value is HasToJson {
  return typeof (value as Partial<HasToJson>).toJSON === 'function';
}

/** The bytes of a view or a buffer, not copied. */
export function bytesOf(value: ArrayBufferView | ArrayBufferLike): Uint8Array {
  return ArrayBuffer.isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : new Uint8Array(value);
}

/** An object's own keys, but for those that have one of the values to be left out. */
export function keysOf(value: object, skipValues: readonly unknown[] | undefined): string[] {
  const keys = Object.keys(value);
  return skipValues === undefined ? keys : keys.filter((key) => !skipValues.includes((value as Record<string, unknown>)[key]));
}

/** Whether a script has given all objects keys of its own, which `for … in` then finds in every object. */
export function objectsInheritKeys(): boolean {
  const found: string[] = [];
  for (const key in EMPTY) found.push(key);
  return found.length > 0;
}

const EMPTY: object = {};

/** What an Error is written as: texts, whatever a script has put in their place. Throws an EncodeError where a getter throws. */
export function errorParts(error: Error): { name: string; message: string; cause: unknown } {
  return { name: textOf(error, 'name', 'Error'), message: textOf(error, 'message'), cause: propertyOf(error, 'cause') };
}

/** A property of a built-in object that should be a text, as one. Throws an EncodeError where reading it throws. */
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
