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
  /** The row that is to be seen, −1 for none; where it changes, it is scrolled to. */
  show: number;
  /** Changes where the same row is to be shown again. */
  showKey?: unknown;
  /** What follows the row that is shown is wanted too. */
  leads?: boolean;
  activeId?: string | undefined;
  columnCount?: number;
  /** What stays at the top, before the rows. */
  header?: ComponentChildren;
  headerHeight?: number;
  row: (index: number) => ComponentChildren;
}

/** A list of which only the rows in sight are rendered. */
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
  useLayoutEffect(() => {
    const watched = element.current!;
    const observer = new ResizeObserver(() => {
      height.value = watched.clientHeight - headerHeight;
    });
    observer.observe(watched);
    height.value = watched.clientHeight - headerHeight;
    return () => observer.disconnect();
  }, [height, headerHeight]);

  const measures = { count, rowHeight, viewport: Math.max(rowHeight, height.value) };
  useLayoutEffect(() => {
    if (show < 0) return;
    // What is known of the scrolling is not read from the page, which would have to be laid out for that.
    const wanted = scrollToShow(measures, top.peek(), show, leads);
    if (wanted === top.peek()) return;
    element.current!.scrollTop = wanted;
    top.value = wanted;
    // The measures are those of the moment; a change of them alone scrolls nothing.
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

/** The row that a key moves to, from `index` of `count`; undefined for other keys. */
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
