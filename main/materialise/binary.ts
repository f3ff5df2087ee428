/** Makes the value of a BINARY (see `BINARY_KINDS` in worker/sinks/sink.ts) from its bytes, which are copied. */
export function makeBinary(kind: number, bytes: Uint8Array): ArrayBuffer | ArrayBufferView {
  const buffer = bytes.slice().buffer;
  return kind === 1 ? buffer : new VIEWS[kind]!(buffer);
}

const VIEWS = [
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
] as (new (buffer: ArrayBufferLike) => ArrayBufferView)[];
