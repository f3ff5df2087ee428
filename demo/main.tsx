import { effect } from '@preact/signals';
import { render } from 'preact';
import { createDecoder } from 'unspool';
import { App } from './app.tsx';
import { CONTENDERS } from './contenders/about.ts';
import { createFramedContender } from './contenders/framed.ts';
import type { AppState } from './models/app-state.ts';
import { createAppUpdate } from './models/app-update.ts';
import { createDownloads } from './models/downloads.ts';
import { SCHEMAS } from './models/encodings.ts';
import { createFrameMonitor } from './models/frame-monitor.ts';
import { createNetwork } from './models/network.ts';
import { createPages } from './models/pages.ts';
import { createPalette } from './models/palette.ts';
import { createPlainFetch } from './models/plain-fetch.ts';
import { createRace } from './models/race.ts';
import { createRequestLog } from './models/request-log.ts';
import { createSettings } from './models/settings.ts';
import { createStreaming, createStreamSettings } from './models/streaming.ts';
import { createTheme } from './models/theme.ts';
import { createVisits } from './models/visits.ts';

function createState(): AppState {
  const query = new URLSearchParams(location.search);
  const pages = createPages();
  const theme = createTheme();
  const monitor = createFrameMonitor();
  const log = createRequestLog();
  const decoder = createDecoder({ schemas: SCHEMAS });
  const settings = createSettings(query);
  const downloads = createDownloads(undefined, log);
  const race = createRace(settings, downloads, monitor, CONTENDERS.map(createFramedContender));
  forgetOnChange(settings, race);
  return {
    pages,
    theme,
    palette: createPalette(theme),
    isOnline: createNetwork(),
    monitor,
    settings,
    downloads,
    race,
    streaming: createStreaming(createStreamSettings(query), decoder, monitor, log.fetch),
    plain: createPlainFetch(log.fetch),
    visits: createVisits(decoder, monitor, log),
    log,
    update: createAppUpdate(decoder),
  };
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
