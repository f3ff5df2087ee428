import { DownloadList } from './download-list.tsx';
import { Intro } from '../site/intro.tsx';
import { LaneList } from './lane-list.tsx';
import { Monitor } from '../frames/monitor.tsx';
import { ProblemView } from '../errors/problem-view.tsx';
import { Results } from './results.tsx';
import { RowsPanel } from './rows-panel.tsx';
import { Segments } from '../ui/segments.tsx';
import type { Settings } from './settings.ts';
import { DAMAGES, ENCODINGS, RESULT_KINDS, SIZES } from '../payloads/catalogue.ts';
import { formatCount } from '../ui/numbers.ts';
import type { AppState } from '../app-state.ts';
import { announce } from './comparison.ts';

const sizes = SIZES.map((value) => ({ value, label: formatCount(value) }));

/** Four ways to decode the same payload. */
export function RacePage({ state }: { state: AppState }) {
  const { pages, palette, settings, downloads, monitor, race } = state;
  return (
    <main>
      <Intro pages={pages}>
        The same bike trips are decoded in four ways, one after the other. The dot and the graph run on the page’s main thread: while it is blocked,
        they stop, and so does everything else on this page.
      </Intro>
      <Monitor monitor={monitor} palette={palette} />
      <Controls settings={settings} downloads={downloads} race={race} />
      <LaneList settings={settings} downloads={downloads} race={race} palette={palette} />
      {settings.damage.value === 'none' && <Results lanes={race.lanes} />}
      <RowsPanel shown={race.shown.value} />
      <Announcer race={race} />
    </main>
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

function SettingsPanel({ settings, disabled }: { settings: Settings; disabled: boolean }) {
  return (
    <div class="settings">
      <Segments<number> label="Rows" value={settings.rows} choices={sizes} disabled={disabled} />
      <Segments label="Encoding" value={settings.encoding} choices={ENCODINGS} disabled={disabled} />
      <Segments label="Payload" value={settings.damage} choices={DAMAGES} disabled={disabled} />
      <Segments label="Unspool returns" value={settings.result} choices={RESULT_KINDS} disabled={disabled} />
    </div>
  );
}

/** Announces the end of a run to screen readers. */
function Announcer({ race }: Pick<AppState, 'race'>) {
  const lane = race.ended.value;
  return (
    <p class="visually-hidden" role="status">
      {lane && announce(lane.contender, lane.state.value)}
    </p>
  );
}
