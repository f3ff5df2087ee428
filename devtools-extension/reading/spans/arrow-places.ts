import type { SpanData } from '../../../core/sinks/spans/tree.ts';

/**
 * Gives the records of an Arrow stream places without bytes, in their order. Their values lie in buffers, one for each column of a
 * batch (https://arrow.apache.org/docs/format/Columnar.html), so that no range of bytes is a record: all bytes belong to the list.
 */
export function placeRecords({ count, starts, values, ends, heads, parents }: SpanData): void {
  let at = 0;
  let end = 0;
  for (let node = 1; node < count; node += 1) {
    if (parents[node] === 0) {
      starts[node] = Math.max(starts[node]!, end);
      values[node] = Math.max(values[node]!, starts[node]!);
      end = ends[node] = Math.max(ends[node]!, values[node]! + heads[node]!);
      at = values[node]! + heads[node]!;
    } else {
      at = Math.min(Math.max(at, starts[node]!), end);
      starts[node] = values[node] = ends[node] = at;
      heads[node] = 0;
    }
  }
}
