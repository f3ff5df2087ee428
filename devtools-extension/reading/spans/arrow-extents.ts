import { ARRAY, type SpanData } from '../../../core/sinks/spans/tree.ts';
import { BESIDE } from '../../../core/reading/sink-methods.ts';
import { COLUMNS, FIRST_BESIDE, PAYLOAD } from '../../describe/terms/roles.ts';
import { besideOf } from './beside.ts';
import { ExtentBuilder } from './extents.ts';

/**
 * Assigns each byte of Arrow to an entry: to a value its bytes in the buffers of its column, with its offsets and its bit of validity
 * (https://arrow.apache.org/docs/format/Columnar.html), all others to the list of records. Records have no bytes of their own,
 * nor have values of compressed buffers. Bytes that values share, such as those of bits, belong to the first.
 */
export function mapArrow(bytes: Uint8Array, data: SpanData): void {
  const { count, kinds, starts, values, ends, heads } = data;
  const extents = new ExtentBuilder(bytes);
  for (let node = 1; node < count; node += 1) {
    if (kinds[node]! < ARRAY) extents.claim(values[node]!, ends[node]! - values[node]!, node, PAYLOAD);
    else {
      ends[node] = values[node] = starts[node]!;
      heads[node] = 0;
    }
    for (const { kind, from, end } of besideOf(data, node)) extents.claim(from, end - from, node, FIRST_BESIDE + BESIDE.indexOf(kind));
  }
  if (count > 1) {
    starts[1] = values[1] = 0;
    ends[1] = bytes.length;
    extents.region(0, bytes.length, 1, COLUMNS);
  }
  data.extents = extents.finish();
}
