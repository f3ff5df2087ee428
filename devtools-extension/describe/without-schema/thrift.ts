import { binaryType, compactFieldType, compactItemType, type ThriftType } from '../../reading/thrift/types.ts';
import * as is from '../../../core/sinks/spans/tree.ts';
import type { SpanTree } from '../../../core/sinks/spans/tree.ts';
import type { Description, Place } from '../terms/description.ts';

/** The field's id and type before the value, or the type of the items that its container tells. */
export function describeThriftCompact(place: Place): Description {
  return description(place, compactType(place));
}

export function describeThriftBinary(place: Place): Description {
  return description(place, binaryTypeOf(place));
}

function description({ tree, node, at }: Place, type: ThriftType | undefined): Description {
  const { kinds } = tree.data;
  const head = tree.payload(node) - at;
  const isContainer = tree.isContainer(node);
  const name = type ?? (kinds[node] === is.OBJECT ? 'struct' : is.KIND_NAMES[kinds[node]!]!);
  return {
    name: isField(tree, node) ? `field ${tree.key(node)}, ${name}` : name,
    family: name,
    type: isContainer ? head : 0,
    length: isContainer ? 0 : head,
  };
}

function isField(tree: SpanTree, node: number): boolean {
  return tree.hasName(node) && tree.data.starts[node]! < tree.data.values[node]!;
}

function compactType({ tree, node, bytes }: Place): ThriftType | undefined {
  const { starts, parents, values, kinds } = tree.data;
  if (isField(tree, node)) return compactFieldType(bytes[starts[node]!]! & 15);
  const parent = parents[node]!;
  if (kinds[parent] !== is.MAP) return isList(tree, parent) ? compactItemType(bytes[values[parent]!]! & 15) : undefined;
  const types = bytes[tree.payload(parent) - 1]!;
  return compactItemType(isMapKey(tree, node) ? types >>> 4 : types & 15);
}

function binaryTypeOf({ tree, node, bytes }: Place): ThriftType | undefined {
  const { starts, parents, values, kinds } = tree.data;
  if (isField(tree, node)) return binaryType(bytes[starts[node]!]!);
  const parent = parents[node]!;
  if (kinds[parent] === is.MAP) return binaryType(bytes[values[parent]! + (isMapKey(tree, node) ? 0 : 1)]!);
  return isList(tree, parent) ? binaryType(bytes[values[parent]!]!) : undefined;
}

function isList(tree: SpanTree, node: number): boolean {
  const kind = tree.data.kinds[node];
  return kind === is.ARRAY || kind === is.SET;
}

/** Keys and values alternate. */
function isMapKey(tree: SpanTree, node: number): boolean {
  return Number(tree.key(node)) % 2 === 0;
}
