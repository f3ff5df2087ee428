import { formatCount } from '../ui/numbers.ts';
import type { ShownRows } from './race.ts';
import { RowTable } from '../table/row-table.tsx';

/** The rows of the latest run. */
export function RowsPanel({ shown }: { shown: ShownRows | undefined }) {
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
          <RowTable rows={shown.rows} columns={keysOf(shown.rows.at(0))} label="Trips" layout="rows-trips" />
          <p class="segments-note">Arrow keys, Page Up, Page Down, Home and End move through the table.</p>
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
