/** The measures of a scrolled table, in CSS pixels. */
export interface TableMeasures {
  rowCount: number;
  rowHeight: number;
  /** Height of the part that shows rows, without the header. */
  viewport: number;
}

export interface TableWindow {
  /** The first row to render. */
  first: number;
  /** How many rows to render. */
  count: number;
  /** Top of the first rendered row relative to the viewport: 0 or negative. */
  offset: number;
}

/**
 * Greatest height of the scrolled element. Browsers limit elements to about 33 million pixels, Firefox to 17.9 million. A
 * longer table scrolls a shorter element, so that a scrolled pixel stands for several.
 */
export const MAX_SCROLL_HEIGHT = 15_000_000;

/** The height of the element that is scrolled. */
export function scrollHeight({ rowCount, rowHeight }: TableMeasures): number {
  return Math.min(rowCount * rowHeight, MAX_SCROLL_HEIGHT);
}

/** Pixels of the table for one scrolled pixel: 1 unless the table is too long for an element. */
export function scrollScale(measures: TableMeasures): number {
  const scrolled = scrollHeight(measures) - measures.viewport;
  const whole = measures.rowCount * measures.rowHeight - measures.viewport;
  return scrolled > 0 && whole > 0 ? whole / scrolled : 1;
}

/** Which rows a scroll position shows. */
export function tableWindow(measures: TableMeasures, scrollTop: number): TableWindow {
  const { rowCount, rowHeight, viewport } = measures;
  const greatest = Math.max(0, rowCount * rowHeight - viewport);
  const top = Math.min(Math.max(0, scrollTop * scrollScale(measures)), greatest);
  const first = Math.floor(top / rowHeight);
  const count = Math.min(rowCount - first, Math.ceil(viewport / rowHeight) + 1);
  return { first, count: Math.max(0, count), offset: first * rowHeight - top };
}

/** The scroll position nearest to `scrollTop` that shows a whole row. */
export function scrollTopForRow(measures: TableMeasures, scrollTop: number, row: number): number {
  const { rowHeight, viewport } = measures;
  const scale = scrollScale(measures);
  const top = scrollTop * scale;
  const rowTop = row * rowHeight;
  // Browsers round scroll positions to whole pixels; rounds so that the row stays fully visible.
  if (rowTop < top) return Math.floor(rowTop / scale);
  if (rowTop + rowHeight > top + viewport) return Math.ceil((rowTop + rowHeight - viewport) / scale);
  return scrollTop;
}

/** Rows that Page Up and Page Down move by. */
export function pageRows({ viewport, rowHeight }: TableMeasures): number {
  return Math.max(1, Math.floor(viewport / rowHeight) - 1);
}

export interface Cell {
  row: number;
  column: number;
}

/** The cell that a key moves to; undefined for other keys. */
export function moveCell(
  { key, ctrlKey }: { key: string; ctrlKey: boolean },
  { row, column }: Cell,
  measures: TableMeasures,
  columnCount: number,
): Cell | undefined {
  const lastRow = measures.rowCount - 1;
  const lastColumn = columnCount - 1;
  const at = (row: number, column: number): Cell => ({
    row: Math.min(Math.max(0, row), lastRow),
    column: Math.min(Math.max(0, column), lastColumn),
  });
  switch (key) {
    case 'ArrowDown':
      return ctrlKey ? at(lastRow, column) : at(row + 1, column);
    case 'ArrowUp':
      return ctrlKey ? at(0, column) : at(row - 1, column);
    case 'ArrowRight':
      return at(row, ctrlKey ? lastColumn : column + 1);
    case 'ArrowLeft':
      return at(row, ctrlKey ? 0 : column - 1);
    case 'PageDown':
      return at(row + pageRows(measures), column);
    case 'PageUp':
      return at(row - pageRows(measures), column);
    case 'Home':
      return at(0, ctrlKey ? 0 : column);
    case 'End':
      return at(lastRow, ctrlKey ? lastColumn : column);
    default:
      return undefined;
  }
}
