import { hexOf } from './fingerprint.ts';
import { MICROS, MILLIS } from './schema.ts';

/** Largest time of a Date. */
const LAST_DATE = 8.64e15;

/** Two's-complement integer in `from..end`, highest byte first. */
export function readSigned(bytes: Uint8Array, from: number, end: number): bigint {
  if (from === end) return 0n;
  return BigInt.asIntN(8 * (end - from), BigInt(`0x${hexOf(bytes, from, end)}`));
}

/** Milliseconds of an instant, rounded down; NaN outside the range of a Date. */
export function instantMilliseconds(value: bigint, unit: number): number {
  const divisor = unit === MILLIS ? 1n : unit === MICROS ? 1000n : 1_000_000n;
  const quotient = value / divisor;
  return checkedDate(Number(quotient * divisor > value ? quotient - 1n : quotient));
}

/** NaN outside the range of a Date. */
export function checkedDate(milliseconds: number): number {
  return Math.abs(milliseconds) <= LAST_DATE ? milliseconds : NaN;
}

/** The 16 bytes at `at` as a UUID (RFC 9562). */
export function uuidText(bytes: Uint8Array, at: number): string {
  return [
    [0, 4],
    [4, 6],
    [6, 8],
    [8, 10],
    [10, 16],
  ]
    .map(([from, end]) => hexOf(bytes, at + from!, at + end!))
    .join('-');
}

/** Months, days and milliseconds: three uint32, little-endian. */
export function durationParts(view: DataView, at: number): [months: number, days: number, milliseconds: number] {
  return [view.getUint32(at, true), view.getUint32(at + 4, true), view.getUint32(at + 8, true)];
}
