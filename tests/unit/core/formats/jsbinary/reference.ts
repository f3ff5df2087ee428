// The package needs a global Buffer; this module provides one in browsers.
import { bufferOf } from '../sia/reference.ts';
import { Type } from 'js-binary';
import jsbinary from '../../../../../core/formats/jsbinary/index.ts';
import type { JsBinarySchema } from '../../../../../core/formats/jsbinary/schema.ts';

export { bufferOf };

export function encode(literal: unknown, value: unknown): Uint8Array {
  return Uint8Array.from(new Type(literal).encode(value));
}

/** Decodes with the package, with a Uint8Array for each Buffer. */
export function decode(literal: unknown, bytes: Uint8Array): unknown {
  return plain(new Type(literal).decode(bufferOf(bytes)));
}

export function compile(literal: unknown): JsBinarySchema {
  return structuredClone(jsbinary.compileSchema!(literal) as JsBinarySchema);
}

function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date || value instanceof RegExp) return value;
  if (ArrayBuffer.isView(value)) return Uint8Array.from(value as Uint8Array);
  if (Array.isArray(value)) return value.map(plain);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}
