import { ROWS_SEQUENCE } from '../../../reading/rows/flags.ts';
import { int64Flags, rowRequest } from '../../../reading/rows/request.ts';
import type { RowRequest } from '../../../reading/sink-methods.ts';
import type { Sink } from '../../../reading/sink.ts';
import { type Limits, LONGEST_TOKEN } from '../../../limits.ts';
import type { BsonOptions } from '../options.ts';

const encoder = new TextEncoder();

/** Request for rows if the sink reads documents: those of an array, or those of a sequence. */
export function bsonRows(sink: Sink, { types = 'plain', int64 = 'auto' }: BsonOptions, limits: Limits, sequence: boolean): RowRequest | undefined {
  if (sink.readRows === undefined || types !== 'plain') return undefined;
  const longest = Math.min(limits.stringLength, LONGEST_TOKEN);
  const flags = int64Flags(int64) | (sequence ? ROWS_SEQUENCE : 0);
  return rowRequest('bson', flags, longest, {
    objectValues: 1,
    longestBinary: Math.min(limits.binaryLength, LONGEST_TOKEN),
    keyBytes: (key) => encoder.encode(`${key}\0`),
  });
}
