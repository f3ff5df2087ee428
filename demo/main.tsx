import { effect } from '@preact/signals';
import { render } from 'preact';
import { createDecoder } from 'unspool';
import { App } from './app.tsx';
import { CONTENDERS } from './contenders/about.ts';
import { createFramedContender } from './contenders/framed.ts';
import type { AppState } from './app-state.ts';
import { createAppUpdate } from './site/app-update.ts';
import { createDownloads } from './race/downloads.ts';
import { SCHEMAS } from './payloads/encodings.ts';
import { createFrameMonitor } from './frames/frame-monitor.ts';
import { createChat } from './live/chat.ts';
import { createTools } from './live/tools.ts';
import { createTicks, createTickSettings } from './live/ticks.ts';
import { createNetwork } from './site/network.ts';
import { createPages } from './site/pages.ts';
import { createPalette } from './frames/palette.ts';
import { createPlainFetch } from './service-worker-page/plain-fetch.ts';
import { createPlayground, createPlaygroundSettings } from './playground/playground.ts';
import { takeFromParent } from './playground/source/from-parent.ts';
import { createRace } from './race/race.ts';
import { createRefetching, createRefetchSettings } from './refetching/refetching.ts';
import { createRequestLog } from './payloads/request-log.ts';
import { createSettings } from './race/settings.ts';
import { createStreaming, createStreamSettings } from './streaming/streaming.ts';
import { createTableSettings, createTripTable } from './table-page/trip-table.ts';
import { createTheme } from './site/theme.ts';
import { createVisits } from './service-worker-page/visits.ts';

function createState(): AppState {
  const query = new URLSearchParams(location.search);
  const pages = createPages();
  const theme = createTheme();
  const monitor = createFrameMonitor();
  const log = createRequestLog();
  const decoder = createDecoder({ schemas: SCHEMAS, formatOptions: { protobuf: { names: 'proto' } } });
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
    playground: createPlayground(createPlaygroundSettings(), monitor),
    streaming: createStreaming(createStreamSettings(query), decoder, monitor, log.fetch),
    table: createTripTable(createTableSettings(query), decoder, monitor),
    ticks: createTicks(createTickSettings(query), decoder),
    chat: createChat(decoder, log.fetch),
    tools: createTools(decoder, query, log.fetch),
    refetching: createRefetching(createRefetchSettings(query), decoder, monitor),
    plain: createPlainFetch(log.fetch),
    visits: createVisits(decoder, monitor, log),
    log,
    update: createAppUpdate(decoder),
  };
}

/** Clears the results when the settings change, as they would not be comparable. */
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

const state = createState();
takeFromParent(state.playground);
render(<App state={state} />, document.getElementById('app')!);
