import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { scrolledHeight, scrollToShow, scrollWindow } from './scroll-window.ts';

interface VirtualListProps {
  role: 'tree' | 'grid';
  onKeyDown?: (event: KeyboardEvent) => void;
  onPointerDown?: (event: PointerEvent) => void;
  count: number;
  rowHeight: number;
  class: string;
  label: string;
  /** Row to keep in view; −1 for none. */
  show: number;
  /** A new value scrolls to the row again. */
  showKey?: unknown;
  /** True if the rows after the shown one matter too. */
  leads?: boolean;
  activeId?: string | undefined;
  columnCount?: number;
  /** Content that stays above the rows. */
  header?: ComponentChildren;
  headerHeight?: number;
  row: (index: number) => ComponentChildren;
}

/** List that renders only visible rows. */
export function VirtualList({
  count,
  rowHeight,
  show,
  showKey,
  leads,
  label,
  activeId,
  columnCount,
  header,
  headerHeight = 0,
  row,
  class: name,
  ...rest
}: VirtualListProps) {
  const element = useRef<HTMLDivElement>(null);
  const top = useSignal(0);
  const height = useSignal(600);
  const measures = { count, rowHeight, viewport: Math.max(rowHeight, height.value) };
  const latest = useRef({ measures, show, leads });
  latest.current = { measures, show, leads };
  const scrollTo = (list: HTMLElement, wanted: number): void => {
    if (wanted === top.peek()) return;
    list.scrollTop = wanted;
    top.value = wanted;
  };
  useLayoutEffect(() => {
    const watched = element.current!;
    // Called before the list is painted. To read the height here already would lay out the whole panel once more.
    const observer = new ResizeObserver(() => {
      const viewport = watched.clientHeight - headerHeight;
      const { measures: before, show: shown, leads: leadsOn } = latest.current;
      // A row that was in view stays there, for example if its details open below the list.
      if (shown >= 0 && scrollToShow(before, top.peek(), shown, leadsOn) === top.peek())
        scrollTo(watched, scrollToShow({ ...before, viewport: Math.max(rowHeight, viewport) }, top.peek(), shown, leadsOn));
      height.value = viewport;
    });
    observer.observe(watched);
    return () => observer.disconnect();
  }, [height, headerHeight, rowHeight]);
  useLayoutEffect(() => {
    if (show < 0) return;
    // Uses the known scroll position: reading it from the DOM would force a layout.
    scrollTo(element.current!, scrollToShow(measures, top.peek(), show, leads));
    // A change of the measurements alone does not scroll.
  }, [show, showKey]);

  const { first, last, top: offset } = scrollWindow(measures, top.value);
  const rows: ComponentChildren[] = [];
  for (let index = first; index < last; index += 1) rows.push(row(index));
  return (
    <div
      ref={element}
      class={`virtual ${name}`}
      tabIndex={0}
      aria-label={label}
      {...(activeId !== undefined && show >= first && show < last ? { 'aria-activedescendant': activeId } : {})}
      {...(columnCount ? { 'aria-rowcount': count + (header ? 1 : 0), 'aria-colcount': columnCount } : {})}
      onScroll={(event) => {
        top.value = event.currentTarget.scrollTop;
      }}
      {...rest}
    >
      {header}
      <div class="virtual-space" role="presentation" style={{ height: `${scrolledHeight(measures)}px` }}>
        <div class="virtual-rows" role="presentation" style={{ transform: `translateY(${offset}px)` }}>
          {rows}
        </div>
      </div>
    </div>
  );
}

/** Row that a key moves to from `index`; undefined for other keys. */
export function movedRow(key: string, index: number, count: number, page = 20): number | undefined {
  const last = count - 1;
  const at = (row: number): number => Math.min(Math.max(0, row), last);
  switch (key) {
    case 'ArrowDown':
      return at(index + 1);
    case 'ArrowUp':
      return at(index - 1);
    case 'PageDown':
      return at(index + page);
    case 'PageUp':
      return at(index - page);
    case 'Home':
      return at(0);
    case 'End':
      return at(last);
    default:
      return undefined;
  }
}
