import { RowTable } from '../table/row-table.tsx';
import { formatCount } from '../ui/numbers.ts';
import { Progress } from '../ui/progress.tsx';
import { ProblemView } from '../errors/problem-view.tsx';
import type { Riders } from './change-trips.ts';
import { RIDERS, type StationCount, type TripTable } from './trip-table.ts';

/** The trips, with what sorts and filters them, and a chart of the stations. */
export function TripTablePanel({ table }: { table: TripTable }) {
  const rows = table.shown.value;
  const { order } = table.wanted.value;
  return (
    <section class="panel" aria-labelledby="trips-title">
      <div class="panel-head">
        <h2 id="trips-title">Trips</h2>
        <p class="small muted" role="status">
          {tell(table)}
        </p>
      </div>
      {table.phase.value === 'loading' && <Progress label="Bytes" fraction={table.progress.value} />}
      {table.error.value !== undefined && <ProblemView error={table.error.value} />}
      {rows && (
        <>
          <Tools table={table} />
          <div class="table-and-chart" aria-busy={table.isChanging.value}>
            <div class="table-rows">
              <RowTable
                rows={rows}
                columns={table.columns.value}
                label="Trips"
                layout="rows-trips"
                order={order}
                onSort={(key) => void table.sortBy(key)}
              />
              {rows.length === 0 && <p class="table-empty muted">No trip fits.</p>}
            </div>
            <StationChart counts={table.counts.value} />
          </div>
          <p class="segments-note">
            A click on a header sorts: ascending, descending, as loaded. Arrow keys, Page Up, Page Down, Home and End move through the table.
          </p>
        </>
      )}
    </section>
  );
}

function Tools({ table }: { table: TripTable }) {
  const { text, riders } = table.wanted.value;
  return (
    <div class="table-tools">
      <label class="table-search">
        <span class="small muted">Start station contains</span>
        <input type="search" value={text} onInput={({ currentTarget }) => void table.search(currentTarget.value)} />
      </label>
      <label class="table-search">
        <span class="small muted">Riders</span>
        <select value={riders} onChange={({ currentTarget }) => void table.choose(currentTarget.value as Riders)}>
          {RIDERS.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

/** Bars of the stations with the most trips. */
function StationChart({ counts }: { counts: readonly StationCount[] }) {
  const most = counts[0]?.count ?? 1;
  return (
    <figure class="station-chart">
      <figcaption>Trips by start station</figcaption>
      <dl>
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
    </figure>
  );
}

/** Describes the state in a sentence. */
function tell({ phase, shown, total, isChanging }: TripTable): string {
  if (phase.value === 'loading') return 'Loading.';
  if (phase.value === 'stopped') return 'Stopped: the request was cancelled.';
  if (phase.value === 'failed') return 'The trips were not loaded.';
  if (!shown.value) return 'The trips are shown here.';
  const found = `${formatCount(shown.value.length)} of ${formatCount(total.value)} trips`;
  return isChanging.value ? `${found}; changing…` : found;
}
