import type { AppState } from '../app-state.ts';
import { frameLevel } from '../frames/frames.ts';
import { LaneGraph } from '../race/lane-graph.tsx';
import { formatMs } from '../ui/numbers.ts';
import type { TableLane, TableRun, TripTable } from './trip-table.ts';

const MIN_SCALE_MS = 250;

/** The latest change of each holder, next to its loading. */
export function TableLanes({ table, palette }: { table: TripTable; palette: AppState['palette'] }) {
  const end = Math.max(MIN_SCALE_MS, ...table.lanes.map(({ change }) => change.value?.readyMs ?? 0));
  return (
    <section class="panel" aria-labelledby="lanes-title">
      <div class="panel-head">
        <h2 id="lanes-title">The latest change of each</h2>
        <p class="small muted">
          Each bar is a frame: its width is its duration, its height the same on a logarithmic scale. The vertical line marks the result.
        </p>
      </div>
      <ul class="lanes">
        {table.lanes.map((lane) => (
          <LaneLine key={lane.id} lane={lane} end={end} palette={palette} />
        ))}
      </ul>
    </section>
  );
}

function LaneLine({ lane: { id, title, how, loading, change }, end, palette }: { lane: TableLane; end: number; palette: AppState['palette'] }) {
  return (
    <li class={id === 'rows' ? 'lane lane-still lane-own' : 'lane lane-still'}>
      <div class="lane-about">
        <h3>{title}</h3>
        <p class="small muted">{how}</p>
      </div>
      <div class="lane-view">
        {change.value ? (
          <LaneGraph recording={change.value.recording} marks={[change.value.readyMs]} end={end} palette={palette} />
        ) : (
          <p class="lane-wait muted">{loading.value ? 'Sort or filter the trips.' : 'Not loaded yet.'}</p>
        )}
      </div>
      <Figures title={title} runs={[loading.value, change.value]} />
    </li>
  );
}

function Figures({ title, runs }: { title: string; runs: readonly (TableRun | undefined)[] }) {
  return (
    <table class="figures">
      <caption class="visually-hidden">{title}</caption>
      <thead>
        <tr>
          <td />
          <th scope="col">loading</th>
          <th scope="col">change</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">Longest block</th>
          {runs.map((run, index) => (
            <td key={index} class={run ? `level-${frameLevel(run.recording.longestBlock)}` : ''}>
              {run ? formatMs(run.recording.longestBlock) : '–'}
            </td>
          ))}
        </tr>
        <tr>
          <th scope="row">Ready after</th>
          {runs.map((run, index) => (
            <td key={index}>{run ? formatMs(run.readyMs) : '–'}</td>
          ))}
        </tr>
      </tbody>
    </table>
  );
}
