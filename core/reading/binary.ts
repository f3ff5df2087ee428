import type { BinaryKind } from './sink.ts';

/** Class of each binary kind (see `BINARY_KINDS` in sink.ts); none for ArrayBuffer. */
const VIEWS: readonly ((new (buffer: ArrayBuffer) => ArrayBufferView) | undefined)[] = [
  Uint8Array,
  undefined,
  Int8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
  DataView,
];

/** Copies `from..end` into an instance of the class of `kind`, in a buffer of exactly its size. */
export function makeBinary(kind: BinaryKind, bytes: Uint8Array, from = 0, end = bytes.length): ArrayBufferView | ArrayBuffer {
  const copy = new Uint8Array(end - from);
  copy.set(bytes.subarray(from, end));
  const View = VIEWS[kind];
  return View === undefined ? copy.buffer : new View(copy.buffer);
}
