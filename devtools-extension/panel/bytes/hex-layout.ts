/** Widths in pixels: one monospace character; and the gaps of a row, including the scroll bar. */
export const CHARACTER = 6.93;
const GAPS = 66;
/** Allowed numbers of bytes per row. */
export const COLUMN_COUNTS: readonly number[] = [32, 24, 16, 12, 8, 4];

/** Digits in the offset column. */
export function digitsFor(length: number): number {
  return Math.max(6, length.toString(16).length);
}

/** Number of bytes between two wider gaps. */
export function groupOf(perRow: number): number {
  return perRow % 8 === 0 ? 8 : 4;
}

/** Width in pixels of a row with this many bytes, including offset and text. */
export function hexWidth(columns: number, length: number): number {
  return Math.ceil((digitsFor(length) + columns * 4 + columns / groupOf(columns)) * CHARACTER + GAPS);
}

/** Largest number of bytes per row that fits. */
export function columnsFor(width: number, length: number): number {
  return COLUMN_COUNTS.find((count) => hexWidth(count, length) <= width) ?? 4;
}
