import { roundFloat32 } from '../../bytes/numbers.ts';

/** What 64-bit integers become. */
export type Int64Mode = 'auto' | 'number' | 'bigint' | 'string';

/** The 64-bit integer at `at`. `auto` gives a number within ±(2⁵³ − 1), and a bigint beyond. */
export function readInt64(view: DataView, at: number, signed: boolean, mode: Int64Mode): number | bigint | string {
  const high = signed ? view.getInt32(at) : view.getUint32(at);
  const near = high * 0x1_0000_0000 + view.getUint32(at + 4);
  if (mode === 'number' || (mode === 'auto' && Number.isSafeInteger(near))) return near;
  const exact = signed ? view.getBigInt64(at) : view.getBigUint64(at);
  return mode === 'string' ? exact.toString() : exact;
}

/** The 32-bit float at `at`, or the decimal number that it stands for, where msgpackr knows no −0. */
export function readFloat32(view: DataView, at: number, decimal: boolean): number {
  const value = view.getFloat32(at);
  return decimal ? roundFloat32(value, view.getUint16(at)) + 0 : value;
}

/**
 * Milliseconds of a timestamp (timestamp extension, type −1): NaN beyond the range of a Date, and undefined if the nanoseconds
 * are more than 999,999,999.
 *
 *     4 bytes     uint32 seconds
 *     8 bytes     uint30 nanoseconds, uint34 seconds
 *     12 bytes    uint32 nanoseconds, int64 seconds
 */
export function readTimestamp(view: DataView, at: number, length: number): number | undefined {
  let seconds: number;
  let nanoseconds = 0;
  if (length === 4) {
    seconds = view.getUint32(at);
  } else if (length === 8) {
    const word = view.getUint32(at);
    nanoseconds = word >>> 2;
    seconds = (word & 3) * 0x1_0000_0000 + view.getUint32(at + 4);
  } else {
    nanoseconds = view.getUint32(at);
    seconds = view.getInt32(at + 4) * 0x1_0000_0000 + view.getUint32(at + 8);
  }
  if (nanoseconds > 999_999_999) return undefined;
  const milliseconds = Math.trunc(seconds * 1000 + nanoseconds / 1e6);
  // A Date reaches 100,000,000 days to either side of 1970; `+ 0` because it knows no −0.
  return Math.abs(milliseconds) <= 8.64e15 ? milliseconds + 0 : NaN;
}
