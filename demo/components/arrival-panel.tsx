import { LINES, type Arrival, type ArrivalState } from '../models/arrival.ts';
import { formatBytes, formatCount, formatMs } from '../models/numbers.ts';
import { ProblemView } from './problem-view.tsx';
import { Progress } from './progress.tsx';
import { RowTable } from './row-table.tsx';
import { Segments } from './segments.tsx';

/** A table that fills while the payload is on its way. */
export function ArrivalPanel({ arrival, disabled }: { arrival: Arrival; disabled: boolean }) {
  const { line, state } = arrival;
  const { value } = state;
  const isRunning = value.phase === 'running';
  return (
    <section class="panel" aria-labelledby="arrival-title">
      <div class="panel-head">
        <h2 id="arrival-title">While it arrives</h2>
        <p class="small muted">The payload comes over a line of the chosen speed; rows are shown as they are decoded.</p>
      </div>
      <div class="arrival-bar">
        <Segments label="Line" value={line} choices={LINES} disabled={isRunning} />
        {isRunning ? (
          <button type="button" class="button" onClick={() => arrival.stop()}>
            Stop
          </button>
        ) : (
          <button
            type="button"
            class="button button-primary"
            aria-disabled={disabled}
            onClick={disabled ? undefined : () => void arrival.start()}
          >
            Fetch and show
          </button>
        )}
      </div>
      {value.phase !== 'idle' && <Arriving state={value} />}
    </section>
  );
}

function Arriving({ state }: { state: ArrivalState }) {
  const { phase, bytes, totalBytes, rows, rowCount, error } = state;
  return (
    <>
      <div class="arrival-progress">
        <p class="small">
          {formatBytes(bytes)}
          {totalBytes > 0 && ` of ${formatBytes(totalBytes)}`}, {formatCount(rowCount)} rows
        </p>
        <Progress label="Bytes" fraction={totalBytes > 0 ? bytes / totalBytes : undefined} />
        <p class="small muted">{times(state)}</p>
      </div>
      {phase === 'failed' && <ProblemView error={error} />}
      {rows && <RowTable rows={rows} columns={Object.keys(rows.at(0) ?? {})} name="arriving" label="Trips so far" layout="rows-trips" />}
    </>
  );
}

function times({ phase, firstRowsMs, lastByteMs, doneMs }: ArrivalState): string {
  const said = [
    firstRowsMs !== undefined && `First rows after ${formatMs(firstRowsMs)}`,
    lastByteMs !== undefined && `last byte after ${formatMs(lastByteMs)}`,
    doneMs !== undefined && lastByteMs !== undefined && `all rows ${formatMs(Math.max(doneMs - lastByteMs, 0))} later`,
    phase === 'stopped' && 'stopped: the request is cancelled, the rows so far stay',
  ].filter((part) => part !== false);
  return said.join('; ');
}
