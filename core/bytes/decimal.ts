import type { Budget } from '../budget.ts';

/**
 * Text of `unscaled` × 10 to the power of −`scale` with all of its digits: -1.50 for −150 with scale 2. The scale is part
 * of the input, so that few bytes can stand for any number of zeros: `budget` is charged for the text before it is made.
 */
export function decimalText(unscaled: bigint, scale: number, budget: Pick<Budget, 'spendText'>, offset?: number): string {
  const sign = unscaled < 0n ? '-' : '';
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString();
  if (unscaled === 0n && scale < 0) return digits;
  budget.spendText(sign.length + (scale > 0 ? Math.max(digits.length + 1, scale + 2) : digits.length - scale), offset);
  if (scale <= 0) return sign + digits + '0'.repeat(-scale);
  const padded = digits.padStart(scale + 1, '0');
  return `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}

/** The number nearest to `unscaled` × 10 to the power of −`scale`, made without its digits. */
export function decimalNumber(unscaled: bigint, scale: number): number {
  return Number(`${unscaled}e${-scale}`);
}
