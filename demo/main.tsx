import { effect } from '@preact/signals';
import { render } from 'preact';
import { App, type AppState } from './app.tsx';
import { createContenders } from './contenders/contenders.ts';
import { createAppUpdate } from './models/app-update.ts';
import { createArrival } from './models/arrival.ts';
import { createDownloads } from './models/downloads.ts';
import { createFrameMonitor } from './models/frame-monitor.ts';
import { createPalette } from './models/palette.ts';
import { createRace } from './models/race.ts';
import { createSettings } from './models/settings.ts';
import { createTheme } from './models/theme.ts';

function createState(): AppState {
  const theme = createTheme();
  const settings = createSettings(new URLSearchParams(location.search));
  const downloads = createDownloads();
  const monitor = createFrameMonitor();
  const race = createRace(settings, downloads, monitor, createContenders());
  forgetOnChange(settings, race);
  const arrival = createArrival(settings);
  return { theme, palette: createPalette(theme), settings, downloads, monitor, race, arrival, update: createAppUpdate() };
}

/** What was measured under other settings is not shown beside what is measured now. */
function forgetOnChange(settings: AppState['settings'], race: AppState['race']): void {
  let isFirst = true;
  const forget = (watch: () => void, clear: () => void): void => {
    effect(() => {
      watch();
      if (!isFirst) clear();
    });
  };
  forget(
    () => void [settings.rows.value, settings.encoding.value, settings.damage.value],
    () => race.clear(),
  );
  forget(
    () => void settings.result.value,
    () => race.clear('unspool'),
  );
  isFirst = false;
}

render(<App state={createState()} />, document.getElementById('app')!);
