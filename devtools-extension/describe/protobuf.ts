import * as is from '../../worker/sinks/span-tree.ts';
import type { Description, Place } from './describe.ts';

const WIRE = ['varint', 'i64', 'len', 'group', 'end group', 'i32'] as const;

/** The field number and wire type that stand in the tag before the value. */
export function describeProtobuf({ tree, node, bytes, at }: Place): Description {
  const { starts, kinds, parents } = tree.data;
  const isContainer = kinds[node]! >= is.ARRAY;
  const length = tree.payload(node) - at;
  const start = starts[node]!;
  if (start === at || parents[node] === 0) {
    return { name: isContainer ? 'message' : 'packed', type: 0, length: isContainer ? length : 0 };
  }
  let tag = 0;
  for (let place = start, scale = 1; place < at; place += 1, scale *= 128) tag += (bytes[place]! & 0x7f) * scale;
  const wire = tag % 8;
  return { name: `field ${Math.floor(tag / 8)}, ${WIRE[wire] ?? wire}`, family: String(WIRE[wire] ?? wire), type: 0, length: wire === 2 ? length : 0 };
}
