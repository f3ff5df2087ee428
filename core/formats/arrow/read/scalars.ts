/** Largest time of a Date. */
const LAST_DATE = 8.64e15;

/** NaN outside the range of a Date. */
export function checkedDate(time: number): number {
  return Math.abs(time) <= LAST_DATE ? time : NaN;
}

/**
 * Milliseconds of the 64-bit instant at a position, rounded down; NaN outside the range of a Date. `unit` is the number
 * of its units in a millisecond, or negative that of milliseconds in its unit.
 */
export function milliseconds(view: DataView, at: number, unit: number): number {
  const near = view.getInt32(at + 4, true) * 2 ** 32 + view.getUint32(at, true);
  if (unit <= 1) return checkedDate(unit === 1 ? near : near * -unit);
  if (Number.isSafeInteger(near)) {
    const quotient = Math.floor(near / unit);
    // The division may have rounded up.
    return checkedDate(quotient * unit > near ? quotient - 1 : quotient);
  }
  const exact = view.getBigInt64(at, true);
  const divisor = BigInt(unit);
  const quotient = exact / divisor;
  return checkedDate(Number(quotient * divisor > exact ? quotient - 1n : quotient));
}

/** The integer of `width` bytes of two's complement at a position: a decimal without its scale. */
export function unscaledAt(view: DataView, at: number, width: number): bigint {
  if (width === 4) return BigInt(view.getInt32(at, true));
  let unscaled = view.getBigInt64(at + width - 8, true);
  for (let word = at + width - 16; word >= at; word -= 8) unscaled = (unscaled << 64n) | view.getBigUint64(word, true);
  return unscaled;
}
