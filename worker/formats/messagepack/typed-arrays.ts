/** By msgpackr's code (the first byte of an extension of type 0x74) the class of what follows; '' where there is none. */
export const TYPED_ARRAYS = [
  'Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array',
  'Float32Array', 'Float64Array', 'BigInt64Array', 'BigUint64Array', '', '', '', '', '', 'ArrayBuffer', 'DataView',
] as const;
