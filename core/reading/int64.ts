import type { Sink } from './sink.ts';

/**
 * What 64-bit integers become: a number within ±(2⁵³ − 1) and a bigint beyond (`auto`), the nearest number, a bigint,
 * or decimal text.
 */
export type Int64Mode = 'auto' | 'number' | 'bigint' | 'string';

const TWO_32 = 2 ** 32;

/** The 64-bit integer of two halves, `high` signed or not. */
export function int64Of(mode: Int64Mode, low: number, high: number): number | bigint | string {
  const near = high * TWO_32 + low;
  if (mode === 'number' || (mode === 'auto' && Number.isSafeInteger(near))) return near;
  const exact = (BigInt(high) << 32n) | BigInt(low);
  return mode === 'string' ? exact.toString() : exact;
}

/** Sends the 64-bit integer of two halves, `high` signed or not, whose bytes are `start..end`. */
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
