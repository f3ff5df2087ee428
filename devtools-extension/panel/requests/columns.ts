import type { Row } from './row.ts';
import { keptSignal } from '../shared/settings.ts';

export type ColumnId = 'name' | 'status' | 'format' | 'size' | 'sent' | 'time' | 'decode';

/** A column of the list. */
export interface Column {
  id: ColumnId;
  label: string;
  title: string;
  /** Pixels, unless somebody has chosen others. */
  width: number;
  isNumber?: boolean;
}

/** The columns, those that narrow lists keep longest first. */
const IMPORTANCE: readonly ColumnId[] = ['name', 'format', 'status', 'size', 'sent', 'time', 'decode'];

export const COLUMNS: readonly Column[] = [
  { id: 'name', label: 'Name', title: 'The last part of the address', width: 0 },
  { id: 'status', label: 'Status', title: 'The status of HTTP, or how a call of gRPC failed', width: 58 },
  { id: 'format', label: 'Format', title: 'What the body was taken for', width: 118 },
  { id: 'size', label: 'Size', title: 'Bytes of the body', width: 64, isNumber: true },
  { id: 'sent', label: 'Sent', title: 'Bytes that came over the network', width: 64, isNumber: true },
  { id: 'time', label: 'Time', title: 'From the request to the last byte', width: 64, isNumber: true },
  { id: 'decode', label: 'Decode', title: 'Time to decode the body here, once warm', width: 64, isNumber: true },
];

/** What the name has at least, and a column. */
const LEAST_NAME = 110;
const LEAST = 36;

/** Pixels that somebody has chosen, by column. */
export const columnWidths = keptSignal<Partial<Record<ColumnId, number>>>('column-widths', {});

export function widthOf({ id, width }: Column): number {
  return columnWidths.value[id] ?? width;
}

/** Makes a column so many pixels wide. */
export function setColumnWidth(id: ColumnId, width: number): void {
  columnWidths.value = { ...columnWidths.value, [id]: Math.round(Math.min(600, Math.max(LEAST, width))) };
}

/** The columns for which there is room, in their order. The name is always there. */
export function columnsIn(width: number): readonly Column[] {
  let left = width - LEAST_NAME;
  const kept = new Set<ColumnId>(['name']);
  for (const id of IMPORTANCE.slice(1)) {
    left -= widthOf(COLUMNS.find((column) => column.id === id)!);
    if (left < 0) break;
    kept.add(id);
  }
  return COLUMNS.filter(({ id }) => kept.has(id));
}

/** The order of the list. */
export interface Sorting {
  column: ColumnId;
  isDescending: boolean;
}

/** A click on a heading sorts by it, the other way round the second time, and not at all the third. */
export function nextSorting(sorting: Sorting | undefined, column: ColumnId): Sorting | undefined {
  if (sorting?.column !== column) return { column, isDescending: false };
  return sorting.isDescending ? undefined : { column, isDescending: true };
}

/** The rows in an order; equal ones stay as they came. */
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
    default:
      return decodeMs ?? -1;
  }
}
