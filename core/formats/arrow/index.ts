import type { Format } from '../../format/format.ts';
import { type ArrowOptions, READ_OPTIONS } from './options.ts';
import { loadZstd } from './read/compression.ts';
import { mayNeedZstd } from './read/framing.ts';
import { ArrowReader } from './reader.ts';
import { ArrowTableReader } from './table/table.ts';

export type { ArrowOptions } from './options.ts';

/**
 * Apache Arrow's IPC formats (https://arrow.apache.org/docs/format/Columnar.html#serialization-and-interprocess-communication-ipc):
 * a stream of record batches, or a file. The value is the list of all rows as plain objects. Of fields with the same
 * name, the last one counts.
 */
const arrow: Format<ArrowOptions> = {
  options: READ_OPTIONS,
  createReader: (sink, options, limits) => new ArrowReader(sink, options, limits),
  openTable: (options, limits, picked) => new ArrowTableReader(options, limits, picked),
  /** Loads the decompressor of Zstandard, unless the first record batch shows that it is not needed. */
  prepare: (head) => (mayNeedZstd(head) ? loadZstd() : undefined),
};

export default arrow;
