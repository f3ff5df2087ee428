import { formatCount } from '../ui/numbers.ts';
import type { ShownRows } from './race.ts';
import { useEffect, useMemo } from 'preact/hooks';
import { TablePanel } from '../table/table-panel.tsx';
import { createTableView } from '../table/table-view.ts';

/** The rows of the latest run. */
export function RowsPanel({ shown }: { shown: ShownRows | undefined }) {
  const view = useMemo(createTableView, []);
  const rows = shown?.rows;
  useEffect(() => void view.open(rows), [view, rows]);
  return (
    <section class="panel" aria-labelledby="rows-title">
      <div class="panel-head">
        <h2 id="rows-title">Rows</h2>
        {shown && (
          <p class="small muted">
            {formatCount(shown.rows.length)} {describe(shown)}
          </p>
        )}
      </div>
      {shown ? (
        <>
          <TablePanel view={view} columns={keysOf(shown.rows.at(0))} total={shown.rows.length} />
          <p class="segments-note">
            Arrow keys, Page Up, Page Down, Home and End move through the table. Rows of Unspool are sorted by a click on a header.
          </p>
        </>
      ) : (
        <p class="muted">The rows of the latest run are shown here.</p>
      )}
    </section>
  );
}

function describe({ contender, rows }: ShownRows): string {
  const kind = Array.isArray(rows) ? 'plain objects' : 'rows, each of which becomes an object when it is read';
  return `${kind}, by ${contender.title}`;
}

function keysOf(row: unknown): string[] {
  return typeof row === 'object' && row !== null ? Object.keys(row) : [];
}
