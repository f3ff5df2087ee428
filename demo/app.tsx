import { useComputed, useSignal, useSignalEffect, type ReadonlySignal, type Signal } from '@preact/signals';
import { ArrivalPanel } from './components/arrival-panel.tsx';
import { DownloadList } from './components/download-list.tsx';
import { Header } from './components/header.tsx';
import { LaneList } from './components/lane-list.tsx';
import { Monitor } from './components/monitor.tsx';
import { ProblemView } from './components/problem-view.tsx';
import { Results } from './components/results.tsx';
import { RowsPanel } from './components/rows-panel.tsx';
import { SettingsPanel } from './components/settings-panel.tsx';
import { UpdatePrompt } from './components/update-prompt.tsx';
import type { AppUpdate } from './models/app-update.ts';
import type { Arrival } from './models/arrival.ts';
import { announce } from './models/comparison.ts';
import type { Downloads } from './models/downloads.ts';
import type { FrameMonitor } from './models/frame-monitor.ts';
import type { Palette } from './models/palette.ts';
import type { Race } from './models/race.ts';
import type { Settings } from './models/settings.ts';
import type { Theme } from './models/theme.ts';

/** Everything that the page shows and changes. */
export interface AppState {
  theme: Signal<Theme>;
  palette: ReadonlySignal<Palette>;
  settings: Settings;
  downloads: Downloads;
  monitor: FrameMonitor;
  race: Race;
  arrival: Arrival;
  update: AppUpdate;
}

export function App({ state }: { state: AppState }) {
  const { theme, palette, settings, downloads, monitor, race, arrival } = state;
  return (
    <div class="page">
      <Header theme={theme} />
      <main>
        <div class="intro">
          <h1>The race</h1>
          <p>
            The same bike trips are decoded in four ways, one after the other, in this page. The dot and the graph run on
            the page’s main thread: while that is blocked, they stop, and so does everything else here.
          </p>
        </div>
        <Monitor monitor={monitor} palette={palette} />
        <Controls settings={settings} downloads={downloads} race={race} />
        <LaneList settings={settings} downloads={downloads} race={race} palette={palette} />
        {settings.damage.value === 'none' && <Results lanes={race.lanes} />}
        <RowsPanel shown={race.shown.value} />
        <ArrivalPanel arrival={arrival} disabled={race.running.value !== undefined} />
      </main>
      <Announcer race={race} />
      <UpdatePrompt update={state.update} />
    </div>
  );
}

function Controls({ settings, downloads, race }: Pick<AppState, 'settings' | 'downloads' | 'race'>) {
  const isRunning = race.running.value !== undefined;
  return (
    <section class="panel" aria-labelledby="settings-title">
      <h2 id="settings-title" class="visually-hidden">
        Settings
      </h2>
      <SettingsPanel settings={settings} disabled={isRunning} />
      <div class="run-bar">
        {isRunning ? (
          <button type="button" class="button" onClick={() => race.stop()}>
            Stop
          </button>
        ) : (
          <button type="button" class="button button-primary" onClick={() => void race.runAll()}>
            Run all four
          </button>
        )}
        <DownloadList downloads={downloads.list.value} />
      </div>
      {race.problem.value !== undefined && (
        <div class="problem-alone">
          <ProblemView error={race.problem.value} />
        </div>
      )}
    </section>
  );
}

/** Tells screen readers when a run is done. */
function Announcer({ race }: Pick<AppState, 'race'>) {
  const text = useSignal('');
  const done = useComputed(() => race.lanes.flatMap(({ contender, state }) => (state.value.phase === 'done' ? [{ contender, outcome: state.value.outcome }] : [])));
  useSignalEffect(() => {
    const owner = race.shown.value?.contender;
    const run = done.value.find(({ contender }) => contender === owner);
    if (run) text.value = announce(run.contender, run.outcome);
  });
  return (
    <p class="visually-hidden" role="status">
      {text}
    </p>
  );
}
