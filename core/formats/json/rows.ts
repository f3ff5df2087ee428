import { ROWS_BIGINTS, ROWS_SEQUENCE } from '../../reading/rows/flags.ts';
import { rowRequest } from '../../reading/rows/request.ts';
import type { RowRequest } from '../../reading/sink-methods.ts';
import type { Sink } from '../../reading/sink.ts';
import type { Limits } from '../../limits.ts';
import type { JsonOptions } from './options.ts';

const encoder = new TextEncoder();

/** Request for rows if the sink reads them. Keys are compared in their usual form. */
export function jsonRows(sink: Sink, { bigints, sequence }: JsonOptions, limits: Limits): RowRequest | undefined {
  if (sink.readRows === undefined) return undefined;
  const flags = (bigints === 'bigint' ? ROWS_BIGINTS : 0) | (sequence ? ROWS_SEQUENCE : 0);
  return rowRequest('json', flags, limits.stringLength, { objectValues: 1, keyBytes: (key) => encoder.encode(JSON.stringify(key)) });
}
