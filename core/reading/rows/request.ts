import { ROWS_BIGINTS, ROWS_INT64 } from './flags.ts';
import type { Int64Mode } from '../int64.ts';
import type { RowGrammar, RowRequest } from '../sink-methods.ts';
import type { Sink } from '../sink.ts';

const NO_IDS = new Int32Array(2);
/** Item count of a list that does not declare one. */
export const ANY_ITEMS = 2 ** 30;
/** Lists with fewer remaining items are not tried as rows. */
export const MIN_ROWS = 4;

const encoder = new TextEncoder();

const bytesOf = (key: string): Uint8Array => encoder.encode(key);

/** A request that a reader reuses. Written without spreads, which make V8 take 20 µs for an object of this size. */
export function rowRequest(
  grammar: RowGrammar,
  flags: number,
  longest: number,
  own: Partial<Pick<RowRequest, 'objectValues' | 'longestBinary' | 'ids' | 'steps' | 'keyBytes'>> = {},
): RowRequest {
  return {
    objectValues: own.objectValues ?? 0,
    longestBinary: own.longestBinary ?? 0,
    ids: own.ids ?? NO_IDS,
    steps: own.steps,
    keyBytes: own.keyBytes ?? bytesOf,
    grammar,
    flags,
    longest,
    depth: 1,
    values: 0,
    items: 0,
    record: -1,
    head: 0,
    layout: undefined,
    parts: undefined,
    defaults: 0,
    skipRecords: 0,
  };
}

/** The flags for a mode of 64-bit integers. */
export function int64Flags(mode: Int64Mode): number {
  return mode === 'auto' || mode === 'number' ? ROWS_INT64 : mode === 'bigint' ? ROWS_BIGINTS : 0;
}

/**
 * Lets the sink read up to `items` objects of a list, with up to `values` values; sets those of the request to what is
 * left over. Returns the position after the last object read.
 */
export function readRows(sink: Sink, request: RowRequest, bytes: Uint8Array, at: number, to: number, values: number, items = ANY_ITEMS): number {
  request.values = values;
  request.items = items;
  if (items < MIN_ROWS) return at;
  if (request.skipRecords === 0) return sink.readRows!(request, bytes, at, to);
  request.skipRecords -= 1;
  return at;
}
