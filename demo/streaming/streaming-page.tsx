import { useSignal } from '@preact/signals';
import { RunBar } from '../ui/run-bar.tsx';
import { Intro } from '../site/intro.tsx';
import { Monitor } from '../frames/monitor.tsx';
import { ProblemView } from '../errors/problem-view.tsx';
import { Progress } from '../ui/progress.tsx';
import { RowTable } from '../table/row-table.tsx';
import { Segments } from '../ui/segments.tsx';
import { Tiles } from '../ui/tiles.tsx';
import type { AppState } from '../app-state.ts';
import { frameLevel } from '../frames/frames.ts';
import { formatBytes, formatCount, formatMs } from '../ui/numbers.ts';
import { FAULTS, LATENCIES, LINES, STREAM_ENCODINGS, STREAM_SIZES, tell, type Streaming, type StreamState } from './streaming.ts';

const sizes = STREAM_SIZES.map((value) => ({ value, label: formatCount(value) }));

/** A table that fills while the payload arrives. */
export function StreamingPage({ state: { pages, monitor, palette, streaming } }: { state: AppState }) {
  const state = streaming.state.value;
  return (
    <main>
      <Intro pages={pages}>
        The server sends the payload at the chosen speed. A worker decodes each chunk as it arrives, and the table below shows rows while the download
        continues.
      </Intro>
      <Monitor monitor={monitor} palette={palette} />
      <Controls streaming={streaming} state={state} />
      <Arriving state={state} />
    </main>
  );
}

function Controls({ streaming, state: { phase } }: { streaming: Streaming; state: StreamState }) {
  const { rows, encoding, line, latency, fault } = streaming.settings;
  const isRunning = phase === 'running' || phase === 'starting';
  return (
    <section class="panel" aria-labelledby="settings-title">
      <h2 id="settings-title" class="visually-hidden">
        Settings
      </h2>
      <div class="settings settings-even">
        <div class="settings-wide">
          <Segments label="Encoding" value={encoding} choices={STREAM_ENCODINGS} disabled={isRunning} />
        </div>
        <Segments<number> label="Rows" value={rows} choices={sizes} disabled={isRunning} />
        <Segments label="Connection" value={line} choices={LINES} disabled={isRunning} />
        <Segments label="Latency" value={latency} choices={LATENCIES} disabled={isRunning} />
        <Segments label="Fault" value={fault} choices={FAULTS} disabled={isRunning} />
      </div>
      <RunBar isRunning={isRunning} start="Fetch and show" stop="Cancel" onStart={() => void streaming.start()} onStop={() => streaming.stop()}>
        The server generates a payload at its first request, which takes a moment. Cancelling ends the request; rows received before are kept.
      </RunBar>
    </section>
  );
}

function Arriving({ state }: { state: StreamState }) {
  const { phase, bytes, totalBytes, rows, rowCount, error } = state;
  const isFollowing = useSignal(false);
  return (
    <section class="panel" aria-labelledby="arriving-title">
      <div class="panel-head">
        <h2 id="arriving-title">While it arrives</h2>
        <p class="small muted" role="status">
          {tell(state, formatMs)}
        </p>
      </div>
      <div class="arriving-bytes">
        <p class="small download-text">
          <span>
            {formatBytes(bytes)}
            {totalBytes > 0 && ` of ${formatBytes(totalBytes)}`}
          </span>
          <span class="muted">{formatCount(rowCount)} rows</span>
        </p>
        <Progress label="Bytes" fraction={fraction(state)} />
      </div>
      <Tiles tiles={tilesOf(state)} />
      {phase === 'failed' && <ProblemView error={error} />}
      {rows && (
        <>
          <label class="check">
            <input type="checkbox" checked={isFollowing.value} onChange={() => (isFollowing.value = !isFollowing.value)} />
            Follow the newest rows
          </label>
          <RowTable
            rows={rows}
            columns={Object.keys(rows.at(0) ?? {})}
            name="arriving"
            label="Trips so far"
            layout="rows-trips"
            follow={isFollowing.value}
          />
          <p class="segments-note">Arrow keys, Page Up, Page Down, Home and End move through the table, also while it grows.</p>
        </>
      )}
    </section>
  );
}

function fraction({ phase, bytes, totalBytes }: StreamState): number | undefined {
  if (totalBytes > 0) return bytes / totalBytes;
  return phase === 'running' || phase === 'starting' ? undefined : 0;
}

function tilesOf({ firstRowsMs, lastByteMs, doneMs, longestBlock }: StreamState) {
  const ms = (value: number | undefined): string => (value === undefined ? '–' : formatMs(value));
  return [
    { label: 'First rows', value: ms(firstRowsMs) },
    { label: 'Last byte', value: ms(lastByteMs) },
    { label: 'All rows', value: ms(doneMs) },
    {
      label: 'Longest block',
      value: ms(longestBlock),
      ...(longestBlock !== undefined && { level: `level-${frameLevel(longestBlock)}` }),
    },
  ];
}
