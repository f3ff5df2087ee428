/** Browsers limit the height of an element to some tens of millions of pixels. Longer lists scroll a shorter element. */
const TALLEST = 12_000_000;
/** Rows rendered beyond each edge, so that fast scrolling shows no gaps. */
const BEYOND = 8;

export interface ScrollMeasures {
  count: number;
  rowHeight: number;
  viewport: number;
}

export interface ScrollWindow {
  first: number;
  last: number;
  /** Position of the first row in the scrolled element. */
  top: number;
}

export function scrolledHeight({ count, rowHeight }: ScrollMeasures): number {
  return Math.min(count * rowHeight, TALLEST);
}

function scaleOf(measures: ScrollMeasures): number {
  const range = measures.count * measures.rowHeight - measures.viewport;
  const scrolled = scrolledHeight(measures) - measures.viewport;
  return range > scrolled && scrolled > 0 ? range / scrolled : 1;
}

/** Rows to render at a scroll position, from `first` up to but not including `last`. */
export function scrollWindow(measures: ScrollMeasures, scrollTop: number): ScrollWindow {
  const { count, rowHeight, viewport } = measures;
  const scale = scaleOf(measures);
  const top = scrollTop * scale;
  const first = Math.max(0, Math.floor(top / rowHeight) - BEYOND);
  const last = Math.min(count, Math.ceil((top + viewport) / rowHeight) + BEYOND);
  return { first: Math.min(first, count), last, top: scale === 1 ? first * rowHeight : scrollTop - (top - first * rowHeight) };
}

/**
 * Scroll position that shows a whole row with the least motion; a distant row is centred. With `leads`, the rows after it
 * matter too, so it is placed in the upper part.
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
