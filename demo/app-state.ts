import type { ReadonlySignal, Signal } from '@preact/signals';
import type { AppUpdate } from './site/app-update.ts';
import type { Downloads } from './race/downloads.ts';
import type { Chat } from './live/chat.ts';
import type { Tools } from './live/tools.ts';
import type { Ticks } from './live/ticks.ts';
import type { FrameMonitor } from './frames/frame-monitor.ts';
import type { Pages } from './site/pages.ts';
import type { Palette } from './frames/palette.ts';
import type { PlainFetch } from './service-worker-page/plain-fetch.ts';
import type { Playground } from './playground/playground.ts';
import type { Race } from './race/race.ts';
import type { Refetching } from './refetching/refetching.ts';
import type { RequestLog } from './payloads/request-log.ts';
import type { Settings } from './race/settings.ts';
import type { Streaming } from './streaming/streaming.ts';
import type { TripTable } from './table-page/trip-table.ts';
import type { Theme } from './site/theme.ts';
import type { Visits } from './service-worker-page/visits.ts';

/** State of all pages. */
export interface AppState {
  pages: Pages;
  theme: Signal<Theme>;
  palette: ReadonlySignal<Palette>;
  isOnline: ReadonlySignal<boolean>;
  monitor: FrameMonitor;
  settings: Settings;
  downloads: Downloads;
  race: Race;
  playground: Playground;
  streaming: Streaming;
  table: TripTable;
  ticks: Ticks;
  chat: Chat;
  tools: Tools;
  refetching: Refetching;
  plain: PlainFetch;
  visits: Visits;
  log: RequestLog;
  update: AppUpdate;
}
