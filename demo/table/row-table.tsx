import { useSignal } from '@preact/signals';
import { useCallback, useLayoutEffect, useRef } from 'preact/hooks';
import { moveCell, scrollHeight, scrollTopForRow, tableWindow, type Cell, type TableMeasures } from './table-window.ts';
import type { RowSource } from '../payloads/trips.ts';
import { RowLine } from './row-line.tsx';

interface RowTableProps {
  rows: RowSource;
  /** The keys to show, in order. */
  columns: readonly string[];
  label: string;
  /** Prefix of the ids of the cells, for pages with several tables. Default `rows`. */
  name?: string;
  /** Class that sets the widths of the columns. */
  layout: string;
  /** Keeps the last row in view while rows arrive. */
  follow?: boolean;
  /** The table that the rows belong to: the scroll position is kept while it stays the same. Default: `rows`. */
  source?: unknown;
  /** The column that the rows are sorted by. */
  order?: { readonly key: string; readonly descending: boolean } | undefined;
  /** Called with the key of a header that is clicked. Without it, headers are no buttons. */
  onSort?: (key: string) => void;
}

const ROW_HEIGHT = 28;
const HEADER_HEIGHT = 32;

/** A table of any number of rows, of which only the visible ones are read and rendered. */
export function RowTable({ rows, columns, label, layout, name = 'rows', follow = false, source = rows, order, onSort }: RowTableProps) {
  const grid = useRef<HTMLDivElement>(null);
  const viewport = useSignal(0);
  const scrollTop = useSignal(0);
  const active = useSignal<Cell>({ row: 0, column: 0 });
  const measures: TableMeasures = { rowCount: rows.length, rowHeight: ROW_HEIGHT, viewport: viewport.value };

  useLayoutEffect(() => {
    const element = grid.current!;
    const measure = (): void => {
      viewport.value = Math.max(0, element.clientHeight - HEADER_HEIGHT);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [viewport]);

  useLayoutEffect(() => {
    const { row, column } = active.peek();
    // Setting the position lays the table out at once, and another cell renders it again.
    if (scrollTop.peek() !== 0) grid.current!.scrollTop = scrollTop.value = 0;
    if (row !== 0 || column !== 0) active.value = { row: 0, column: 0 };
  }, [source, scrollTop, active]);

  const { length } = rows;
  useLayoutEffect(() => {
    if (follow) grid.current!.scrollTop = scrollHeight({ rowCount: length, rowHeight: ROW_HEIGHT, viewport: 0 });
  }, [follow, length]);

  /** Activates a cell and scrolls it into view. */
  const activate = (cell: Cell): void => {
    const element = grid.current!;
    active.value = cell;
    element.scrollTop = scrollTopForRow(measures, element.scrollTop, cell.row);
    scrollTop.value = element.scrollTop;
    scrollToColumn(element, cell.column);
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (rows.length === 0 || event.altKey || event.metaKey || event.shiftKey) return;
    const cell = moveCell(event, active.peek(), measures, columns.length);
    if (!cell) return;
    event.preventDefault();
    activate(cell);
  };

  const onCell = useCallback(
    (cell: Cell) => {
      active.value = cell;
    },
    [active],
  );

  const { first, count, offset } = tableWindow(measures, scrollTop.value);
  const { row: activeRow, column: activeColumn } = active.value;
  const head = rows.at(0) as Record<string, unknown> | undefined;
  const isActiveShown = activeRow >= first && activeRow < first + count;
  return (
    <div
      ref={grid}
      class={`rows-grid ${layout}`}
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-readonly
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length + 1}
      {...(isActiveShown && { 'aria-activedescendant': `${name}-${activeRow}-${activeColumn}` })}
      onScroll={({ currentTarget }) => {
        scrollTop.value = currentTarget.scrollTop;
      }}
      onKeyDown={onKeyDown}
    >
      <div class="rows-head" role="rowgroup">
        <div class="rows-row" role="row" aria-rowindex={1}>
          <div class="rows-cell rows-index" role="columnheader" aria-colindex={1}>
            Row
          </div>
          {columns.map((column, index) => (
            <div
              key={column}
              class={typeof head?.[column] === 'number' ? 'rows-cell rows-number' : 'rows-cell'}
              role="columnheader"
              aria-colindex={index + 2}
              {...(order?.key === column && { 'aria-sort': order.descending ? ('descending' as const) : ('ascending' as const) })}
            >
              {onSort ? (
                <button type="button" class="rows-sort" onClick={() => onSort(column)}>
                  {column}
                </button>
              ) : (
                column
              )}
            </div>
          ))}
        </div>
      </div>
      <div class="rows-space" role="presentation" style={{ height: `${scrollHeight(measures)}px` }}>
        <div class="rows-view" role="rowgroup" style={{ height: `${Math.min(viewport.value, rows.length * ROW_HEIGHT)}px` }}>
          <div role="presentation" style={{ transform: `translateY(${offset}px)` }}>
            {Array.from({ length: count }, (_, index) => (
              <RowLine
                key={(first + index) % count}
                table={name}
                index={first + index}
                row={rows.at(first + index)}
                columns={columns}
                activeColumn={first + index === activeRow ? activeColumn : undefined}
                onCell={onCell}
              />
            ))}
          </div>
        </div>
      </div>
    </div>
  );
}

/** Scrolls horizontally until a column is fully visible beyond the row numbers. */
function scrollToColumn(grid: HTMLElement, column: number): void {
  const header = grid.querySelectorAll<HTMLElement>('[role=columnheader]');
  const { offsetLeft, offsetWidth } = header[column + 1]!;
  const fixed = header[0]!.offsetWidth;
  if (offsetLeft - fixed < grid.scrollLeft) grid.scrollLeft = offsetLeft - fixed;
  else if (offsetLeft + offsetWidth > grid.scrollLeft + grid.clientWidth) {
    grid.scrollLeft = offsetLeft + offsetWidth - grid.clientWidth;
  }
}
