import type { ReadonlySignal, Signal } from '@preact/signals';
import { Header } from './components/header.tsx';
import { UpdatePrompt } from './components/update-prompt.tsx';
import type { AppUpdate } from './models/app-update.ts';
import type { Downloads } from './models/downloads.ts';
import type { FrameMonitor } from './models/frame-monitor.ts';
import type { PageId, Pages } from './models/pages.ts';
import type { Palette } from './models/palette.ts';
import type { PlainFetch } from './models/plain-fetch.ts';
import type { Race } from './models/race.ts';
import type { RequestLog } from './models/request-log.ts';
import type { Settings } from './models/settings.ts';
import type { Streaming } from './models/streaming.ts';
import type { Theme } from './models/theme.ts';
import type { Visits } from './models/visits.ts';
import { PanelPage } from './pages/panel-page.tsx';
import { RacePage } from './pages/race-page.tsx';
import { ServiceWorkerPage } from './pages/service-worker-page.tsx';
import { StreamingPage } from './pages/streaming-page.tsx';

/** Everything that the pages show and change. */
export interface AppState {
  pages: Pages;
  theme: Signal<Theme>;
  palette: ReadonlySignal<Palette>;
  isOnline: ReadonlySignal<boolean>;
  monitor: FrameMonitor;
  settings: Settings;
  downloads: Downloads;
  race: Race;
  streaming: Streaming;
  plain: PlainFetch;
  visits: Visits;
  log: RequestLog;
  update: AppUpdate;
}

const PAGE_VIEWS = {
  race: RacePage,
  streaming: StreamingPage,
  'service-worker': ServiceWorkerPage,
  panel: PanelPage,
} satisfies Record<PageId, unknown>;

export function App({ state }: { state: AppState }) {
  const { id } = state.pages.current.value;
  const Page = PAGE_VIEWS[id];
  return (
    <div class={`page page-${id}`}>
      <Header pages={state.pages} theme={state.theme} isOnline={state.isOnline} />
      <Page state={state} key={id} />
      <UpdatePrompt update={state.update} />
    </div>
  );
}
