import { ARRAY, DOCUMENT, type SpanData } from '../../../worker/sinks/span-tree.ts';

/**
 * Throws where a tree's ranges do not nest, overlap, leave the body, or where its entries do not hang together. Then
 * every byte belongs to exactly one entry: the innermost one whose range it is in.
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

/** How many bytes each entry has that none inside it has. They add up to the body's length. */
export function ownBytes(data: SpanData): number {
  let sum = 0;
  for (let node = 0; node < data.count; node += 1) sum += data.ends[node]! - data.starts[node]!;
  for (let node = 1; node < data.count; node += 1) sum -= data.ends[node]! - data.starts[node]!;
  return sum;
}
