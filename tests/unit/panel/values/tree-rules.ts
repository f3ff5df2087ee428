import { ARRAY, DOCUMENT, type SpanData } from '../../../../core/sinks/spans/tree.ts';

/**
 * Throws if a tree's ranges do not nest, overlap or leave the body, or if its entries are inconsistent. Afterwards every
 * byte belongs to exactly one entry: the innermost one whose range contains it.
 */
export function checkTree(data: SpanData): void {
  const { count, length, kinds, starts, values, ends, heads, nexts, parents, numbers } = data;
  const fail = (node: number, what: string): never => {
    throw new Error(`entry ${node} (kind ${kinds[node]}, ${starts[node]}..${values[node]}..${ends[node]}): ${what}`);
  };
  if (starts[0] !== 0 || ends[0] !== length || nexts[0] !== count) fail(0, 'does not cover the body');
  const lastEnd = new Uint32Array(count);
  const children = new Uint32Array(count);
  for (let node = 1; node < count; node += 1) {
    const parent = parents[node]!;
    if (parent >= node || nexts[parent]! <= node) fail(node, `is not in its parent ${parent}`);
    if (starts[node]! > values[node]! || values[node]! > ends[node]!) fail(node, 'ends before it begins');
    if (values[node]! + heads[node]! > ends[node]!) fail(node, 'has a header that is longer than it');
    if (starts[node]! < Math.max(values[parent]!, lastEnd[parent]!)) fail(node, 'begins before what is before it ends');
    if (ends[node]! > ends[parent]!) fail(node, `ends after its parent, at ${ends[parent]}`);
    lastEnd[parent] = ends[node]!;
    children[parent]! += 1;
    if (kinds[node]! < ARRAY && nexts[node] !== node + 1) fail(node, 'has children');
  }
  for (let node = 0; node < count; node += 1) {
    if ((kinds[node]! >= ARRAY || kinds[node] === DOCUMENT) && numbers[node] !== children[node]) fail(node, 'miscounts');
  }
}

/** Bytes of each entry without those of its children. They add up to the body's length. */
export function ownBytes(data: SpanData): number {
  let sum = 0;
  for (let node = 0; node < data.count; node += 1) sum += data.ends[node]! - data.starts[node]!;
  for (let node = 1; node < data.count; node += 1) sum -= data.ends[node]! - data.starts[node]!;
  return sum;
}

/**
 * As `checkTree`, for values in any order: the runs of bytes cover the body and refer to existing entries; the range of a
 * value lies within the body, and its content belongs to it or, if shared, to another.
 */
export function checkExtents({ count, length, starts, values, ends, heads, extents, kinds, numbers, parents, nexts }: SpanData): void {
  if (!extents) throw new Error('there are no extents');
  const runs = extents.starts.length;
  if (runs !== extents.owners.length || runs !== extents.roles.length) throw new Error('extents of several lengths');
  if (length > 0 && extents.starts[0] !== 0) throw new Error('the first byte is in no extent');
  const owners = new Uint32Array(length);
  let sum = 0;
  for (let run = 0; run < runs; run += 1) {
    const from = extents.starts[run]!;
    const end = extents.starts[run + 1] ?? length;
    if (end <= from) throw new Error(`extent ${run} ends at ${end} before it begins at ${from}`);
    if (extents.owners[run]! >= count) throw new Error(`extent ${run} has no entry`);
    owners.fill(extents.owners[run]!, from, end);
    sum += end - from;
  }
  if (sum !== length) throw new Error(`extents of ${sum} bytes in a body of ${length}`);
  const children = new Uint32Array(count);
  for (let node = 1; node < count; node += 1) {
    const at = `entry ${node} (kind ${kinds[node]}, ${starts[node]}..${values[node]}..${ends[node]})`;
    if (starts[node]! > values[node]! || values[node]! + heads[node]! > ends[node]! || ends[node]! > length) throw new Error(`${at} is nowhere`);
    if (parents[node]! >= node || nexts[parents[node]!]! <= node) throw new Error(`${at} is not in its parent`);
    children[parents[node]!]! += 1;
    for (let byte = values[node]!; byte < ends[node]!; byte += 1)
      if (owners[byte] === 0) throw new Error(`${at} has byte ${byte}, which is nobody's`);
  }
  for (let node = 0; node < count; node += 1) {
    if ((kinds[node]! >= ARRAY || kinds[node] === DOCUMENT) && numbers[node] !== children[node]) throw new Error(`entry ${node} miscounts`);
  }
}
