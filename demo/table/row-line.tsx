import { Component } from 'preact';
import { formatCount } from '../ui/numbers.ts';
import type { Cell } from './table-window.ts';

interface RowLineProps {
  /** Prefix of the ids of the cells. */
  table: string;
  index: number;
  row: unknown;
  columns: readonly string[];
  /** Column of the active cell, if it is in this row. */
  activeColumn: number | undefined;
  onCell: (cell: Cell) => void;
}

/** One row of the table, rendered again only for another row, column or cell: a table renders for each key of a search field. */
export class RowLine extends Component<RowLineProps> {
  override shouldComponentUpdate(next: RowLineProps): boolean {
    return (Object.keys(next) as (keyof RowLineProps)[]).some((name) => next[name] !== this.props[name]);
  }

  override render() {
    const { table, index, row, columns, activeColumn, onCell } = this.props;
    const record = (row ?? {}) as Record<string, unknown>;
    return (
      <div class={index % 2 ? 'rows-row rows-even' : 'rows-row'} role="row" aria-rowindex={index + 2}>
        <div class="rows-cell rows-index" role="rowheader" aria-colindex={1}>
          {formatCount(index + 1)}
        </div>
        {columns.map((column, at) => (
          <div
            key={column}
            id={`${table}-${index}-${at}`}
            class={cellClass(record[column], at === activeColumn)}
            role="gridcell"
            aria-colindex={at + 2}
            aria-selected={at === activeColumn}
            onMouseDown={() => onCell({ row: index, column: at })}
          >
            {cellText(record[column])}
          </div>
        ))}
      </div>
    );
  }
}

function cellClass(value: unknown, isActive: boolean): string {
  const kind = typeof value === 'number' ? ' rows-number' : value == null ? ' rows-missing' : '';
  return `rows-cell${kind}${isActive ? ' rows-active' : ''}`;
}

/** Formats a value: a dash if it is missing, JSON for objects. */
export function cellText(value: unknown): string {
  if (value == null) return '–';
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'bigint') return String(value);
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? typeof value);
}
