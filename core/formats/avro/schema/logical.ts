import { hexOf } from './fingerprint.ts';
import { MICROS, MILLIS } from './schema.ts';

/** The furthest that a Date goes. */
const LAST_DATE = 8.64e15;

/** The integer in `from..end`: two's complement, the highest byte first. */
export function readSigned(bytes: Uint8Array, from: number, end: number): bigint {
  if (from === end) return 0n;
  return BigInt.asIntN(8 * (end - from), BigInt(`0x${hexOf(bytes, from, end)}`));
}

/** The decimal number whose unscaled value is in `from..end`, in full: -1.50 for −150 and the scale 2. */
export function decimalText(bytes: Uint8Array, from: number, end: number, scale: number): string {
  const unscaled = readSigned(bytes, from, end);
  if (scale === 0) return unscaled.toString();
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(scale + 1, '0');
  return `${unscaled < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** The milliseconds of an instant, of which the fraction is cut off towards the past; NaN where no Date goes. */
export function instantMilliseconds(value: bigint, unit: number): number {
  const divisor = unit === MILLIS ? 1n : unit === MICROS ? 1000n : 1_000_000n;
  const quotient = value / divisor;
  return checkedDate(Number(quotient * divisor > value ? quotient - 1n : quotient));
}

/** NaN where no Date goes. */
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
