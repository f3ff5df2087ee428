/** Copies `from` to `to`, which is longer, and returns `to`. */
export function grown<A extends Uint8Array | Int32Array | Float64Array | BigInt64Array | Uint32Array>(from: A, to: A): A {
  (to as Uint8Array).set(from as Uint8Array);
  return to;
}
