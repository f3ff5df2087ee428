import { type Constructor, constructors, DeSia, Sia } from 'sializer';

const global = globalThis as { Buffer?: unknown };
// Without a global Buffer, the package uses its own, but it also looks for the global one.
global.Buffer ??= new Sia({ size: 1 }).buffer.constructor;

/** Class that the package knows by a custom code. */
export class Point {
  readonly x: number;
  readonly y: unknown;

  constructor(x: number, y: unknown) {
    this.x = x;
    this.y = y;
  }
}

/** Classes with codes that take two and four bytes. */
export class Far extends Point {}
export class Farther extends Point {}

const args = ({ x, y }: Point): unknown[] => [x, y];
export const all: readonly Constructor[] = [
  ...constructors,
  { constructor: Point, code: 7, args, build: (x: number, y: unknown) => new Point(x, y) },
  { constructor: Far, code: 300, args, build: (x: number, y: unknown) => new Far(x, y) },
  { constructor: Farther, code: 70_000, args, build: (x: number, y: unknown) => new Farther(x, y) },
];

const writer = new Sia({ size: 1 << 22, constructors: all });
const reader = new DeSia({ constructors: all });

export function encode(value: unknown): Uint8Array {
  return Uint8Array.from(writer.serialize(value));
}

/** Decodes with the package. `plain` converts its Buffers to Uint8Arrays. */
export function decode(bytes: Uint8Array): unknown {
  return reader.deserialize(bufferOf(bytes));
}

/** Buffer, the only byte class that the package writes. */
export function bufferOf(bytes: Uint8Array): Uint8Array {
  return (global.Buffer as { from(bytes: Uint8Array): Uint8Array }).from(bytes);
}

/** Value with a Uint8Array for each Buffer, and 0 for −0, whose sign the package does not write. */
export function plain(value: unknown): unknown {
  if (value === 0) return 0;
  if (typeof value !== 'object' || value === null) return value;
  if (ArrayBuffer.isView(value)) return Uint8Array.from(value as Uint8Array);
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Set) return new Set([...value].map(plain));
  if (value instanceof Map) return new Map([...value].map(([key, inner]) => [plain(key), plain(inner)]));
  if (value instanceof Farther) return new Farther(plain(value.x) as number, plain(value.y));
  if (value instanceof Far) return new Far(plain(value.x) as number, plain(value.y));
  if (value instanceof Point) return new Point(plain(value.x) as number, plain(value.y));
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  const result = {};
  for (const [key, inner] of Object.entries(value)) {
    Object.defineProperty(result, key, { value: plain(inner), enumerable: true, configurable: true, writable: true });
  }
  return result;
}

/** True if a string in the value has a unit whose low byte is zero. */
export function hasZeroByte(value: unknown): boolean {
  if (typeof value === 'string') return value.split('').some((unit) => (unit.charCodeAt(0) & 0xff) === 0);
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false;
  return Object.entries(value).some(([key, inner]) => hasZeroByte(key) || hasZeroByte(inner));
}
