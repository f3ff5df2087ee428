import { useEffect } from 'preact/hooks';
import type { AppState } from '../app-state.ts';
import { Monitor } from '../frames/monitor.tsx';
import { SIZES } from '../payloads/catalogue.ts';
import { Intro } from '../site/intro.tsx';
import { RunBar } from '../ui/run-bar.tsx';
import { formatCount } from '../ui/numbers.ts';
import { Segments } from '../ui/segments.tsx';
import { TableLanes } from './table-lanes.tsx';
import { HOLDERS, type TripTable } from './trip-table.ts';
import { TripTablePanel } from './trip-table-panel.tsx';

const sizes = SIZES.map((value) => ({ value, label: formatCount(value) }));

/** A table that is sorted, filtered and charted. */
export function TablePage({ state: { pages, monitor, palette, table } }: { state: AppState }) {
  useEffect(() => () => table.stop(), [table]);
  return (
    <main>
      <Intro pages={pages}>
        A million trips in a table: a click on a header sorts them, two fields filter them, and a chart counts those that are left. Load them as rows
        or as an array of objects, and watch the frames while you type.
      </Intro>
      <Monitor monitor={monitor} palette={palette} />
      <Controls table={table} />
      <TripTablePanel table={table} />
      <TableLanes table={table} palette={palette} />
    </main>
  );
}

function Controls({ table }: { table: TripTable }) {
  const { rows, holder } = table.settings;
  const isRunning = table.phase.value === 'loading';
  return (
    <section class="panel" aria-labelledby="settings-title">
      <h2 id="settings-title" class="visually-hidden">
        Settings
      </h2>
      <div class="settings settings-even">
        <Segments<number> label="Trips" value={rows} choices={sizes} disabled={isRunning} />
        <Segments label="Load as" value={holder} choices={HOLDERS} disabled={isRunning} />
      </div>
      <RunBar isRunning={isRunning} start="Load the trips" stop="Cancel" onStart={() => void table.load()} onStop={() => table.stop()}>
        The server generates a payload at its first request, which takes a moment.
      </RunBar>
    </section>
  );
}
