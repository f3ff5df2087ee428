import { BINARY_KINDS, type BinaryKind } from './sink.ts';

/** A copy of `from..end` as the class that `kind` names, in a buffer of exactly its size. */
export function makeBinary(
  kind: BinaryKind,
  bytes: Uint8Array,
  from: number,
  end: number,
): ArrayBufferView | ArrayBuffer {
  const copy = new Uint8Array(end - from);
  copy.set(bytes.subarray(from, end));
  switch (BINARY_KINDS[kind]) {
    case 'Uint8Array':
      return copy;
    case 'ArrayBuffer':
      return copy.buffer;
    case 'Int8Array':
      return new Int8Array(copy.buffer);
    case 'Uint8ClampedArray':
      return new Uint8ClampedArray(copy.buffer);
    case 'Int16Array':
      return new Int16Array(copy.buffer);
    case 'Uint16Array':
      return new Uint16Array(copy.buffer);
    case 'Int32Array':
      return new Int32Array(copy.buffer);
    case 'Uint32Array':
      return new Uint32Array(copy.buffer);
    case 'Float32Array':
      return new Float32Array(copy.buffer);
    case 'Float64Array':
      return new Float64Array(copy.buffer);
    case 'BigInt64Array':
      return new BigInt64Array(copy.buffer);
    case 'BigUint64Array':
      return new BigUint64Array(copy.buffer);
    case 'DataView':
      return new DataView(copy.buffer);
    default:
      throw new RangeError(`no binary kind ${kind}`);
  }
}
