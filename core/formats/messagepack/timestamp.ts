/**
 * Milliseconds of a timestamp (timestamp extension, type −1): NaN beyond the range of a Date; undefined if the nanoseconds
 * exceed 999,999,999.
 *
 * Rows in a worker are read by `readTimestamp` of core/kernels/assembly/formats/messagepack.ts: change both.
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
  // A Date covers 100,000,000 days either side of 1970; `+ 0` because it has no −0.
  return Math.abs(milliseconds) <= 8.64e15 ? milliseconds + 0 : NaN;
}
