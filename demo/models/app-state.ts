import type { ReadonlySignal, Signal } from '@preact/signals';
import type { AppUpdate } from './app-update.ts';
import type { Downloads } from './downloads.ts';
import type { FrameMonitor } from './frame-monitor.ts';
import type { Pages } from './pages.ts';
import type { Palette } from './palette.ts';
import type { PlainFetch } from './plain-fetch.ts';
import type { Race } from './race.ts';
import type { RequestLog } from './request-log.ts';
import type { Settings } from './settings.ts';
import type { Streaming } from './streaming.ts';
import type { Theme } from './theme.ts';
import type { Visits } from './visits.ts';

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
