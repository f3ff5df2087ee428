import {
  type ColumnFiltersState,
  columnFilteringFeature,
  createColumnHelper,
  type Row,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { createDecoder, type Rows } from 'unspool';
import type { Trip } from './trip.ts';

const decoder = createDecoder();
const ROW_HEIGHT = 24;

// The state of sorting and filtering without the row models, which would sort and filter an array of all records.
const features = tableFeatures({ rowSortingFeature, columnFilteringFeature });
const helper = createColumnHelper<typeof features, Trip>();
const columns = helper.columns((['id', 'station', 'minutes', 'member'] as const).map((key) => helper.accessor(key, { header: key })));

export async function loadTrips(url: string): Promise<Rows<Trip>> {
  const response = await decoder.fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return (await response.rows<{ trips: Trip[] }>()).trips;
}

/** Filters and sorts by the state of a table, in slices. A newer state cancels this one. */
function useShownRows(trips: Rows<Trip>, sorting: SortingState, filters: ColumnFiltersState): Rows<Trip> {
  const [shown, setShown] = useState(trips);
  useEffect(() => {
    const change = new AbortController();
    const { signal } = change;
    const update = async (): Promise<void> => {
      const condition = Object.fromEntries(filters.map(({ id, value }) => [id, { includes: String(value) }]));
      const matching = await trips.filter(condition, { signal });
      setShown(
        await matching.sortBy(
          sorting.map(({ id, desc }) => ({ key: id as keyof Trip, descending: desc })),
          { signal },
        ),
      );
    };
    update().catch((error: unknown) => {
      if (!signal.aborted) console.error(error);
    });
    return () => change.abort();
  }, [trips, sorting, filters]);
  return shown;
}

interface TripRowProps {
  row: Row<typeof features, Trip>;
  onRender?: ((trip: Trip) => void) | undefined;
}

/** A row that is rendered again only if its trip is another object: the table makes new `Row`s, `at` returns the same trips. */
const TripRow = memo(
  function TripRow({ row, onRender }: TripRowProps): ReactNode {
    onRender?.(row.original);
    return (
      <tr style={{ height: ROW_HEIGHT }}>
        {row.getAllCells().map((cell) => (
          <td key={cell.id}>{String(cell.getValue())}</td>
        ))}
      </tr>
    );
  },
  (before, after) => before.row.original === after.row.original,
);

/** A table that is sorted by a click on a header, filtered by a field, and holds only the rows in view. */
export function TripTable({ trips, onRender }: { trips: Rows<Trip>; onRender?: (trip: Trip) => void }): ReactNode {
  const [sorting, setSorting] = useState<SortingState>([]);
  const [columnFilters, setColumnFilters] = useState<ColumnFiltersState>([]);
  const shown = useShownRows(trips, sorting, columnFilters);

  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({ count: shown.length, getScrollElement: () => scroller.current, estimateSize: () => ROW_HEIGHT });
  const items = virtualizer.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const end = Math.min(first + items.length, shown.length);
  // `at` alone returns the objects that the table already holds.
  const data = useMemo(() => Array.from({ length: end - first }, (_, index) => shown.at(first + index)!), [shown, first, end]);

  const table = useTable({
    features,
    columns,
    data,
    getRowId: ({ id }) => String(id),
    manualSorting: true,
    manualFiltering: true,
    state: { sorting, columnFilters },
    onSortingChange: setSorting,
    onColumnFiltersChange: setColumnFilters,
  });
  const station = table.getColumn('station');
  return (
    <>
      <input type="search" aria-label="Station contains" onChange={({ target }) => station?.setFilterValue(target.value)} />
      <output>{`${shown.length} of ${trips.length}`}</output>
      <div ref={scroller} style={{ height: 400, overflow: 'auto' }}>
        <div style={{ height: virtualizer.getTotalSize() + ROW_HEIGHT }}>
          <table style={{ position: 'relative', top: first * ROW_HEIGHT }}>
            <thead>
              <tr style={{ height: ROW_HEIGHT }}>
                {table.getFlatHeaders().map(({ id, column }) => (
                  <th key={id} aria-sort={{ asc: 'ascending', desc: 'descending', none: 'none' }[column.getIsSorted() || 'none'] as 'none'}>
                    <button onClick={column.getToggleSortingHandler()}>{id}</button>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {table.getRowModel().rows.map((row) => (
                <TripRow key={row.id} row={row} onRender={onRender} />
              ))}
            </tbody>
          </table>
        </div>
      </div>
    </>
  );
}
