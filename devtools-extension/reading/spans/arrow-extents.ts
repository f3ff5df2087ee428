import { ARRAY, type SpanData } from '../../../core/sinks/spans/tree.ts';
import { COLUMNS, PAYLOAD } from '../../describe/terms/roles.ts';
import { ExtentBuilder } from './extents.ts';

/**
 * Assigns each byte of Arrow to an entry: to a value its bytes in the buffer of its column
 * (https://arrow.apache.org/docs/format/Columnar.html), all others to the list of records. Records have no bytes of their own,
 * nor have values of dictionaries and of compressed buffers. Booleans that share a byte belong to the first.
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
  }
  if (count > 1) {
    starts[1] = values[1] = 0;
    ends[1] = bytes.length;
    extents.region(0, bytes.length, 1, COLUMNS);
  }
  data.extents = extents.finish();
}
