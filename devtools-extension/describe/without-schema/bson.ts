import * as is from '../../../core/sinks/spans/tree.ts';
import type { Description, Place } from '../terms/description.ts';

/** Names of element types (https://bsonspec.org/spec.html). */
const TYPES: Readonly<Record<number, string>> = {
  0x01: 'double',
  0x02: 'string',
  0x03: 'document',
  0x04: 'array',
  0x05: 'binary',
  0x06: 'undefined',
  0x07: 'ObjectId',
  0x08: 'boolean',
  0x09: 'UTC datetime',
  0x0a: 'null',
  0x0b: 'regular expression',
  0x0c: 'DBPointer',
  0x0d: 'code',
  0x0e: 'symbol',
  0x0f: 'code with scope',
  0x10: 'int32',
  0x11: 'timestamp',
  0x12: 'int64',
  0x13: 'decimal128',
  0x7f: 'max key',
  0xff: 'min key',
};

/** Describes an element. Its type precedes its name. */
export function describeBson({ tree, node, bytes, at, end }: Place): Description {
  const { starts, parents, kinds } = tree.data;
  if (parents[node] === 0) return { name: 'document', type: 0, length: 4 };
  const start = starts[node]!;
  const name = TYPES[bytes[start]!] ?? is.KIND_NAMES[kinds[node]!]!;
  const hasLength = kinds[node]! >= is.ARRAY || kinds[node] === is.STRING || kinds[node] === is.BINARY;
  return { name, type: 0, length: hasLength ? Math.min(tree.payload(node) - at, end - at) : 0 };
}
