import { ROWS_BIGINTS, ROWS_SEQUENCE } from '../../events/row-flags.ts';
import { rowRequest } from '../../events/row-request.ts';
import type { RowRequest } from '../../events/offers.ts';
import type { Sink } from '../../events/sink.ts';
import type { Limits } from '../../limits.ts';
import type { JsonOptions } from './options.ts';

/** A list of JSON does not tell how many items it has. */
const ANY = 2 ** 30;

/** What the sink is asked to read by itself, where it does. */
export function jsonRows(sink: Sink, { bigints, sequence }: JsonOptions, limits: Limits): RowRequest | undefined {
  if (sink.readRows === undefined) return undefined;
  return rowRequest('json', (bigints === 'bigint' ? ROWS_BIGINTS : 0) | (sequence ? ROWS_SEQUENCE : 0), limits.stringLength, 1);
}

/**
 * Has the sink read on behind an object of a list, of which `left` values may come; `rows.values` are left then. Returns
 * the position behind the last object.
 */
export function readRows(sink: Sink, rows: RowRequest, bytes: Uint8Array, at: number, to: number, left: number): number {
  rows.values = left;
  rows.items = ANY;
  if (rows.wait === 0) return sink.readRows!(rows, bytes, at, to);
  rows.wait -= 1;
  return at;
}
