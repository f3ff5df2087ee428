/** Browsers cut elements off at some tens of millions of pixels: longer lists scroll a shorter element. */
const TALLEST = 12_000_000;
/** Rows beyond the edges, so that quick scrolling shows no gap. */
const BEYOND = 8;

export interface ScrollMeasures {
  count: number;
  rowHeight: number;
  viewport: number;
}

export interface ScrollWindow {
  first: number;
  last: number;
  /** Where the first row stands in the scrolled element. */
  top: number;
}

export function scrolledHeight({ count, rowHeight }: ScrollMeasures): number {
  return Math.min(count * rowHeight, TALLEST);
}

function scaleOf(measures: ScrollMeasures): number {
  const whole = measures.count * measures.rowHeight - measures.viewport;
  const scrolled = scrolledHeight(measures) - measures.viewport;
  return whole > scrolled && scrolled > 0 ? whole / scrolled : 1;
}

/** The rows to render at a scroll position: `first` up to, without it, `last`. */
export function scrollWindow(measures: ScrollMeasures, scrollTop: number): ScrollWindow {
  const { count, rowHeight, viewport } = measures;
  const scale = scaleOf(measures);
  const top = scrollTop * scale;
  const first = Math.max(0, Math.floor(top / rowHeight) - BEYOND);
  const last = Math.min(count, Math.ceil((top + viewport) / rowHeight) + BEYOND);
  return { first: Math.min(first, count), last, top: scale === 1 ? first * rowHeight : scrollTop - (top - first * rowHeight) };
}

/**
 * The scroll position that shows a row whole, with as little motion as can be; far jumps bring it to the middle. With
 * `leads`, what follows the row is wanted too, and the row is brought to the upper part.
 */
export function scrollToShow(measures: ScrollMeasures, scrollTop: number, row: number, leads = false): number {
  const { rowHeight, viewport } = measures;
  const scale = scaleOf(measures);
  const top = scrollTop * scale;
  const rowTop = row * rowHeight;
  if (rowTop >= top && rowTop + rowHeight <= top + viewport) return scrollTop;
  if (leads) return Math.max(0, (rowTop - viewport / 4) / scale);
  const isFar = rowTop < top - viewport || rowTop > top + 2 * viewport;
  const wanted = isFar ? rowTop - viewport / 2 : rowTop < top ? rowTop : rowTop + rowHeight - viewport;
  return Math.max(0, wanted / scale);
}
