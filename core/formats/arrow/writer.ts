import type { FormatWriter } from '../../writing/writer.ts';
import type { ArrowWriteOptions } from './options.ts';
import { TableWriter } from './write/table-writer.ts';

export type { ArrowWriteOptions } from './options.ts';

/** Writes Apache Arrow's IPC formats: a list of records as a stream or a file. */
const arrowEncoder: FormatWriter<ArrowWriteOptions> = {
  id: 'arrow',
  createWriter: (options, limits) => new TableWriter(options, limits),
};

export default arrowEncoder;
