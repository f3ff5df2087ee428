import type { Row } from './row.ts';
import { storedSignal } from '../shared/settings.ts';

export type ColumnId = 'name' | 'status' | 'format' | 'size' | 'sent' | 'time' | 'decode';

/** A column of the request list. */
export interface Column {
  id: ColumnId;
  label: string;
  title: string;
  /** Default width in pixels. */
  width: number;
  isNumber?: boolean;
}

/** Columns in the order of importance: a narrow list drops the last ones first. */
const IMPORTANCE: readonly ColumnId[] = ['name', 'format', 'status', 'size', 'sent', 'time', 'decode'];

export const COLUMNS: readonly Column[] = [
  { id: 'name', label: 'Name', title: 'Last segment of the URL', width: 0 },
  { id: 'status', label: 'Status', title: 'HTTP status, or gRPC status of a failed call', width: 58 },
  { id: 'format', label: 'Format', title: 'Detected format of the body', width: 118 },
  { id: 'size', label: 'Size', title: 'Size of the body', width: 64, isNumber: true },
  { id: 'sent', label: 'Transferred', title: 'Bytes transferred over the network', width: 64, isNumber: true },
  { id: 'time', label: 'Time', title: 'From the request to the last byte', width: 64, isNumber: true },
  { id: 'decode', label: 'Decode', title: 'Time to decode the body here, with warm code', width: 64, isNumber: true },
];

/** Minimum widths of the name and of any other column. */
const MIN_NAME = 110;
const MIN = 36;

/** Widths set by the user, in pixels. */
export const columnWidths = storedSignal<Partial<Record<ColumnId, number>>>('column-widths', {});

export function widthOf({ id, width }: Column): number {
  return columnWidths.value[id] ?? width;
}

/** Sets the width of a column. */
export function setColumnWidth(id: ColumnId, width: number): void {
  columnWidths.value = { ...columnWidths.value, [id]: Math.round(Math.min(600, Math.max(MIN, width))) };
}

/** Columns that fit, in order. The name always does. */
export function columnsIn(width: number): readonly Column[] {
  let left = width - MIN_NAME;
  const kept = new Set<ColumnId>(['name']);
  for (const id of IMPORTANCE.slice(1)) {
    left -= widthOf(COLUMNS.find((column) => column.id === id)!);
    if (left < 0) break;
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

function sortKey({ exchange, detection, size, decodeMs }: Row, column: ColumnId): string | number {
  switch (column) {
    case 'name':
      return exchange.url.replace(/^.*?\/([^/?#]+)\/?([?#].*)?$/s, '$1$2').toLowerCase();
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
    case 'decode':
      return decodeMs ?? -1;
    default:
      return column satisfies never;
  }
}
