import { BINARY_KINDS } from '../../../reading/sink.ts';

/** Element type of a typed array (RFC 8746 section 2.1). */
export interface Elements {
  kind: number;
  size: number;
  bigEndian: boolean;
  half: boolean;
}

function elements(name: (typeof BINARY_KINDS)[number], size: number, bigEndian: boolean, half = false): Elements {
  return { kind: BINARY_KINDS.indexOf(name), size, bigEndian, half };
}

/**
 * The tags of typed arrays. Half-precision floats become a Float32Array, which represents them exactly; quadruple
 * precision (83 and 87) has no array, and 76 is reserved.
 */
export const TYPED_ARRAYS = new Map<number, Elements>([
  [64, elements('Uint8Array', 1, false)],
  [65, elements('Uint16Array', 2, true)],
  [66, elements('Uint32Array', 4, true)],
  [67, elements('BigUint64Array', 8, true)],
  [68, elements('Uint8ClampedArray', 1, false)],
  [69, elements('Uint16Array', 2, false)],
  [70, elements('Uint32Array', 4, false)],
  [71, elements('BigUint64Array', 8, false)],
  [72, elements('Int8Array', 1, false)],
  [73, elements('Int16Array', 2, true)],
  [74, elements('Int32Array', 4, true)],
  [75, elements('BigInt64Array', 8, true)],
  [77, elements('Int16Array', 2, false)],
  [78, elements('Int32Array', 4, false)],
  [79, elements('BigInt64Array', 8, false)],
  [80, elements('Float32Array', 2, true, true)],
  [81, elements('Float32Array', 4, true)],
  [82, elements('Float64Array', 8, true)],
  [84, elements('Float32Array', 2, false, true)],
  [85, elements('Float32Array', 4, false)],
  [86, elements('Float64Array', 8, false)],
]);

/** Tags of little-endian typed arrays, as in memory, by class. Float16Array has its own tag. */
export const TYPED_ARRAY_TAGS: ReadonlyMap<string, number> = new Map([
  ...[...TYPED_ARRAYS].filter(([, { bigEndian, half }]) => !bigEndian && !half).map(([tag, { kind }]) => [BINARY_KINDS[kind]!, tag] as const),
  ['Float16Array', 84] as const,
]);
