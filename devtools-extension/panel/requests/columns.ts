import type { Row } from './row.ts';
import { storedSignal } from '../shared/settings.ts';

export type ColumnId = 'name' | 'method' | 'status' | 'type' | 'initiator' | 'format' | 'size' | 'sent' | 'start' | 'time';

/** A column of the request list. */
export interface Column {
  id: ColumnId;
  label: string;
  title: string;
  /** Default width in pixels. */
  width: number;
  /** Smallest width in pixels in a narrow list; the default width if undefined. */
  least?: number;
  isNumber?: boolean;
}

/** Columns in the order of importance: a narrow list drops the last ones first. */
const IMPORTANCE: readonly ColumnId[] = ['name', 'status', 'format', 'size', 'method', 'type', 'sent', 'time', 'initiator', 'start'];

export const COLUMNS: readonly Column[] = [
  { id: 'name', label: 'Name', title: 'Last segment of the URL', width: 0 },
  { id: 'method', label: 'Method', title: 'HTTP method', width: 58 },
  { id: 'status', label: 'Status', title: 'HTTP status, or gRPC status of a failed call', width: 58 },
  { id: 'type', label: 'Type', title: 'Kind of request, as the browser names it', width: 70 },
  { id: 'initiator', label: 'Initiator', title: 'Origin of the request, with its script and line if known', width: 110 },
  { id: 'format', label: 'Format', title: 'Detected format of the body', width: 118, least: 66 },
  { id: 'size', label: 'Size', title: 'Size of the body', width: 64, isNumber: true },
  { id: 'sent', label: 'Transferred', title: 'Bytes transferred over the network', width: 88, least: 64, isNumber: true },
  { id: 'start', label: 'Started', title: 'Time of day at which the request started', width: 104, isNumber: true },
  { id: 'time', label: 'Time', title: 'From the request to the last byte', width: 64, isNumber: true },
];

/** Minimum widths of the name, also next to an open request, whose details tell the rest, and of any other column. */
const MIN_NAME = 110;
const MIN_NAME_BESIDE = 180;
const MIN = 36;

/** Widths set by the user, in pixels. */
export const columnWidths = storedSignal<Partial<Record<ColumnId, number>>>('column-widths', {});

/** Columns chosen by the user; the name is always among them. */
export const chosenColumns = storedSignal<readonly ColumnId[]>('columns', ['name', 'status', 'format', 'size', 'sent', 'time']);

/** Adds a column to the chosen ones, or removes it. */
export function toggleColumn(id: ColumnId): void {
  const chosen = chosenColumns.value;
  chosenColumns.value = chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id];
}

export function widthOf({ id, width }: Column): number {
  return columnWidths.value[id] ?? width;
}

/** Widths of the columns as a CSS grid template. The name takes what the others leave. */
export function templateOf(columns: readonly Column[]): string {
  return columns
    .map((column) => {
      const [least, width] = [leastOf(column), widthOf(column)];
      if (column.id === 'name') return `minmax(min(${MIN_NAME}px, 100%), 1fr)`;
      return least === width ? `${width}px` : `minmax(${least}px, ${width}px)`;
    })
    .join(' ');
}

/** Width that a column needs: a width set by the user stays. */
function leastOf(column: Column): number {
  return columnWidths.value[column.id] ?? column.least ?? column.width;
}

/** Sets the width of a column. */
export function setColumnWidth(id: ColumnId, width: number): void {
  columnWidths.value = { ...columnWidths.value, [id]: Math.round(Math.min(600, Math.max(MIN, width))) };
}

/** Chosen columns that fit in the list, which may be next to an open request, in order. The name always does. */
export function columnsIn(width: number, isBeside: boolean): readonly Column[] {
  let left = width - (isBeside ? MIN_NAME_BESIDE : MIN_NAME);
  const kept = new Set<ColumnId>(['name']);
  let narrowed = 0;
  for (const id of IMPORTANCE.slice(1).filter((column) => chosenColumns.value.includes(column))) {
    const column = COLUMNS.find((one) => one.id === id)!;
    // A column is hidden before a more important one is narrowed.
    left -= narrowed + leastOf(column);
    if (left < 0) break;
    narrowed = widthOf(column) - leastOf(column);
    kept.add(id);
  }
  return COLUMNS.filter(({ id }) => kept.has(id));
}

/** Sort order of the list. */
export interface Sorting {
  column: ColumnId;
  isDescending: boolean;
}

/** Sort order after a click on a heading: ascending, descending, then none. */
export function nextSorting(sorting: Sorting | undefined, column: ColumnId): Sorting | undefined {
  if (sorting?.column !== column) return { column, isDescending: false };
  return sorting.isDescending ? undefined : { column, isDescending: true };
}

/** Sorts rows; equal ones keep their order. */
export function sortRows(rows: readonly Row[], sorting: Sorting | undefined): readonly Row[] {
  if (!sorting) return rows;
  const direction = sorting.isDescending ? -1 : 1;
  const keyed = rows.map((row) => ({ row, key: sortKey(row, sorting.column) }));
  keyed.sort(
    (a, b) =>
      direction * (typeof a.key === 'number' ? a.key - (b.key as number) : a.key < (b.key as string) ? -1 : a.key > (b.key as string) ? 1 : 0),
  );
  return keyed.map(({ row }) => row);
}

function sortKey({ exchange, detection, size }: Row, column: ColumnId): string | number {
  switch (column) {
    case 'name':
      return exchange.url.replace(/^.*?\/([^/?#]+)\/?([?#].*)?$/s, '$1$2').toLowerCase();
    case 'method':
      return exchange.method;
    case 'type':
      return exchange.initiator;
    case 'initiator':
      return exchange.network?.initiator ?? '';
    case 'start':
      return exchange.time;
    case 'status':
      return exchange.status * 100 + (detection?.rpc?.code ?? 0);
    case 'format':
      return detection?.format ?? '';
    case 'size':
      return size;
    case 'sent':
      return exchange.transferred;
    case 'time':
      return exchange.duration;
    default:
      return column satisfies never;
  }
}
