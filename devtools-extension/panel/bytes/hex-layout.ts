/** Widths in pixels: of a character of code, and of what is between the parts of a row, with the scroll bar. */
export const CHARACTER = 6.93;
const GAPS = 66;
/** Bytes that a row may have. */
export const COLUMN_COUNTS: readonly number[] = [32, 24, 16, 12, 8, 4];

/** Digits of an offset. */
export function digitsFor(length: number): number {
  return Math.max(6, length.toString(16).length);
}

/** Between so many bytes of a row there is a wider gap. */
export function groupOf(perRow: number): number {
  return perRow % 8 === 0 ? 8 : 4;
}

/** Pixels that rows of so many bytes take, offset and text included. */
export function hexWidth(columns: number, length: number): number {
  return Math.ceil((digitsFor(length) + columns * 4 + columns / groupOf(columns)) * CHARACTER + GAPS);
}

/** Bytes a row, as many as there is room for. */
export function columnsFor(width: number, length: number): number {
  return COLUMN_COUNTS.find((count) => hexWidth(count, length) <= width) ?? 4;
}
