import { hexOf } from './fingerprint.ts';
import { MICROS, MILLIS, OWN_SCALE } from './schema.ts';

/** Largest time of a Date. */
const LAST_DATE = 8.64e15;

/** Two's-complement integer in `from..end`, highest byte first. */
export function readSigned(bytes: Uint8Array, from: number, end: number): bigint {
  if (from === end) return 0n;
  return BigInt.asIntN(8 * (end - from), BigInt(`0x${hexOf(bytes, from, end)}`));
}

/** An exact decimal: `unscaled` × 10 to the power of −`scale`. */
export interface Decimal {
  readonly unscaled: bigint;
  readonly scale: number;
}

/**
 * The decimal in `from..end`. With `OWN_SCALE`, a big-decimal: the unscaled integer as bytes, and the scale as an int, both encoded as
 * Avro does; undefined for other bytes.
 */
export function decimalOf(bytes: Uint8Array, from: number, end: number, scale: number): Decimal | undefined {
  if (scale !== OWN_SCALE) return { unscaled: readSigned(bytes, from, end), scale };
  let at = from;
  const readInt = (): number => {
    let value = 0;
    for (let factor = 1; factor <= 2 ** 28 && at < end; factor *= 128) {
      const byte = bytes[at++]!;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
    }
    return NaN;
  };
  const length = readInt();
  const start = at;
  if (!(length >= 0 && length < end - at)) return undefined;
  at += length;
  const own = readInt();
  return at === end && Math.abs(own) <= 2 ** 31 ? { unscaled: readSigned(bytes, start, start + length), scale: own + 0 } : undefined;
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
