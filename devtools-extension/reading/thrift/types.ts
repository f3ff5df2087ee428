/** What a value of Thrift is, in the words of its specification. A field that is a boolean has its value in its type, in the compact protocol. */
export type ThriftType = 'true' | 'false' | 'bool' | 'i8' | 'i16' | 'i32' | 'i64' | 'double' | 'string' | 'struct' | 'map' | 'set' | 'list' | 'uuid';

/** By number: https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md#struct-encoding */
const COMPACT: readonly (ThriftType | undefined)[] = [
  undefined,
  'true',
  'false',
  'i8',
  'i16',
  'i32',
  'i64',
  'double',
  'string',
  'list',
  'set',
  'map',
  'struct',
  'uuid',
];

/** By number: https://github.com/apache/thrift/blob/master/doc/specs/thrift-binary-protocol.md#struct-encoding */
const BINARY: Readonly<Record<number, ThriftType>> = {
  2: 'bool',
  3: 'i8',
  4: 'double',
  6: 'i16',
  8: 'i32',
  10: 'i64',
  11: 'string',
  12: 'struct',
  13: 'map',
  14: 'set',
  15: 'list',
  16: 'uuid',
};

/** The type of a field in the compact protocol; undefined for a number that stands for none. */
export function compactFieldType(number: number): ThriftType | undefined {
  return COMPACT[number];
}

/** The type of items in the compact protocol, where a boolean takes a byte; either number stands for it. */
export function compactItemType(number: number): ThriftType | undefined {
  return number === 1 || number === 2 ? 'bool' : COMPACT[number];
}

export function binaryType(number: number): ThriftType | undefined {
  return BINARY[number];
}
