import type { SpanTree } from '../../../core/sinks/spans/tree.ts';
import type { Description, Place } from '../terms/description.ts';

/** Format names from token 0xc0 on, with the size of the length that follows the token. */
const NAMES: readonly (readonly [name: string, length: number])[] = [
  ['nil', 0],
  ['(never used)', 0],
  ['false', 0],
  ['true', 0],
  ['bin 8', 1],
  ['bin 16', 2],
  ['bin 32', 4],
  ['ext 8', 1],
  ['ext 16', 2],
  ['ext 32', 4],
  ['float 32', 0],
  ['float 64', 0],
  ['uint 8', 0],
  ['uint 16', 0],
  ['uint 32', 0],
  ['uint 64', 0],
  ['int 8', 0],
  ['int 16', 0],
  ['int 32', 0],
  ['int 64', 0],
  ['fixext 1', 0],
  ['fixext 2', 0],
  ['fixext 4', 0],
  ['fixext 8', 0],
  ['fixext 16', 0],
  ['str 8', 1],
  ['str 16', 2],
  ['str 32', 4],
  ['array 16', 2],
  ['array 32', 4],
  ['map 16', 2],
  ['map 32', 4],
];

/** Extension types of msgpackr. */
const MSGPACKR: Readonly<Record<number, string>> = {
  0x00: 'undefined',
  0x42: 'bigint',
  0x62: 'bundled strings',
  0x65: 'error',
  0x69: 'id',
  0x70: 'reference',
  0x72: 'record definition',
  0x73: 'set',
  0x74: 'typed array',
  0x78: 'regular expression',
};

/** Describes a value with the names of https://github.com/msgpack/msgpack/blob/master/spec.md, and of msgpackr's extensions. */
export function describeMessagePack({ tree, node, bytes, at, end }: Place): Description {
  if (at >= end) return { name: '', type: 0, length: 0 };
  const token = bytes[at]!;
  if (token >= 0x40 && token < 0x80 && tree.isContainer(node) && at === tree.data.values[node]) {
    return { name: `record 0x${token.toString(16)}`, family: 'record', type: tree.payload(node) - at === 2 ? 2 : 1, length: 0 };
  }
  if (token < 0x80) return { name: 'positive fixint', type: 0, length: 0 };
  if (token < 0x90) return { name: `fixmap ${token & 15}`, family: 'fixmap', type: 1, length: 0 };
  if (token < 0xa0) return { name: `fixarray ${token & 15}`, family: 'fixarray', type: 1, length: 0 };
  if (token < 0xc0) return { name: `fixstr ${token & 31}`, family: 'fixstr', type: 1, length: 0 };
  if (token >= 0xe0) return { name: 'negative fixint', type: 0, length: 0 };
  if (token === 0xc1) return { name: 'bundled string', type: 1, length: end - at - 1 };
  const [name, size] = NAMES[token - 0xc0]!;
  const isExtension = (token >= 0xc7 && token <= 0xc9) || (token >= 0xd4 && token <= 0xd8);
  if (isExtension) {
    const type = ((bytes[at + 1 + size] ?? 0) << 24) >> 24;
    const meaning = type === -1 ? 'timestamp' : (MSGPACKR[type] ?? `type ${type}`);
    if (type === 0x72 && tree.isContainer(node)) return describeDefinition(tree, node, name, at);
    return { name: `${name}, ${meaning}`, type: 2 + size, length: 0 };
  }
  if (size === 0) return { name, type: 1, length: 0 };
  let length = 0;
  for (let i = 0; i < size; i += 1) length = length * 256 + (bytes[at + 1 + i] ?? 0);
  return { name: `${name}: ${length}`, family: name, type: 1, length: size };
}

/** Describes a record definition: `d4 72 id` or `d5 72 id id`, the keys as an array, and the values of the first record. */
function describeDefinition(tree: SpanTree, node: number, name: string, at: number): Description {
  const head = Math.max(3, tree.payload(node) - at);
  return { name: `${name}, record definition 0x${tree.bytes[at + 2]?.toString(16)}`, family: 'record definition', type: head, length: 0 };
}
