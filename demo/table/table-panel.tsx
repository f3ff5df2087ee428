import { RowTable } from './row-table.tsx';
import { type StationCount, STATION, type TableView } from './table-view.ts';
import { formatCount, formatMs } from '../ui/numbers.ts';

interface TablePanelProps {
  view: TableView;
  columns: readonly string[];
  /** Number of all rows. */
  total: number;
}

/** A table of trips that can be sorted and searched, with the stations that occur most. */
export function TablePanel({ view, columns, total }: TablePanelProps) {
  const rows = view.shown.value;
  if (!rows) return null;
  const canChange = view.canChange.value;
  const took = view.tookMs.value;
  return (
    <>
      {canChange && (
        <div class="table-tools">
          <label class="table-search">
            <span class="small">Start station contains</span>
            <input type="search" value={view.text.value} onInput={({ currentTarget }) => void view.search(currentTarget.value)} />
          </label>
          <p class="small muted" role="status">
            {formatCount(rows.length)} of {formatCount(total)} rows{took !== undefined && `, in ${formatMs(took)}`}
          </p>
        </div>
      )}
      <div class={canChange ? 'table-and-chart' : ''}>
        <RowTable
          rows={rows}
          columns={columns}
          label="Trips"
          layout="rows-trips"
          {...(canChange && { order: view.order.value, onSort: (key: string) => void view.sortBy(key) })}
        />
        {canChange && <StationChart counts={view.counts.value} />}
      </div>
    </>
  );
}

/** Bars of the stations with the most rows. */
function StationChart({ counts }: { counts: readonly StationCount[] }) {
  const most = counts[0]?.count ?? 1;
  return (
    <dl class="station-chart" aria-label={`Rows by ${STATION}`}>
      {counts.map(({ station, count }) => (
        <div key={station}>
          <dt class="small">{station}</dt>
          <dd>
            <span class="station-bar" style={{ inlineSize: `${(count / most) * 100}%` }} />
            <span class="small muted">{formatCount(count)}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
