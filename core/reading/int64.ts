import type { Sink } from './sink.ts';

/**
 * Result of 64-bit integers: `auto` is a number within ±(2⁵³ − 1) and a bigint beyond, `number` the nearest number,
 * `bigint` a bigint, `string` decimal text.
 */
export type Int64Mode = 'auto' | 'number' | 'bigint' | 'string';

const TWO_32 = 2 ** 32;

/** The 64-bit integer of two halves; `high` may be signed or unsigned. */
export function int64Of(mode: Int64Mode, low: number, high: number): number | bigint | string {
  const near = high * TWO_32 + low;
  if (mode === 'number' || (mode === 'auto' && Number.isSafeInteger(near))) return near;
  const exact = (BigInt(high) << 32n) | BigInt(low);
  return mode === 'string' ? exact.toString() : exact;
}

/** Sends the 64-bit integer of two halves with its bytes `start..end`; `high` may be signed or unsigned. */
export function sendInt64(sink: Sink, mode: Int64Mode, low: number, high: number, start: number, end: number): void {
  const near = high * TWO_32 + low;
  if (mode === 'auto' || mode === 'number') {
    if (near >= -Number.MAX_SAFE_INTEGER && near <= Number.MAX_SAFE_INTEGER) {
      sink.integer(near, start, end);
      return;
    }
    if (mode === 'number') {
      sink.float(near, start, end);
      return;
    }
  }
  const exact = (BigInt(high) << 32n) | BigInt(low);
  if (mode === 'string') sink.text(exact.toString(), start, end);
  else sink.bigint(exact, start, end);
}
