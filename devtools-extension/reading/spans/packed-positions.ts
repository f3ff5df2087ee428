import type { SpanData } from '../../../core/sinks/spans/tree.ts';

/**
 * Moves the positions of a tree from unpacked to packed bytes (https://capnproto.org/encoding.html#packing). An omitted
 * zero byte has no extent, and a tag belongs to the first byte of its word. Returns the mapping.
 */
export function movePositions(data: SpanData, packed: Uint8Array, unpackedLength: number): (position: number) => number {
  const words = unpackedLength / 8;
  /** Position of each word's first byte or tag, and its tag; 0x1ff for words without a tag. */
  const positions = new Uint32Array(words + 1).fill(packed.length);
  const tags = new Uint16Array(words + 1);
  let word = 0;
  for (let at = 0; at < packed.length && word < words;) {
    const tag = packed[at]!;
    positions[word] = at;
    tags[word] = tag;
    word += 1;
    at += 1;
    for (let bits = tag; bits > 0; bits &= bits - 1) at += 1;
    if (tag !== 0 && tag !== 0xff) continue;
    const more = packed[at]!;
    at += 1;
    for (let i = 0; i < more && word < words; i += 1, word += 1) {
      positions[word] = at;
      tags[word] = tag === 0 ? 0 : 0x1ff;
      if (tag === 0xff) at += 8;
    }
  }
  const move = (position: number): number => {
    const at = position >> 3;
    const bit = position & 7;
    if (at >= words) return packed.length;
    if (bit === 0) return positions[at]!;
    const tag = tags[at]!;
    if (tag === 0x1ff) return positions[at]! + bit;
    if (tag === 0) return positions[at + 1]!;
    let before = 0;
    for (let bits = tag & ((1 << bit) - 1); bits > 0; bits &= bits - 1) before += 1;
    return positions[at]! + 1 + before;
  };
  const { starts, values, ends, heads, count, extents } = data;
  for (let node = 1; node < count; node += 1) {
    const payload = move(values[node]! + heads[node]!);
    values[node] = starts[node] = move(values[node]!);
    ends[node] = move(ends[node]!);
    heads[node] = Math.min(payload - values[node]!, 0xffff);
  }
  if (extents) data.extents = movedExtents(extents, move, packed.length);
  return move;
}

function movedExtents(
  { starts, owners, roles }: NonNullable<SpanData['extents']>,
  move: (position: number) => number,
  length: number,
): NonNullable<SpanData['extents']> {
  const indices: number[] = [];
  const positions: number[] = [];
  for (let at = 0; at < starts.length; at += 1) {
    const from = move(starts[at]!);
    const end = at + 1 < starts.length ? move(starts[at + 1]!) : length;
    if (end === from) continue;
    indices.push(at);
    positions.push(from);
  }
  return {
    starts: Uint32Array.from(positions),
    owners: Uint32Array.from(indices, (at) => owners[at]!),
    roles: Uint8Array.from(indices, (at) => roles[at]!),
  };
}
